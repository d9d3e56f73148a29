"""`quadriga backup`, `restore`, `copy-store`, `check`: copy stores, put a copy back, verify a store."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from quadriga.cli.commandline import CommandLine
from quadriga.cli.commands.serve import SERVER_PACKAGE, server_extra
from quadriga.cli.exits import REFUSED
from quadriga.cli.output import print_error, print_json, print_notice
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words

if TYPE_CHECKING:
    from quadriga.server.state.verify import Report

_COUNTS = ("rooms", "events", "snapshots", "talk", "keys")


def add(cli: CommandLine) -> None:
    """Add the commands."""

    @cli.command("backup")
    def backup(
        file: Annotated[str, cli.argument("backup-file")], store: Annotated[str, cli.option("store", "FILE")] = ""
    ) -> None:
        from quadriga.cli.progress import WorkBar

        with server_extra():
            from quadriga.server.storage import backup as file_backup
            from quadriga.server.storage import copying
        source = _address(store)
        if isinstance(source, Path):
            rooms = file_backup.backup(source, Path(file))
        else:
            with WorkBar(cli.say, 0) as bar:
                rooms = copying.backup(source, Path(file), bar.progress)
        print(_server_words(cli.say)("table.backed-up", n=rooms, path=file))

    @cli.command("restore")
    def restore(
        file: Annotated[str, cli.argument("backup-file")],
        store: Annotated[str, cli.option("store", "FILE")] = "",
        room: Annotated[str, cli.option("room", "ID")] = "",
    ) -> None:
        with server_extra():
            from quadriga.server.storage import backup as file_backup
            from quadriga.server.storage import copying
            from quadriga.server.storage.address import shown
        target, say = _address(store), _server_words(cli.say)
        if room:
            if isinstance(target, Path):
                events = file_backup.restore_room(Path(file), target, room)
            else:
                events = copying.restore_room(Path(file), target, room)
            print(say("table.room-restored", room=room, n=events, path=shown(target)))
        elif isinstance(target, Path):
            print(say("table.restored", n=file_backup.restore(Path(file), target), path=target))
        else:
            _copy(cli.say, Path(file), target)
        _warn(Path(file), say)

    @cli.command("copy-store")
    def copy_store(
        source: Annotated[str, cli.argument("from")],
        target: Annotated[str, cli.argument("to")],
    ) -> None:
        with server_extra():
            from quadriga.server.settings import store_address
        _copy(cli.say, store_address(source), store_address(target))

    @cli.command("check")
    def check(
        store: Annotated[str, cli.argument("store")] = "", json: Annotated[bool, cli.option("json")] = False
    ) -> None:
        _check(store, json, cli.say)


def _copy(say: Words, source: Path | str, target: Path | str) -> None:
    """Copy a store into another; print what was copied."""
    from quadriga.cli.progress import WorkBar

    with server_extra():
        from quadriga.server.storage import copying
    with WorkBar(say, 0) as bar:
        found = copying.copy(source, target, bar.progress)
    print(_server_words(say)("table.copied", rooms=found.rooms, events=found.events, path=found.target))


def _check(store: str, as_json: bool, say: Words) -> None:
    """Verify a store; print its content, or all faults, a line each."""
    from quadriga.cli.progress import WorkBar

    with server_extra():
        from quadriga.server.state import verify
        from quadriga.server.storage.address import shown
    address, own = _address(store), _server_words(say)
    with WorkBar(say, 0) as bar:
        found = verify.check(address, bar.progress)
    _warn(address, own)
    path = shown(address)
    if as_json:
        _print_as_json(path, found, say.language)
    for fault in found.store:
        print_error(own("table.check-store", path=path, reason=fault.text(say.language)))
    for room, fault in found.damaged.items():
        print_error(own("table.check-room", room=room, reason=fault.text(say.language)))
    if not found.whole:
        print_error(own("table.check-found", n=len(found.damaged), rooms=found.rooms, path=path))
        raise Exit(REFUSED)
    if not as_json:
        for room, fault in found.rules.items():
            print(own("table.check-rules", room=room, reason=fault.text(say.language)))
        print(own("table.checked", path=path, **{name: getattr(found, name) for name in _COUNTS}))


def _print_as_json(path: str, found: "Report", language: str) -> None:
    print_json(
        {
            "store": path,
            "whole": found.whole,
            **{name: getattr(found, name) for name in _COUNTS},
            "faults": [fault.text(language) for fault in found.store],
            "damaged": {room: fault.text(language) for room, fault in found.damaged.items()},
            "rules": {room: fault.text(language) for room, fault in found.rules.items()},
        }
    )


def _address(store: str) -> Path | str:
    """Return the address of a store: the path of a file, or a database."""
    with server_extra():
        from quadriga.server.settings import default_store, store_address
    return store_address(store) if store else default_store()


def _warn(address: Path | str, say: Words) -> None:
    """Print a line if others can read a store or a backup."""
    from quadriga.server.storage import private

    if warning := private.warning(address, say):
        print_notice(warning)


def _server_words(say: Words) -> Words:
    return catalogues.of(say.language, SERVER_PACKAGE)

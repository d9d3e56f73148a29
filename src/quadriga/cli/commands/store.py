"""`quadriga backup`, `restore`, `copy-store`, `check`: copy stores, put a copy back, verify a store."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quadriga.cli.commandline import CommandLine
from quadriga.cli.commands.serve import SERVER_PACKAGE, server_extra
from quadriga.cli.exits import REFUSED
from quadriga.cli.output import print_error, print_json
from quadriga.engine.errors import FileError
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
        with server_extra():
            from quadriga.server.storage import backup as copying
        rooms = copying.backup(_store_path(store), Path(file))
        print(_server_words(cli.say)("table.backed-up", n=rooms, path=file))

    @cli.command("restore")
    def restore(
        file: Annotated[str, cli.argument("backup-file")],
        store: Annotated[str, cli.option("store", "FILE")] = "",
        room: Annotated[str, cli.option("room", "ID")] = "",
    ) -> None:
        with server_extra():
            from quadriga.server.storage import backup as copying
        path, say = _store_path(store), _server_words(cli.say)
        if room:
            events = copying.restore_room(Path(file), path, room)
            print(say("table.room-restored", room=room, n=events, path=path))
        else:
            print(say("table.restored", n=copying.restore(Path(file), path), path=path))

    @cli.command("copy-store")
    def copy_store(
        source: Annotated[str, cli.argument("from")],
        target: Annotated[str, cli.argument("to")],
    ) -> None:
        from quadriga.cli.progress import WorkBar

        with server_extra():
            from quadriga.server.settings import store_address
            from quadriga.server.storage import copying
        with WorkBar(cli.say, 0) as bar:
            found = copying.copy(store_address(source), store_address(target), bar.progress)
        print(_server_words(cli.say)("table.copied", rooms=found.rooms, events=found.events, path=found.target))

    @cli.command("check")
    def check(
        store: Annotated[str, cli.argument("store")] = "", json: Annotated[bool, cli.option("json")] = False
    ) -> None:
        _check(store, json, cli.say)


def _check(store: str, as_json: bool, say: Words) -> None:
    """Verify a store; print its content, or all faults, a line each."""
    from quadriga.cli.progress import WorkBar

    with server_extra():
        from quadriga.server.state import verify
    path, own = _store_path(store), _server_words(say)
    with WorkBar(say, 0) as bar:
        found = verify.check(path, bar.progress)
    if as_json:
        _print_as_json(path, found, say.language)
    for fault in found.store:
        print_error(own("table.check-store", path=path, reason=fault.text(say.language)))
    for room, fault in found.damaged.items():
        print_error(own("table.check-room", room=room, reason=fault.text(say.language)))
    if not found.whole:
        print_error(own("table.check-found", n=len(found.damaged), rooms=found.rooms, path=path))
        raise typer.Exit(REFUSED)
    if not as_json:
        for room, fault in found.rules.items():
            print(own("table.check-rules", room=room, reason=fault.text(say.language)))
        print(own("table.checked", path=path, **{name: getattr(found, name) for name in _COUNTS}))


def _print_as_json(path: Path, found: "Report", language: str) -> None:
    print_json(
        {
            "store": str(path),
            "whole": found.whole,
            **{name: getattr(found, name) for name in _COUNTS},
            "faults": [fault.text(language) for fault in found.store],
            "damaged": {room: fault.text(language) for room, fault in found.damaged.items()},
            "rules": {room: fault.text(language) for room, fault in found.rules.items()},
        }
    )


def _store_path(store: str) -> Path:
    """Return the path of a store that is a file; a database has tools of its own for copies."""
    with server_extra():
        from quadriga.server.protocol.errors import PACKAGE
        from quadriga.server.settings import default_store, store_address
    found = store_address(store) if store else default_store()
    if isinstance(found, str):
        raise FileError("store.not-a-file", package=PACKAGE)
    return found


def _server_words(say: Words) -> Words:
    return catalogues.of(say.language, SERVER_PACKAGE)

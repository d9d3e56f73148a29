"""`quadriga backup`, `restore`, `copy-store`, `check`: copy stores, put a copy back, verify a store."""

import time
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
        file: Annotated[str, cli.argument("backup-file")],
        store: Annotated[str, cli.option("store", "FILE")] = "",
        base: Annotated[str, cli.option("base", "FILE")] = "",
        test_restore: Annotated[bool, cli.option("test-restore")] = False,
    ) -> None:
        with server_extra():
            from quadriga.server.storage import backup_times
        address, target, say = _address(store), Path(file), _server_words(cli.say)
        rooms = _back_up(address, target, base, cli.say)
        backup_times.note(address, backup_times.MADE)
        print(say("table.backed-up", n=rooms, path=file))
        if base:
            print(say("table.difference", base=base, bytes=target.stat().st_size))
        if test_restore:
            _try_backup(target, base, say)
            backup_times.note(address, backup_times.RESTORED)

    @cli.command("restore")
    def restore(
        file: Annotated[str, cli.argument("backup-file")],
        store: Annotated[str, cli.option("store", "FILE")] = "",
        room: Annotated[str, cli.option("room", "ID")] = "",
        base: Annotated[str, cli.option("base", "FILE")] = "",
    ) -> None:
        with server_extra():
            from quadriga.server.storage import difference
        target = _address(store)
        beside = target if isinstance(target, Path) else None
        with difference.whole(Path(file), Path(base) if base else None, beside) as whole:
            _restore(whole, target, room, cli.say)
        _warn(Path(file), _server_words(cli.say))

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


def _back_up(source: Path | str, target: Path, base: str, say: Words) -> int:
    """Copy a store, or what differs from an earlier copy. Return the number of rooms in it."""
    from quadriga.cli.progress import WorkBar
    from quadriga.server.storage import backup, copying, difference
    from quadriga.server.storage.opening import refused

    if isinstance(source, Path):
        return difference.make(source, Path(base), target) if base else backup.backup(source, target)
    if base:
        raise refused("base-file", target)
    with WorkBar(say, 0) as bar:
        return copying.backup(source, target, bar.progress)


def _try_backup(file: Path, base: str, say: Words) -> None:
    """Restore a backup elsewhere and verify it; print what was found. Exit with 2 if it is not whole."""
    from quadriga.server.state import verify
    from quadriga.server.storage import difference

    began = time.monotonic()
    with difference.whole(file, Path(base) if base else None) as whole:
        found = verify.try_backup(whole)
    _print_damage(str(file), found, say)
    seconds = round(time.monotonic() - began, 1)
    replays = min(found.verified, verify.REPLAYED)
    print(say("table.tried", seconds=seconds, rooms=found.rooms, verified=found.verified, replays=replays))


def _restore(file: Path, target: Path | str, room: str, words: Words) -> None:
    """Put back a whole backup, or one room of it."""
    from quadriga.server.storage import backup, copying
    from quadriga.server.storage.address import shown

    say = _server_words(words)
    if room:
        restored = backup.restore_room(file, target, room) if isinstance(target, Path) else None
        events = copying.restore_room(file, str(target), room) if restored is None else restored
        print(say("table.room-restored", room=room, n=events, path=shown(target)))
    elif isinstance(target, Path):
        print(say("table.restored", n=backup.restore(file, target), path=target))
    else:
        _copy(words, file, target)


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
    _print_damage(path, found, own)
    if not as_json:
        for room, fault in found.rules.items():
            print(own("table.check-rules", room=room, reason=fault.text(say.language)))
        print(own("table.checked", path=path, **{name: getattr(found, name) for name in _COUNTS}))


def _print_damage(path: str, found: "Report", say: Words) -> None:
    """Print all faults of a store, a line each, and exit with 2 if there are any."""
    for fault in found.store:
        print_error(say("table.check-store", path=path, reason=fault.text(say.language)))
    for room, fault in found.damaged.items():
        print_error(say("table.check-room", room=room, reason=fault.text(say.language)))
    if not found.whole:
        print_error(say("table.check-found", n=len(found.damaged), rooms=found.rooms, path=path))
        raise Exit(REFUSED)


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

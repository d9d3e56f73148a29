"""The commands of the table: serve, backup, restore, check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from quadriga.cli.exits import REFUSED
from quadriga.cli.main import complain
from quadriga.cli.output import print_json
from quadriga.cli.progress import bar
from quadriga.engine.errors import MissingExtraError
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words

if TYPE_CHECKING:
    from quadriga.server.state.verify import Report

_PACKAGE = "quadriga.server"


def serve(
    host: str,
    port: int | None,
    store: str,
    names: list[str],
    browser: bool,
    say: Words,
    proxies: list[str],
    metrics: list[str],
    limits: list[str],
) -> None:
    """Open the table until somebody stops it."""
    try:
        from quadriga.server import run as serving
        from quadriga.server.proxy import networks
        from quadriga.server.settings import Settings, default_store, parse_limits
    except ModuleNotFoundError as missing:
        raise MissingExtraError("extra.missing", what=missing.name, extra="table") from None
    networks([*proxies, *metrics])  # a wrong one is refused at once
    settings = Settings(
        host=host,
        port=8000 if port is None else port,
        store=Path(store) if store else default_store(),
        hosts=tuple(name.lower() for name in names),
        proxies=tuple(proxies),
        metrics=tuple(metrics),
        **parse_limits(limits),  # type: ignore[arg-type]
    )
    serving.run(settings, catalogues.of(say.language, _PACKAGE), exact=port is not None, browser=browser)


def backup(store: str, file: str, say: Words) -> None:
    """Copy the host's tables into a file."""
    from quadriga.server.settings import default_store
    from quadriga.server.storage import backup as copying

    n = copying.backup(Path(store) if store else default_store(), Path(file))
    print(catalogues.of(say.language, _PACKAGE)("table.backed-up", n=n, path=file))


def restore(file: str, store: str, room: str, say: Words) -> None:
    """Put the tables of a backup back, or one of them."""
    from quadriga.server.settings import default_store
    from quadriga.server.storage import backup as copying

    path = Path(store) if store else default_store()
    own = catalogues.of(say.language, _PACKAGE)
    if room:
        n = copying.restore_room(Path(file), path, room)
        print(own("table.room-restored", room=room, n=n, path=path))
    else:
        print(own("table.restored", n=copying.restore(Path(file), path), path=path))


def check(store: str, as_json: bool, say: Words) -> None:
    """Verify a store: say what is in it, or everything that is wrong, a line each."""
    from quadriga.server.settings import default_store
    from quadriga.server.state import verify

    path = Path(store) if store else default_store()
    with bar(say, 0) as progress:
        found = verify.check(path, progress)
    own = catalogues.of(say.language, _PACKAGE)
    if as_json:
        _print(path, found, say.language)
    for fault in found.store:
        complain(own("table.check-store", path=path, reason=fault.text(say.language)))
    for room, fault in found.damaged.items():
        complain(own("table.check-room", room=room, reason=fault.text(say.language)))
    if not found.whole:
        complain(own("table.check-found", n=len(found.damaged), rooms=found.rooms, path=path))
        raise typer.Exit(REFUSED)
    if not as_json:
        for room, fault in found.rules.items():
            print(own("table.check-rules", room=room, reason=fault.text(say.language)))
        counts = {name: getattr(found, name) for name in ("rooms", "events", "snapshots", "talk", "keys")}
        print(own("table.checked", path=path, **counts))


def _print(path: Path, found: Report, language: str) -> None:
    content = {name: getattr(found, name) for name in ("rooms", "events", "snapshots", "talk", "keys")}
    print_json(
        {
            "store": str(path),
            "whole": found.whole,
            **content,
            "faults": [fault.text(language) for fault in found.store],
            "damaged": {room: fault.text(language) for room, fault in found.damaged.items()},
            "rules": {room: fault.text(language) for room, fault in found.rules.items()},
        }
    )

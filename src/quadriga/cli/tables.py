"""The commands of the table: serve, backup, restore."""

from __future__ import annotations

from pathlib import Path

from quadriga.engine import words
from quadriga.engine.errors import MissingExtraError
from quadriga.engine.words import Words

_PACKAGE = "quadriga.table"


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
        from quadriga.table import serve as serving
        from quadriga.table.proxy import networks
        from quadriga.table.settings import Settings, default_store, parse_limits
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
    serving.run(settings, words.of(say.language, _PACKAGE), exact=port is not None, browser=browser)


def backup(store: str, file: str, say: Words) -> None:
    """Copy the host's tables into a file."""
    from quadriga.table import backup as copying
    from quadriga.table.settings import default_store

    n = copying.backup(Path(store) if store else default_store(), Path(file))
    print(words.of(say.language, _PACKAGE)("table.backed-up", n=n, path=file))


def restore(file: str, store: str, say: Words) -> None:
    """Put the tables of a backup back."""
    from quadriga.table import backup as copying
    from quadriga.table.settings import default_store

    path = Path(store) if store else default_store()
    n = copying.restore(Path(file), path)
    print(words.of(say.language, _PACKAGE)("table.restored", n=n, path=path))

"""Serve the reports of `quadriga lab` at `/reports`: to this machine, or to everybody if the host says so."""

from __future__ import annotations

import asyncio
import html
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import LANGUAGES, Words
from quadriga.server.http.security import is_local
from quadriga.server.protocol.errors import PACKAGE, RoomError
from quadriga.server.settings import Settings

MOST = 500  # reports that are listed, the newest ones
_NAME = "report.html"
_LEVELS = ("*", "*/against-*")  # the folders of studies, and in them those that they are compared with
_TITLE = re.compile(rb"<title>([^<]{1,300})</title>")
_HEAD = 4096  # bytes of a report that hold its title

# A report has its style inside, and nothing else that could be loaded or run.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {"content-security-policy": POLICY, "cache-control": "no-cache"}

_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>{title}</title><style>
:root {{ --ground: #f6f1e4; --card: #fffdf7; --text: #2c2418; --muted: #6a5d49; --line: #ddd2bb; }}
@media (prefers-color-scheme: dark) {{
:root {{ --ground: #17140f; --card: #221e17; --text: #efe6d3; --muted: #b9ab92; --line: #453d30; }} }}
body {{ margin: 0 auto; padding: 1rem; max-width: 46rem; background: var(--ground); color: var(--text);
font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }}
h1 {{ font-family: Georgia, serif; font-size: 1.6rem; }} nav {{ text-align: right; }} a {{ color: inherit; }}
ul {{ list-style: none; padding: 0; }} li a {{ display: block; padding: 0.8rem 1rem; margin: 0.6rem 0;
background: var(--card); border: 1px solid var(--line); border-radius: 10px; text-decoration: none; }}
li a:hover b {{ text-decoration: underline; }} small {{ display: block; color: var(--muted); }}
code {{ background: var(--card); padding: 0.1em 0.3em; border-radius: 4px; }}
</style></head><body>
<nav><a href="?lang={other}" lang="{other}" hreflang="{other}">{other_name}</a></nav>
<main><h1>{title}</h1>{content}<p><a href="/">{home}</a></p></main></body></html>
"""


class Report(NamedTuple):
    """A report: its address below `/reports`, its file, its title, and when it was written."""

    id: str
    path: Path
    title: str
    written: datetime


def folder(settings: Settings) -> Path:
    """Return the folder with the reports."""
    if settings.reports:
        return Path(settings.reports)
    from quadriga.lab.study.store import default_folder

    return default_folder()


def reports(where: Path) -> list[Report]:
    """Return the reports in a folder, the newest first. Files that lie elsewhere, by links, are left out."""
    found: list[tuple[float, Path]] = []
    try:
        root = where.resolve()
        for level in _LEVELS:
            for path in root.glob(f"{level}/{_NAME}"):
                if path.is_file() and path.resolve().is_relative_to(root):
                    found.append((path.stat().st_mtime, path))
    except OSError:
        return []
    newest = sorted(found, reverse=True)[:MOST]
    return [
        Report(path.parent.relative_to(root).as_posix(), path, _title(path), datetime.fromtimestamp(at, UTC))
        for at, path in newest
    ]


def _title(path: Path) -> str:
    try:
        with path.open("rb") as file:
            found = _TITLE.search(file.read(_HEAD))
    except OSError:
        return path.parent.name
    return html.unescape(found.group(1).decode("utf-8", "replace")) if found else path.parent.name


def _check(request: Request) -> Settings:
    """Return the settings. Raise RoomError unless the request may see reports."""
    settings: Settings = request.app.state.registry.settings
    if not (settings.publish_reports or is_local(request.scope)):
        raise RoomError("reports.local", 403)
    return settings


async def _list(request: Request) -> Response:
    """The list of reports, in the language of the browser or of the parameter `lang`."""
    found = await asyncio.to_thread(reports, folder(_check(request)))
    asked = request.query_params.get("lang") or request.headers.get("accept-language", "")[:2].lower()
    words = catalogues.of(asked if asked in LANGUAGES else "en", PACKAGE)
    other = next(each for each in LANGUAGES if each != words.language)
    page = _PAGE.format(
        language=words.language,
        title=words("reports.title"),
        other=other,
        other_name=words("reports.other"),
        content=_content(found, words),
        home=words("reports.home"),
    )
    return HTMLResponse(page, headers={**_HEADERS, "vary": "accept-language"})


def _content(found: list[Report], words: Words) -> str:
    if not found:
        return f"<p>{words('reports.empty')} <code>quadriga lab ur</code></p>"
    rows = [
        f'<li><a href="/reports/{quote(each.id)}"><b>{html.escape(each.title)}</b>'
        f"<small>{html.escape(each.id)} · {words('reports.written', when=f'{each.written:%Y-%m-%d %H:%M}')}"
        "</small></a></li>"
        for each in found
    ]
    return f"<ul>{''.join(rows)}</ul>"


async def _report(request: Request) -> Response:
    """One report of the list. Its address is compared with the list, and never used as a path."""
    wanted = request.path_params["id"].rstrip("/")
    found = await asyncio.to_thread(reports, folder(_check(request)))
    for each in found:
        if each.id == wanted:
            return FileResponse(each.path, media_type="text/html; charset=utf-8", headers=_HEADERS)
    raise HTTPException(404)


def routes() -> list[BaseRoute]:
    """Return the routes of the reports."""
    methods = ["GET", "HEAD"]
    return [Route("/reports", _list, methods=methods), Route("/reports/{id:path}", _report, methods=methods)]


def has_reports(settings: Settings) -> bool:
    """Return whether there is any report to show."""
    return bool(reports(folder(settings)))

"""Serve the page. It is built from `web/` into the folder `page`; its index answers every path of its own."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from quadriga.server.workers.pictures import SIZE

FOLDER = Path(__file__).parents[1] / "page"
_UNBUILT = (
    "<!doctype html><meta charset=utf-8><title>Quadriga</title>"
    "<p lang=en>This installation has no page. <code>make play</code> builds it.</p>"
    "<p lang=fr>Cette installation n’a pas de page. <code>make play</code> la construit.</p>"
)
_CACHE_FOREVER = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"
_MOST_PATH_BYTES = 200
_SHARED = re.compile(r"(?:t|replay)/(?P<id>[\w-]{1,64})")


def is_built() -> bool:
    """Return whether the page is built."""
    return (FOLDER / "index.html").is_file()


async def _serve(request: Request) -> Response:
    path = request.path_params["path"]
    if path.startswith("api/") or not path.isprintable() or len(path.encode("utf-8", "replace")) > _MOST_PATH_BYTES:
        raise HTTPException(404)
    file = (FOLDER / path).resolve()
    if path and file.is_relative_to(FOLDER.resolve()) and file.is_file():
        is_hashed = path.startswith("assets/")
        return FileResponse(file, headers={"cache-control": _CACHE_FOREVER if is_hashed else _REVALIDATE})
    if "." in path.rpartition("/")[2]:
        raise HTTPException(404)
    if not is_built():
        return HTMLResponse(_UNBUILT, 503)
    if (shared := _SHARED.fullmatch(path)) is not None:
        return HTMLResponse(_with_preview(request, shared["id"]), headers={"cache-control": _REVALIDATE})
    return FileResponse(FOLDER / "index.html", headers={"cache-control": _REVALIDATE})


def _with_preview(request: Request, id: str) -> str:
    """Return the index with what other sites show of a link to a table: a picture of its board (Open Graph).

    Nothing is looked up: a site that wants the picture asks for it, within the limits of pictures.
    """
    step = request.query_params.get("step", "")
    query = f"?step={step}" if step.isascii() and step.isdecimal() and len(step) < 9 else ""
    picture = f"{request.url.scheme}://{request.headers['host']}/api/tables/{id}/picture{query}"
    tags = {
        "og:title": "Quadriga",
        "og:type": "website",
        "og:description": "Race games of antiquity: the Royal Game of Ur, Ave Caesar and Ben Hvrt.",
        "og:image": picture,
        "og:image:width": str(SIZE[0]),
        "og:image:height": str(SIZE[1]),
        "twitter:card": "summary_large_image",
    }
    metas = "".join(f'<meta property="{name}" content="{escape(text)}" />' for name, text in tags.items())
    return (FOLDER / "index.html").read_text("utf-8").replace("</head>", metas + "</head>", 1)


def routes() -> list[BaseRoute]:
    """Return the routes of the page: every path that no other route has."""
    return [Route("/{path:path}", _serve, methods=["GET", "HEAD"])]

"""Serve the page. It is built from `web/` into the folder `page`; its index answers every path of its own."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Route

FOLDER = Path(__file__).parents[1] / "page"
_UNBUILT = (
    "<!doctype html><meta charset=utf-8><title>Quadriga</title>"
    "<p lang=en>This installation has no page. <code>make play</code> builds it.</p>"
    "<p lang=fr>Cette installation n’a pas de page. <code>make play</code> la construit.</p>"
)
_CACHE_FOREVER = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"
_MOST_PATH_BYTES = 200


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
    return FileResponse(FOLDER / "index.html", headers={"cache-control": _REVALIDATE})


def routes() -> list[BaseRoute]:
    """Return the routes of the page: every path that no other route has."""
    return [Route("/{path:path}", _serve, methods=["GET", "HEAD"])]

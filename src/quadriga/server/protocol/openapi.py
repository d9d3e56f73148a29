"""OpenAPI: the bodies and answers of every request."""

from __future__ import annotations

from typing import Any

import msgspec

from quadriga.server.protocol.parts import Refusal
from quadriga.server.protocol.schema import REFERENCE, schemas

Responses = dict[int | str, dict[str, Any]]


def _reference(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def responses(answer: type[msgspec.Struct], *errors: int, status: int = 200) -> Responses:
    """Return the responses of a request: its answer, and errors with the statuses that it or any request has."""
    found: Responses = {status: _json(answer, "Done.")}
    for code in (400, 413, 422, 429, 503, *errors):
        found[code] = _json(Refusal, "Refused, with a code.")
    return found


def text_response(media: str, *errors: int) -> Responses:
    """Return the responses of a request whose answer is not JSON."""
    content = {media: {"schema": {"type": "string"}}}
    return {**responses(Refusal, *errors), 200: {"description": "Done.", "content": content}}


def _json(kind: type[msgspec.Struct], description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": _reference(kind)}}}


def takes(body: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the description of the body of a request."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": _reference(body)}}}}


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """Add our schemas and the bearer token to FastAPI's document."""
    components = document.setdefault("components", {})
    components["schemas"] = schemas()
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return document

"""OpenAPI: the bodies and answers of every request."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import msgspec

from quadriga.server.protocol.parts import Refusal
from quadriga.server.protocol.schema import REFERENCE, schemas

Responses = dict[int, dict[str, Any]]
Paths = dict[str, dict[str, dict[str, Any]]]


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


def operation(
    handler: Callable[..., Any],
    method: str,
    path: str,
    parameters: type[msgspec.Struct],
    responses: Responses,
    body: type[msgspec.Struct] | None,
) -> dict[str, Any]:
    """Return the description of a request: its handler's name and docstring, parameters, body and responses."""
    name = handler.__name__
    found: dict[str, Any] = {
        "summary": name.replace("_", " ").title(),
        "description": inspect.getdoc(handler),
        "operationId": re.sub(r"\W", "_", name + path) + "_" + method.lower(),
    }
    if described := _parameters(parameters, path):
        found["parameters"] = described
    if body is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": _reference(body)}}}
    return {**found, "responses": {str(code): each for code, each in sorted(responses.items())}}


def _parameters(kind: type[msgspec.Struct], path: str) -> list[dict[str, Any]]:
    """Return the descriptions of parameters. Those whose names are in the path are required."""
    _, components = msgspec.json.schema_components([kind])
    return [
        {"name": name, "in": "path", "required": True, "schema": each}
        if f"{{{name}}}" in path
        else {"name": name, "in": "query", "required": False, "schema": each}
        for name, each in components[kind.__name__]["properties"].items()
    ]


def document(paths: Paths, version: str) -> dict[str, Any]:
    """Return the OpenAPI document of all requests."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Quadriga", "version": version},
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }

"""The interface for machines: the types of the wire as schemas, and which request takes and gives what."""

from __future__ import annotations

from typing import Any

import msgspec

from quadriga.server.protocol.messages import Create, File, Inviting, Join, Nothing, Part, Seating, Upload

_REFS = "#/components/schemas/{name}"
_BODIES = (Create, File, Join, Inviting, Seating, Upload, Part, Nothing)
_MESSAGE = {"type": "object", "required": ["en", "fr"], "additionalProperties": {"type": "string"}}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": _REFS.format(name=name)}


_SEAT = _object(
    seat={"type": "integer"},
    called={"type": "object"},
    kind={"enum": ["person", "bot", "open"]},
    name={"type": "string"},
    bot={"type": ["string", "null"]},
    host={"type": "boolean"},
    device={"type": ["integer", "null"]},
    here={"type": "boolean"},
    away={"type": ["integer", "null"]},
    bot_controlled={"type": "boolean"},
    word={"type": "string"},
    vacated={"type": ["object", "null"]},
)
_TABLE = _object(
    id={"type": "string"},
    game={"type": "string"},
    options={"type": "object"},
    public={"type": "boolean"},
    status={"enum": ["waiting", "playing", "paused", "over", "ended", "closed"]},
    seats={"type": "array", "items": _SEAT},
    watching={"type": "integer"},
    rolls={"enum": ["auto", "hand"]},
    clock={"type": ["object", "null"]},
    pace={"type": "integer"},
    dice={"type": "object"},
    votes={"type": "array"},
    scores={"type": ["array", "null"]},
    rematch={"type": ["string", "null"]},
)
SCHEMAS: dict[str, Any] = {
    "Error": _object(**{"code": {"type": "string"}, "with": {"type": "object"}, "text": _MESSAGE}),
    "Table": _TABLE,
    "Health": _object(
        status={"enum": ["ok", "failing"]},
        version={"type": "string"},
        tables={"type": "integer"},
        sockets={"type": "integer"},
    ),
    "Games": _object(games={"type": "array", "items": {"type": "object"}}),
    "Geometry": _object(game={"type": "string"}),
    "Document": _object(document={"type": "object"}),
    "Rules": _object(markdown={"type": "string"}),
    "Words": _object(messages={"type": "object"}),
    "Home": _object(addresses={"type": "array", "items": {"type": "string"}}, shared={"type": "boolean"}),
    "Tables": _object(tables={"type": "array", "items": _ref("Table")}),
    "Seated": _object(table=_ref("Table"), token={"type": "string"}),
    "Joined": _object(table=_ref("Table"), token={"type": "string"}, seats={"type": "array"}),
    "Invitation": _object(table=_ref("Table"), invite={"type": ["string", "null"]}),
    "Fairness": _object(
        commitment={"type": "string"}, seed={"type": "string"}, words={"type": "array"}, events={"type": "array"}
    ),
    "Review": _object(
        review={"type": "string"},
        state={"enum": ["waiting", "running", "done", "failed", "dropped"]},
        done={"type": "integer"},
        total={"type": "integer"},
        result={"type": ["object", "null"]},
        fault={"type": ["object", "null"]},
    ),
    "Record": _object(
        game={"type": "string"},
        options={"type": "object"},
        seats={"type": "array", "items": {"type": "object"}},
        over={"type": "boolean"},
        fair={"type": "boolean"},
        total={"type": "integer"},
        games={"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        geometry=_ref("Geometry"),
    ),
    "Chart": _object(
        total={"type": "integer"},
        points={"type": "array", "items": {"type": "object"}},
        outcomes={"type": "array", "items": {"type": "object", "additionalProperties": {"type": "integer"}}},
    ),
    "Replay": _object(total={"type": "integer"}, first={"type": "integer"}, steps={"type": "array"}),
}


def responses(name: str, *errors: int, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """What a request gives: a named thing, or an error."""
    made: dict[int | str, dict[str, Any]] = {status: _json(_ref(name), "Done.")}
    for code in (400, 413, 422, 429, 503, *errors):
        made[code] = _json(_ref("Error"), "Refused, with a code.")
    return made


def text_response(media: str, *errors: int) -> dict[int | str, dict[str, Any]]:
    """What a request for something else than JSON gives."""
    made = responses("Error", *errors)
    made[200] = {"description": "Done.", "content": {media: {"schema": {"type": "string"}}}}
    return made


def _json(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def takes(body: type[msgspec.Struct]) -> dict[str, Any]:
    """What a request takes."""
    content = {"application/json": {"schema": _ref(body.__name__)}}
    return {"requestBody": {"required": True, "content": content}}


def completed(document: dict[str, Any]) -> dict[str, Any]:
    """FastAPI's document with our schemas and the bearer's token."""
    _, components = msgspec.json.schema_components(_BODIES, ref_template=_REFS)
    parts = document.setdefault("components", {})
    parts["schemas"] = {**SCHEMAS, **components}
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return document

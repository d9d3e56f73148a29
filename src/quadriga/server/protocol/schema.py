"""The JSON schemas of all messages, requests and answers, with descriptions from the docstrings of their fields.

OpenAPI, the tables of `docs/protocol.md` and the page's TypeScript types are made from these schemas.
"""

from __future__ import annotations

import ast
import inspect
from functools import cache
from typing import Any, get_args

import msgspec

from quadriga.server.protocol import (
    answers,
    client_messages,
    leagues,
    lesson_answers,
    lobby,
    mail,
    moderation,
    nights,
    notices,
    oidc,
    parts,
    people,
    ratings,
    replay_answers,
    requests,
    server_messages,
    tournaments,
)

REFERENCE = "#/components/schemas/{name}"
CLIENT_MESSAGES: tuple[type[msgspec.Struct], ...] = get_args(client_messages.ClientMessage)
SERVER_MESSAGES: tuple[type[msgspec.Struct], ...] = get_args(server_messages.ServerMessage)
LIVE_CLIENT_MESSAGES: tuple[type[msgspec.Struct], ...] = lobby.LIVE_CLIENT_MESSAGES
LIVE_SERVER_MESSAGES: tuple[type[msgspec.Struct], ...] = lobby.LIVE_SERVER_MESSAGES

ANSWERS: tuple[type[msgspec.Struct], ...] = (
    replay_answers.Chart,
    lesson_answers.Course,
    answers.Document,
    replay_answers.Fairness,
    answers.Games,
    answers.Geometry,
    answers.Health,
    answers.Home,
    answers.Invitation,
    answers.Joined,
    lesson_answers.PuzzlePart,
    lesson_answers.Puzzles,
    replay_answers.RecordSummary,
    parts.Refusal,
    replay_answers.PastOrders,
    replay_answers.Replay,
    replay_answers.Review,
    replay_answers.ReviewJob,
    answers.Rules,
    answers.Seated,
    parts.Table,
    answers.Tables,
    answers.Words,
    *mail.MAIL_ANSWERS,
    *moderation.MODERATION_ANSWERS,
    *notices.NOTICE_ANSWERS,
    *oidc.OIDC_ANSWERS,
    *people.PEOPLE_ANSWERS,
    *lobby.LOBBY_ANSWERS,
    *nights.NIGHT_ANSWERS,
    *leagues.LEAGUE_ANSWERS,
    *ratings.RATING_ANSWERS,
    *tournaments.TOURNAMENT_ANSWERS,
)
_MODULES = (
    parts,
    requests,
    people,
    ratings,
    lobby,
    mail,
    moderation,
    nights,
    leagues,
    notices,
    answers,
    lesson_answers,
    replay_answers,
    client_messages,
    server_messages,
    tournaments,
)


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Return the schema of every type by its name."""
    messages = (*CLIENT_MESSAGES, *SERVER_MESSAGES, *LIVE_CLIENT_MESSAGES, *LIVE_SERVER_MESSAGES)
    types = dict.fromkeys((*requests.BODIES, *ANSWERS, *messages))
    _, found = msgspec.json.schema_components(types, ref_template=REFERENCE)
    for module in _MODULES:
        for name, kind in inspect.getmembers(module, inspect.isclass):
            if name in found and kind.__module__ == module.__name__ and issubclass(kind, msgspec.Struct):
                _describe(found[name], kind)
    return found


def _describe(schema: dict[str, Any], kind: type[msgspec.Struct]) -> None:
    """Add the docstrings of a type's fields to its schema, those of its bases included."""
    encoded = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith(__package__):
            for name, text in _field_docstrings(base).items():
                schema["properties"][encoded[name]]["description"] = " ".join(text.split())


@cache
def _field_docstrings(kind: type) -> dict[str, str]:
    """Return the string literals that follow the fields of a class, by field."""
    tree = ast.parse(inspect.getsource(kind)).body[0]
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for field, text in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                found[field.target.id] = str(text.value.value)
    return found

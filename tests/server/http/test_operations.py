"""Parameters of requests: checked, converted and described by the types of the handler."""

from __future__ import annotations

import json
from typing import Any

import pytest

from quadriga.server.app import described
from server.support.harness import Server


def parameters() -> dict[str, list[dict[str, Any]]]:
    """Return the described parameters of every request."""
    return {
        f"{method.upper()} {path}": operation.get("parameters", [])
        for path, methods in described().items()
        for method, operation in methods.items()
    }


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/api/games/ur/geometry?seats=101", "seats"),
        ("/api/games/ur/geometry?seats=two", "seats"),
        (f"/api/games/{'u' * 65}/geometry", "game"),
        ("/api/tables/x/replay?seat=-2", "seat"),
        ("/api/tables/x/replay?count=0", "count"),
        ("/api/words/unpronounceable", "language"),
    ],
)
def test_a_parameter_that_is_not_of_its_type_is_refused_by_name(server: Server, path: str, parameter: str):
    status, refused = server.call("GET", path)
    assert (status, refused["code"]) == (422, "wire.field")
    assert f"$.{parameter}" in refused["text"]["en"]


def test_a_parameter_of_the_query_does_not_replace_one_of_the_path(server: Server):
    assert server.call("GET", "/api/games/ur/rules/en?game=none&language=none")[0] == 200


def test_a_number_in_the_query_arrives_as_a_number(server: Server):
    status, refused = server.call("GET", "/api/games/ur/geometry?seats=9")
    assert status == 422
    assert refused["code"] != "wire.field"  # by the game, to which nine is too many


def test_parameters_of_the_path_are_required_and_those_of_the_query_have_defaults():
    for request, found in parameters().items():
        for each in found:
            in_path = f"{{{each['name']}}}" in request
            assert (each["in"], each["required"]) == (("path", True) if in_path else ("query", False)), request
            assert in_path or "default" in each["schema"], request
            assert set(each["schema"]) & {"maxLength", "maximum", "anyOf"}, f"{request} has no limit"
        assert request.count("{") == sum(each["in"] == "path" for each in found), request


def test_every_request_is_described_once_by_an_id_of_its_own():
    ids = [each["operationId"] for methods in described().values() for each in methods.values()]
    assert len(ids) == len(set(ids)) > 20
    document = json.dumps(described())
    assert '"geometry_api_games__game__geometry_get"' in document


def test_a_request_for_the_head_of_an_answer_is_answered(server: Server):
    assert server.call("HEAD", "/api/health")[0] == 200

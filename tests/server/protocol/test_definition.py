"""The definition of the protocol: generated files are current, and the server answers as defined."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from quadriga.server.protocol import answers, client_messages, parts, replay_answers, requests, server_messages
from quadriga.server.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, schemas
from server.support.harness import Server
from support import ROOT

PARTS = "components", "schemas"


def generate(*arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "scripts" / "protocol.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_documentation_and_the_page_s_types_are_current():
    ended = generate("--check")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_generated_files_that_were_edited_are_noticed_and_written_again(tmp_path: Path):
    generated = ["docs/protocol.md", "web/src/lib/server/protocol.ts"]
    before = {}
    for name in ("scripts/protocol.py", *generated):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        before[name] = (ROOT / name).read_text("utf-8")
        (tmp_path / name).write_text(before[name].replace("Take an action.", "Take a nap."), "utf-8")
    ended = generate("--check", root=tmp_path)
    said = [f"{name} is out of date: run scripts/protocol.py" for name in generated]
    assert (ended.returncode, ended.stderr.splitlines()) == (1, said)
    assert generate(root=tmp_path).returncode == 0
    assert all((tmp_path / name).read_text("utf-8") == before[name] for name in generated)


def test_openapi_describes_every_type(server: Server):
    document = server.get("/api/openapi.json")
    assert document["components"]["schemas"] == msgspec.json.decode(msgspec.json.encode(schemas()))
    for body in requests.BODIES:
        used = f'"#/components/schemas/{body.__name__}"'
        assert used in msgspec.json.encode(document["paths"]).decode(), body


def test_every_type_is_described():
    for name, schema in schemas().items():
        assert schema["description"].endswith((".", "`.")), name
    for module in (answers, replay_answers, client_messages, server_messages, parts, requests):
        for kind in vars(module).values():
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__:
                is_base = kind in (client_messages.FromClient, server_messages.FromServer)
                assert is_base or kind.__name__ in schemas(), (
                    f"{kind.__name__} is defined and not part of the protocol"
                )


def test_every_message_has_a_type_of_its_own():
    for types in (CLIENT_MESSAGES, SERVER_MESSAGES):
        tags = [schemas()[kind.__name__]["properties"]["type"]["enum"][0] for kind in types]
        assert len(set(tags)) == len(tags)


def strict(schema: Any, found: Any, where: str) -> None:
    """Assert that everything in an answer is in its schema too."""
    if "$ref" in schema:
        schema = schemas()[schema["$ref"].rpartition("/")[2]]
    if isinstance(found, dict) and "properties" in schema:
        assert set(found) <= set(schema["properties"]), where
        for name, value in found.items():
            strict(schema["properties"][name], value, f"{where}.{name}")
    if isinstance(found, list) and "items" in schema and schema["items"]:
        for value in found:
            strict(schema["items"], value, f"{where}[]")


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/api/health", answers.Health),
        ("/api/games", answers.Games),
        ("/api/home", answers.Home),
        ("/api/words/en", answers.Words),
        ("/api/games/ur/rules/fr", answers.Rules),
        ("/api/tables", answers.Tables),
    ],
)
def test_an_answer_is_of_its_type_and_has_no_other_fields(server: Server, path: str, answer: type[msgspec.Struct]):
    server.create("ur", "me open", public=True)
    found = server.get(path)
    msgspec.convert(found, answer)
    strict(schemas()[answer.__name__], found, answer.__name__)


def test_an_invitation_is_read(server: Server):
    """Every body has a decoder."""
    table, token = server.create("ur", "me bot")
    status, said = server.call("POST", f"/api/tables/{table}/seats/1/invite", {"on": True}, token)
    assert (status, said["code"]) == (409, "seat.kept")

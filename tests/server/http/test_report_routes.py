"""Reports on a real server: listed and shown to this machine, to others only if they are published."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from server.support.harness import Server

LIST_HEADING = {"en": "<h1>Reports</h1>", "fr": "<h1>Rapports</h1>"}


def put(folder: Path, name: str, title: str, age: int) -> None:
    path = folder / name / "report.html"
    path.parent.mkdir(parents=True)
    path.write_text(
        f"<!doctype html><html><head><title>{title}</title></head><body>content of {name}</body></html>"
    )
    os.utime(path, (1_700_000_000 - age,) * 2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    found = tmp_path_factory.mktemp("server") / "reports"
    found.mkdir()
    put(found, "ur-1", "Balance of &lt;Ur&gt;", age=200)
    put(found, "ur-1/against-2", "Two set-ups", age=100)
    (found / "ur-1" / "games.parquet").write_text("data")
    (found.parent / "secret.html").write_text("secret")
    outside = found.parent / "outside"
    put(outside.parent, "outside", "Elsewhere", age=0)
    (found / "linked").symlink_to(outside)
    return found


@pytest.fixture(scope="module")
def server(tmp_path_factory, folder: Path):
    running = Server(tmp_path_factory.mktemp("store") / "tables.sqlite", reports=str(folder)).start()
    yield running
    running.kill()


def fetch(server: Server, path: str, **headers: str):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return urllib.request.urlopen(urllib.request.Request(server.address + path, headers=named))


def test_the_reports_are_listed_newest_first(server: Server):
    text = server.get("/reports")
    assert text.index("/reports/ur-1/against-2") < text.index('/reports/ur-1"')
    assert "Balance of &lt;Ur&gt;" in text
    assert "Elsewhere" not in text


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_list_is_in_the_language_of_the_browser_or_the_chosen_one(server: Server, language: str):
    other = "fr" if language == "en" else "en"
    for path, accepted in (("/reports", f"{language}-CH,{other};q=0.5"), (f"/reports?lang={language}", other)):
        with fetch(server, path, accept_language=accepted) as answer:
            assert LIST_HEADING[language] in answer.read().decode()


def test_a_report_is_shown_and_can_neither_load_nor_run_anything(server: Server):
    for path, content in (("/reports/ur-1", "content of ur-1<"), ("/reports/ur-1/against-2", "against-2<")):
        with fetch(server, path) as answer:
            assert content in answer.read().decode()
            assert answer.headers["content-type"].startswith("text/html")
            policies = answer.headers.get_all("content-security-policy")
            assert len(policies) == 1
            assert "default-src 'none'; style-src 'unsafe-inline';" in policies[0]
            assert "script" not in policies[0]
            assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/reports/linked",
        "/reports/ur-1/games.parquet",
        "/reports/../secret.html",
        "/reports/%2e%2e/secret.html",
        "/reports/..%2fsecret.html",
        "/reports/ur-1/..%2f..%2foutside",
        "/reports//etc/passwd",
        "/reports/" + "x" * 5000,
        "/reports/%00",
    ],
)
def test_only_what_is_listed_can_be_read(server: Server, path: str):
    status, body = server.call("GET", path)
    assert status == 404
    assert "secret" not in str(body)


def test_a_request_through_a_proxy_is_not_of_this_machine(server: Server):
    for path in ("/reports", "/reports/ur-1"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            fetch(server, path, x_forwarded_for="127.0.0.1")
        with refused.value as answer:
            assert answer.code == 403
            assert b"reports.local" in answer.read()


def test_published_reports_are_for_everybody_and_an_empty_folder_says_how_to_make_one(tmp_path: Path):
    published = Server(tmp_path / "tables.sqlite", reports=str(tmp_path / "none"), publish_reports=True).start()
    try:
        with fetch(published, "/reports", x_forwarded_for="203.0.113.7") as answer:
            assert "quadriga lab ur" in answer.read().decode()
    finally:
        published.kill()

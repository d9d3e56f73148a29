"""The steps to a public server: each is found done or not, and says what to do next in both languages."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from quadriga.engine.errors import OptionError
from quadriga.engine.text import catalogues
from quadriga.server.moderation import rules
from quadriga.server.protocol.errors import PACKAGE
from quadriga.server.public import configuration, listing, steps
from quadriga.server.settings import Settings
from quadriga.server.storage import backup_times
from quadriga.server.storage.address import open_store
from quadriga.server.storage.base import now
from server.support.nginx import free_port
from support import ROOT

HERE, ELSEWHERE, HOME = "93.184.216.34", "93.184.216.35", "192.168.1.7"
DAY_MS = 86_400_000


@pytest.mark.parametrize(
    ("found", "own", "key"),
    [
        ([], [HERE], "name-unknown"),
        (["127.0.0.1"], [HERE], "name-private"),
        ([HOME], [HOME], "name-private"),
        ([HERE], [HERE], "name"),
        ([ELSEWHERE], [HERE], "name-elsewhere"),
        ([ELSEWHERE], [HOME], "name-router"),
        ([ELSEWHERE], [], "name-router"),
        (["2606:2800:220:1::7", HERE], [HERE], "name"),
    ],
)
def test_a_name_leads_here_or_elsewhere(found: list[str], own: list[str], key: str):
    step = steps.domain_step("play.test", found, own.__contains__, lambda: own)
    assert (step.key, step.is_done) == (key, key == "name")


def test_an_address_is_of_this_machine_or_not():
    assert steps.is_own("127.0.0.1")
    assert not steps.is_own(HERE)


@contextmanager
def https(certificate: trustme.LeafCert) -> Iterator[tuple[str, int]]:
    """Answer one connection by TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            line, _ = listener.accept()
            with line:
                try:
                    context.wrap_socket(line, server_side=True).close()
                except OSError:
                    return

        thread = threading.Thread(target=answer)
        thread.start()
        yield listener.getsockname()
        thread.join()


@pytest.mark.parametrize(
    ("name", "days", "is_trusted", "key"),
    [
        ("play.test", 60, True, "certificate"),
        ("play.test", 3, True, "certificate-late"),
        ("play.test", 60, False, "certificate-bad"),
        ("other.test", 60, True, "certificate-bad"),
        ("play.test", -1, True, "certificate-bad"),
    ],
)
def test_the_certificate_of_the_proxy_is_checked(name: str, days: int, is_trusted: bool, key: str):
    issuer, trust = trustme.CA(), ssl.create_default_context()
    if is_trusted:
        issuer.configure_trust(trust)
    end = datetime.now(UTC) + timedelta(days=days)
    with https(issuer.issue_cert("play.test", not_before=end - timedelta(days=90), not_after=end)) as at:
        step = steps.certificate_step(name, at, trust)
    assert (step.key, step.is_done) == (key, key == "certificate")


def test_a_proxy_that_does_not_answer_is_missing():
    step = steps.certificate_step("play.test", ("127.0.0.1", free_port()))
    assert (step.key, step.values["reason"]) == ("proxy-silent", "Connection refused")


def test_a_mail_server_answers_or_not_and_its_password_is_not_shown():
    assert steps.mail_step("").key == "no-mail"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        url = f"smtp://ann:secret@127.0.0.1:{port}?from=ann@play.test&tls=none"
        assert steps.mail_step(url).is_done
    step = steps.mail_step(url)
    assert step.key == "mail-silent"
    assert "secret" not in str(step)


def test_backups_and_their_tests_get_old():
    def keys(made: int, restored: int) -> list[str]:
        return [each.key for each in steps.backup_steps({backup_times.MADE: made, backup_times.RESTORED: restored})]

    assert keys(0, 0) == ["no-backup", "no-restore"]
    assert keys(now() - DAY_MS, now() - 10 * DAY_MS) == ["backup", "restore"]
    assert keys(now() - 3 * DAY_MS, now() - 20 * DAY_MS) == ["backup-old", "restore-old"]


async def test_a_store_tells_of_backups_rules_and_pages(tmp_path: Path):
    path, pages = tmp_path / "house store.sqlite", tmp_path / "pages"
    pages.mkdir()
    (pages / "terms.fr.md").write_text("Soyez gentils.")
    settings = Settings(store=path, pages=pages, mail="")
    store = await open_store(path)

    async def found(code: str | None = None) -> list[steps.Step]:
        return (await steps.steps(settings, "play.invalid", code))[3:]  # the others ask the network

    backup, restore, page, access, host = await found("ABCD-EFGH")
    assert [each.key for each in (backup, restore, page, access, host)] == [
        "no-backup",
        "no-restore",
        "no-pages",
        "no-access",
        "no-host",
    ]
    assert page.values["missing"] == "privacy.md, imprint.md"
    say = catalogues.of("en", PACKAGE)
    lines = list(listing.checklist("play.invalid", [backup, host], say))
    assert lines[0] == "play.invalid: 0 of 2 steps to a public server are done."
    assert lines[2].endswith(f"quadriga backup --test-restore FILE --store '{path}'")
    assert "ABCD-EFGH" in lines[4]

    for name in ("privacy", "imprint"):
        (pages / f"{name}.txt").write_text("We keep little.")
    await store.transact(lambda connection: rules.put(connection, rules.Rules(access="members")))
    await store.close()
    for kind in backup_times.KINDS:
        await asyncio.to_thread(backup_times.note, path, kind)
    done = await found()
    assert [each.key for each in done] == ["backup", "restore", "pages", "access-members", "host"]
    assert all(each.is_done for each in done)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_step_has_its_texts(language: str):
    known = catalogues.of(language, PACKAGE)
    values = dict.fromkeys(("name", "addresses", "own", "date", "reason", "host", "port", "missing", "code"), "X")
    source = (ROOT / "src/quadriga/server/public/steps.py").read_text("utf-8")
    keys = {*re.findall(r'Step\("([a-z-]+)", (True|False)', source)}
    assert len(keys) > 12
    for key, is_done in keys:
        assert known(f"public.{key}", **values)
        if is_done == "False":
            assert known(f"public.{key}-next", option="", **values)


@pytest.mark.parametrize(
    "text", ["", "localhost", "https://play.test", "play.test:8000", "play_.test", "-a.test", "10.0.0.1", "a..test"]
)
def test_only_a_full_name_is_the_name_of_a_public_server(text: str):
    with pytest.raises(OptionError):
        configuration.checked_name(text)


def test_a_name_is_written_in_lower_case():
    assert configuration.checked_name("Play.Example.ORG.") == "play.example.org"


@pytest.mark.parametrize("proxy", configuration.PROXIES)
def test_the_configuration_is_that_of_deploy_for_one_server(proxy: str):
    files = configuration.files(proxy, "play.test", "127.0.0.1:8123")
    text = "".join(each.text for each in files)
    assert "play.test" in text
    assert text.count("127.0.0.1:8123") == 1
    assert re.findall(r"play\.example|8001|8002|/etc/quadriga", text) == []


def test_the_files_of_the_proxies_are_in_the_wheel():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for name in re.findall(r'_read\("([A-Za-z.]+)"', Path(configuration.__file__).read_text("utf-8")):
        assert packed[f"deploy/{name}"] == f"quadriga/server/public/deploy/{name}"
        assert (ROOT / "deploy" / name).is_file()

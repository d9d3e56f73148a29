"""The reader's account in a real browser: keep my games, another device, passkeys, my games, profile."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import msgspec

from browser.conftest import ARTEFACTS, Arrive, SeededServer
from browser.people import Person
from browser.test_pages import LANGUAGES, look, visits
from server.support.harness import Server
from server.support.mailbox import Mailbox, mailbox

CODE = "[data-code]"


def becomes_member(person: Person, name: str) -> str:
    """Keep one's games under a name; return the recovery code."""
    page = person.page
    page.goto(person.server.address + "/me")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Keep my games").click()
    code = page.locator(".once .code").inner_text()
    page.get_by_role("button", name="I have written it down").click()
    return code


def test_games_follow_a_person_to_another_device(arrive: Arrive, own: Server) -> None:
    """A guest plays, keeps the games, and goes on with them on a phone, without a token and without a reload."""
    ann = arrive(server=own, name="Ann")
    ann.page.get_by_role("button", name="Play against bots").first.click()
    ann.page.wait_for_url("**/t/*")
    table = ann.page.url.rpartition("/")[2]
    assert ann.waits() == "asked"
    becomes_member(ann, "Ann")
    ann.page.get_by_role("button", name="Show a code").click()
    code = ann.page.locator(CODE).inner_text()
    ann.shot(ARTEFACTS / "account-1280.png")
    phone = arrive(f"/me?code={code}", server=own, width=390, height=844)
    phone.page.get_by_role("button", name="Sign in", exact=True).click()
    phone.page.get_by_role("heading", name="Ann", exact=True).wait_for()
    phone.shot(ARTEFACTS / "account-390.png")
    phone.page.goto(own.address + "/")
    game = phone.page.locator(f"a[href='/t/{table}']")
    assert "Your turn" in game.inner_text()
    game.click()
    assert phone.waits() == "asked"
    phone.plays_by_hand(1)


def finish_games(server: Server) -> None:
    """Write finished games of the only person to the store: every third won, half of them in this year."""
    at = int(time.time() * 1000)
    with closing(sqlite3.connect(str(server.store))) as store, store:
        ((person,),) = store.execute("SELECT id FROM people")
        for n in range(12):
            game, other = ("ur", "Bob") if n % 2 else ("ave-caesar", "Cléopâtre")
            place = 1 + n % 3
            seats = [["person", "Ann", "h", None, place], ["person", other, "o", None, 2 if place == 1 else 1]]
            ended = at - n * 20 * 86_400_000 if n < 6 else 1_600_000_000_000 + n
            store.execute(
                "INSERT INTO games (table_id, game, status, changed, seats) VALUES (?, ?, 'over', ?, ?)",
                (f"t{n}", game, ended, msgspec.json.encode(seats)),
            )
            store.execute(
                "INSERT INTO players (table_id, person_id, holder, game, seats, created, ended, place)"
                " VALUES (?, ?, 'h', ?, 3, ?, ?, ?)",
                (f"t{n}", person, game, ended, ended, place),
            )


def shows_finished(person: Person, count: int) -> None:
    """Wait until the page lists so many finished games."""
    question = "count => document.querySelectorAll('a[href^=\"/replay/\"]').length === count"
    person.page.wait_for_function(question, arg=count)


@LANGUAGES
def test_the_pages_about_people(arrive: Arrive, own: Server, language: str) -> None:
    ann = arrive("/me", server=own, language=language)
    visits(ann, language, "me-guest", "/me", "form")
    visits(ann, language, "games-none", "/games", "h1")
    ann.page.goto(own.address + "/me")
    ann.page.locator("form input").first.fill("Ann")
    ann.page.locator("form button").first.click()
    ann.page.locator(".once .code").wait_for()
    look(ann, "me-recovery", language)
    ann.page.locator(".once button").click()
    ann.page.locator(".flag input").check()
    ann.page.locator("a[href='/people/Ann']").wait_for()
    look(ann, "me-member", language)
    finish_games(own)
    visits(ann, language, "profile", "/people/Ann", ".bar")
    visits(ann, language, "games-finished", "/games", "figure")
    shows_finished(ann, 12)
    ann.page.locator("select").nth(1).select_option("1")
    shows_finished(ann, 4)
    ann.page.locator("input[list]").fill("Bob")
    ann.page.locator("input[list]").press("Enter")
    shows_finished(ann, 2)
    ann.page.locator("input[type=date]").first.fill("2026-01-01")
    shows_finished(ann, 1)
    ann.page.locator("input[type=date]").first.fill("2038-01-01")
    shows_finished(ann, 0)
    look(ann, "games-filtered", language)
    ann.page.locator("form button").click()
    shows_finished(ann, 12)


def test_a_code_by_mail_signs_in(arrive: Arrive, page_built: None, tmp_path: Path) -> None:
    with mailbox() as box:
        own = SeededServer(tmp_path / "tables.sqlite", mail=box.url).start()
        try:
            ann = arrive(server=own)
            becomes_member(ann, "Ann")
            reads_code(ann, box, "Keep this address")
            ann.page.get_by_role("button", name="Delete this address").wait_for()
            ann.shot(ARTEFACTS / "mail-1280.png")
            phone = arrive("/me", server=own, width=390, height=844)
            reads_code(phone, box, "Sign in")
            phone.page.get_by_role("heading", name="Ann", exact=True).wait_for()
        finally:
            own.kill()


def reads_code(person: Person, box: Mailbox, action: str) -> None:
    """Have a code sent, read the e-mail, and type the code."""
    person.page.get_by_label("E-mail address").filter(visible=True).first.fill("ann@example.org")
    person.page.get_by_role("button", name="Send a code").filter(visible=True).first.click()
    _, message = box.next()
    person.page.get_by_label("Code from the e-mail").filter(visible=True).first.fill(message["Subject"].split()[0])
    person.shot(ARTEFACTS / f"mail-{action.split()[0]}.png")
    person.page.get_by_role("button", name=action, exact=True).last.click()


def test_a_passkey_signs_in(arrive: Arrive, own: Server) -> None:
    """On `localhost` browsers make passkeys without TLS. The authenticator is Chromium's virtual one."""
    address = own.address.replace("127.0.0.1", "localhost")
    ann = arrive(server=own)
    devtools = ann.page.context.new_cdp_session(ann.page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    ann.page.goto(address + "/me")
    ann.page.get_by_label("Name").fill("Ann")
    ann.page.get_by_role("button", name="Keep my games").click()
    ann.page.get_by_role("button", name="Add a passkey").click()
    ann.page.get_by_role("button", name="Revoke").wait_for()
    ann.page.get_by_role("button", name="Sign out").click()
    ann.page.get_by_role("button", name="Sign in with a passkey").click()
    ann.page.get_by_role("heading", name="Ann", exact=True).wait_for()

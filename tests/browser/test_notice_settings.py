"""Notices on the page: settings, and what the installed page shows and opens when a push comes."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from browser.conftest import Arrive, SeededServer
from browser.people import PATIENCE
from browser.test_account import becomes_member
from browser.test_pages import LANGUAGES, look
from server.support.harness import Server
from server.support.mailbox import Mailbox, mailbox

_WRITE_DOWN = """() => {
  self.shown = [];
  self.counted = [];
  self.registration.showNotification = async (...what) => void self.shown.push(what);
  navigator.setAppBadge = async (count) => void self.counted.push(count);
}"""
_CLICK = """() => {
  const click = new ExtendableEvent('notificationclick');
  click.notification = { data: self.shown[0][1].data, close: () => void (self.isClosed = true) };
  click.waitUntil = (opened) => void opened.catch(() => null);
  self.dispatchEvent(click);
}"""

_NO_ANSWER = """
Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
Notification.requestPermission = async () => 'granted';
PushManager.prototype.subscribe = () => new Promise(() => undefined);
"""


@LANGUAGES
def test_a_member_chooses_where_and_when_to_be_told(
    arrive: Arrive, page_built: None, tmp_path: Path, language: str
) -> None:
    with mailbox() as box:
        told_by_mail_and_webhook(arrive, box, tmp_path, language)


def told_by_mail_and_webhook(arrive: Arrive, box: Mailbox, folder: Path, language: str) -> None:
    server = SeededServer(folder / "tables.sqlite", notice_private=1, mail=box.url).start()
    ann = arrive("/me", server=server, language=language)
    ann.page.locator("form input").first.fill("Ann")
    ann.page.locator("form button").first.click()
    ann.page.locator(".once button").click()
    part = ann.page.locator("section[aria-labelledby=notices]")
    part.locator("summary").first.click()
    part.locator("input[type=email]").fill("ann@example.org")
    part.locator("form button").first.click()
    code = str(box.next()[1]["Subject"]).split()[0]
    part.locator("input[inputmode=numeric]").fill(code)
    part.locator("form button.primary").click()
    part.locator("li").get_by_text("ann@example.org", exact=True).wait_for()
    part.locator("li button").first.click()
    stop = re.search(r"/stop\?token=\S+", box.next()[1].get_content())
    assert stop is not None
    part.locator("summary").last.click()
    part.locator("input[type=url]").fill("https://discord.com/api/webhooks/1/secret")
    assert part.locator("form select").input_value() == "discord"
    part.locator("form button").last.click()
    part.locator("li").get_by_text("discord.com", exact=True).wait_for()
    quiet = part.locator("fieldset .line input").nth(6)
    quiet.check()
    part.locator("fieldset select").nth(1).select_option("21")
    look(ann, "me-notices", language)
    ann.page.reload()
    part.locator("fieldset").wait_for()
    assert quiet.is_checked()
    assert [part.locator("fieldset select").nth(each).input_value() for each in (1, 2)] == ["21", "8"]
    part.locator("li button").last.click()
    part.locator("li").nth(1).wait_for(state="detached")
    ann.visit(stop[0])
    ann.page.locator("h1 + [role=status] p").get_by_text("notices" if language == "en" else "avis").wait_for()
    look(ann, "stop", language)
    assert server.call("POST", f"/api{stop[0].replace('/stop', '/notices/stop')}")[1]["code"] == "notice.stop"
    server.kill(signal.SIGTERM)


def test_a_push_is_shown_and_leads_to_its_table(browser: Browser, server: Server) -> None:
    """The browser of the tests has no push service and shows no notifications.

    Its developer tools deliver the push, and what the worker would show is written down. The click on it is made by
    the test: the worker finds and moves a window for it as for a real one, but may not bring it to the front.
    """
    address = server.address.replace("127.0.0.1", "localhost")
    context = browser.new_context(permissions=["notifications"])
    page = context.new_page()
    page.goto(address)
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    (worker,) = context.service_workers
    worker.evaluate(_WRITE_DOWN)
    tools: Any = context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    tools.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    told = {"body": "A game waits for you.", "path": "/t/abc", "tag": "abc", "waiting": 2}
    pushed = {"origin": address, "registrationId": found[0]["registrationId"], "data": json.dumps(told)}
    tools.send("ServiceWorker.deliverPushMessage", pushed)
    while not (shown := worker.evaluate("() => self.shown")):
        page.wait_for_timeout(20)
    assert shown == [["Quadriga", {"body": told["body"], "tag": "abc", "data": "/t/abc", "icon": "/icon-192.png"}]]
    assert worker.evaluate("() => self.counted") == [2]
    game = context.new_page()
    game.goto(f"{address}/t/another")
    game.evaluate("async () => { await navigator.serviceWorker.ready }")
    worker.evaluate(_CLICK)
    page.wait_for_url("**/t/abc")
    assert worker.evaluate("() => self.isClosed")
    assert game.url.endswith("/t/another")  # a window with a game is left alone
    context.close()


def test_a_browser_whose_push_service_does_not_answer_is_not_waited_for(browser: Browser, own: Server) -> None:
    """Chromium without a network tries for ever to subscribe."""
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(_NO_ANSWER)
    page = context.new_page()
    page.clock.install()
    page.goto(own.address.replace("127.0.0.1", "localhost") + "/me")
    page.get_by_label("Name").fill("Ann")
    page.get_by_role("button", name="Keep my games").click()
    page.get_by_role("button", name="I have written it down").click()
    box = page.get_by_label("On this device")
    box.click()
    page.get_by_text("Asking your browser’s push service").wait_for()
    page.clock.run_for(21_000)
    page.get_by_text("does not answer").wait_for()
    assert not box.is_checked()
    context.close()


def test_why_this_device_cannot_be_told_is_said(arrive: Arrive, own: Server) -> None:
    ann = arrive(server=own)
    ann.context.add_init_script("Object.defineProperty(window, 'isSecureContext', { get: () => false })")
    becomes_member(ann, "Ann")
    ann.page.get_by_text("this address has no https").wait_for()


def test_games_are_read_without_a_network_as_they_were_seen_last(browser: Browser, own: Server) -> None:
    address = own.address.replace("127.0.0.1", "localhost")
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.evaluate("async () => { await navigator.serviceWorker.ready }")
    page.reload()  # now through the worker
    page.get_by_role("button", name="Play against bots").first.click()
    page.wait_for_url("**/t/*")
    page.locator(".table[data-number]").wait_for()
    table = page.url.rpartition("/")[2]
    page.goto(address)
    page.locator(f"a[href='/t/{table}']").wait_for()
    own.kill()
    page.goto(address)
    page.locator(f"a[href='/t/{table}']").click()
    page.get_by_text("No connection. You see the position of").wait_for()
    assert page.locator("svg").count() > 1
    context.close()

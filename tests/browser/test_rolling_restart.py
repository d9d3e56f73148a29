"""A rolling restart while somebody plays in a browser: the page goes on at another process by itself."""

from __future__ import annotations

import signal

import pytest

from browser.conftest import Arrive
from server.support.cluster import processes
from server.support.services import shared_postgres, shared_redis

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: NOT RUN").expect

_WATCH = """() => {
  window.longest = 0;
  let since = 0;
  const look = () => {
    const lost = document.querySelector('.lost') !== null;
    if (lost && !since) since = performance.now();
    if (!lost && since) { window.longest = Math.max(window.longest, performance.now() - since); since = 0; }
    requestAnimationFrame(look);
  };
  look();
}"""


def test_the_game_goes_on_while_every_server_is_restarted(
    arrive: Arrive, page_built: None, record_property: pytest.RecordProperty
):
    with processes(2, shared_postgres(), shared_redis(), drain=0.5) as where:
        table, token = where.front.create("ur", "me bot", options={"rules": "ben"})
        ann = arrive("/", server=where.front)
        ann.sits_at(table, token)
        assert ann.waits() == "asked"
        ann.page.evaluate(_WATCH)
        board = ann.page.locator(".table")
        for server in where.servers:
            before = board.get_attribute("data-number") or ""
            server.kill(signal.SIGTERM)  # returns when it has ended
            assert ann.waits() == "asked"
            ann.clicks()  # the move goes to another process, over a new socket
            expect(board).not_to_have_attribute("data-number", before)
            assert ann.waits() == "asked"
            server.start()
        longest = ann.page.evaluate("() => window.longest")
        record_property("longest_ms", longest)
        print(f"the page was without a connection for at most {longest:.0f} ms")
        assert longest > 0  # one of them had the table
        expect(ann.page.get_by_role("alert")).to_have_count(0)

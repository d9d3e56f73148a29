"""A rolling restart while somebody plays in a browser: the page goes on at another process by itself."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from browser.conftest import Arrive
from server.support.cluster import processes
from server.support.services import shared_postgres, shared_redis

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: NOT RUN").expect

# Notes for every socket when it was opened and closed and when the server answered, and whether a notice was shown.
_WATCH = """
  window.sockets = [];
  window.wasTold = false;
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    constructor(...given) {
      super(...given);
      const noted = { opened: performance.now(), answered: 0, closed: 0 };
      window.sockets.push(noted);
      this.addEventListener('message', () => { noted.answered ||= performance.now(); });
      this.addEventListener('close', () => { noted.closed = performance.now(); });
    }
  };
  new MutationObserver(() => { window.wasTold ||= document.querySelector('.lost') !== null; })
    .observe(document, { childList: true, subtree: true });
"""
_GAPS = """() => {
  const answered = window.sockets.filter((each) => each.answered);
  return answered.slice(1).map((each, n) => each.answered - answered[n].closed);
}"""


def test_the_game_goes_on_while_every_server_is_restarted(
    arrive: Arrive, page_built: None, record_property: Callable[[str, object], None]
):
    with processes(2, shared_postgres(), shared_redis(), drain=0.5) as where:
        table, token = where.front.create("ur", "me bot", options={"rules": "ben"})
        ann = arrive("/", server=where.front)
        ann.page.add_init_script(_WATCH)
        ann.sits_at(table, token)
        assert ann.waits() == "asked"
        board = ann.page.locator(".table")
        for server in where.servers:
            before = board.get_attribute("data-number") or ""
            server.kill(signal.SIGTERM)  # returns when it has ended
            assert ann.waits() == "asked"
            ann.clicks()  # the move goes to another process, over a new socket
            expect(board).not_to_have_attribute("data-number", before)
            assert ann.waits() == "asked"
            server.start()
        gaps = ann.page.evaluate(_GAPS)
        assert gaps  # one of them had the table
        record_property("longest_ms", max(gaps))
        print(f"the page was without a connection for at most {max(gaps):.0f} ms")
        if max(gaps) < 900:  # the page waits a second before it says so
            assert ann.page.evaluate("() => window.wasTold") is False
        expect(ann.page.get_by_role("alert")).to_have_count(0)

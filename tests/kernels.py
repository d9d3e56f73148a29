"""Compile what several test processes need, once, before they need it at the same time.

That is what `quadriga warmup` compiles, without studies of searching bots: only `make soak` plays those.
"""

from __future__ import annotations

from quadriga.engine.kernels.compiler import Request, compile_all
from quadriga.games import find, ids
from quadriga.lab.study.counted_games import no_search, play_counted
from quadriga.lab.warmup import entry_points
from quadriga.players.search.think import think


def is_needed(request: Request) -> bool:
    """Return whether `make test` runs an entry point."""
    return request.function is not play_counted or request.bindings[think] is no_search


if __name__ == "__main__":
    compile_all([request for game in ids() for request in entry_points(find(game)) if is_needed(request)])

"""Review some games of a study: how much of their result was luck."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import msgspec

from quadriga.engine.kernels.compiler import Report
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.dice import Outcome
from quadriga.engine.match.match import Match
from quadriga.games import find
from quadriga.lab.executors.chunks import Chunk
from quadriga.lab.review.review import review
from quadriga.lab.study import schema
from quadriga.lab.study.counted_games import CountedGames
from quadriga.lab.study.data_tables import filled, need_polars
from quadriga.lab.study.plan import StudyPlan

if TYPE_CHECKING:
    import polars as pl

_LONGEST = 1 << 20  # actions and outcomes of a game


class ReviewJob(msgspec.Struct, frozen=True):
    """The reviews of a study, for an executor. A chunk is one game."""

    plan: StudyPlan
    is_compiled: bool

    def start(self, report: Report | None = None) -> Callable[[Chunk], dict[str, pl.DataFrame]]:
        """Return a function that plays a game again and reviews it."""
        need_polars()
        plan = self.plan
        games = _logged_games(plan, self.is_compiled, report)
        table = next(each for each in schema.tables(find(plan.game)) if each.name == "reviews")

        def judge(chunk: Chunk) -> dict[str, pl.DataFrame]:
            match = _match(plan, games, chunk.first)
            found = review(match, playouts=plan.playouts, seed=plan.seed + chunk.first, report=report)
            names = plan.lineups[chunk.first % len(plan.lineups)]
            rows = [
                {
                    "game": chunk.first,
                    "player": names[side.seat],
                    "playouts": plan.playouts,
                    **msgspec.to_builtins(side),
                }
                for side in found.sides
            ]
            columns = {column.name: [row[column.name] for row in rows] for column in table.columns}
            return {"reviews": filled(table, columns)}

        return judge


def replayed(plan: StudyPlan, number: int, *, compiled: bool | None = None) -> Match:
    """Return a game of a study as a match with all its entries."""
    return _match(plan, _logged_games(plan, compiled, None), number)


def _logged_games(plan: StudyPlan, compiled: bool | None, report: Report | None) -> CountedGames:
    game = find(plan.game)
    return CountedGames(
        game,
        plan.options,
        plan.seats,
        plan.bots,
        longest=_LONGEST,
        compiled=compiled,
        report=report,
    )


def _match(plan: StudyPlan, games: CountedGames, number: int) -> Match:
    games.play(plan.seed, number, 1)
    actions = iter(games.log[1 : games.log[0] + 1].tolist())
    match = Match(find(plan.game), plan.options, plan.seats)
    while not match.over:
        _append(match, actions)
    return match


def _append(match: Match, actions: Iterator[int]) -> None:
    """Append the next entry: an outcome, or a decision with all its pieces."""
    game, t, s, action = match.game, match.t, match.s, next(actions)
    if match.actor == CHANCE:
        match.apply_outcome(Outcome(game.notation.text(t, s, action), 1, action))
        return
    after, pieces = s.copy(), [action]
    game.rules.step(t, after, action)
    while game.notation.is_unfinished(t, after):
        pieces.append(next(actions))
        game.rules.step(t, after, pieces[-1])
    text = game.notation.write(t, s, pieces)
    match.append_unchecked(match.actor, text, tuple(match.actions()), tuple(pieces))

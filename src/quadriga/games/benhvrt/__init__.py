"""Ben Hvrt: auction, cards and a dice chariot race."""

from __future__ import annotations

from typing import Any

from quadriga.engine.game import Game
from quadriga.games.benhvrt.actions import ACTIONS
from quadriga.games.benhvrt.deck import KINDS
from quadriga.games.benhvrt.notation import compose, compound, roller, section, text, unfinished
from quadriga.games.benhvrt.options import OPTIONS, agree, new, shorthand
from quadriga.games.benhvrt.rules import turn
from quadriga.games.benhvrt.state import SEATS, State, Tables
from quadriga.engine.kernel import kernel, Shorts
@kernel
def observe(t: Tables, s: State, seat: int, out: Shorts) -> None:
    out[0]=0

GAME = Game(
    id="ben-hvrt", version=1, package=__name__, least=2, most=SEATS, options=OPTIONS, agree=agree, tables=Tables, state=State,
    new=new, actor=turn.actor, legal=turn.legal, outcomes=turn.outcomes, step=turn.step, scores=turn.scores, observe=observe,
    actions=ACTIONS, most_legal=640, most_outcomes=KINDS, observation=lambda seats: 1,
    text=text, roller=roller, section=section, unfinished=unfinished, compose=compose, compound=compound,
    view=lambda t,s,seat: None, draw=lambda t,v,w: None, explain=lambda t,s,a: [], shorthand=shorthand,
)

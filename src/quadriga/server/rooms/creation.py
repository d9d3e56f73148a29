"""The set-up of a new room."""

from __future__ import annotations

import secrets

from quadriga.engine.match import options as opts
from quadriga.engine.match.dice import SEED_BYTES
from quadriga.games import find
from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.requests import Create
from quadriga.server.state.events import Setup


def setup_of(asked: Create, host: str) -> Setup:
    """Return the set-up of a new room. Raises QuadrigaError if its parts do not go together."""
    game = find(asked.game)
    options, seats = game.resolve_options(asked.options, len(asked.seats))
    if asked.days is not None and asked.clock is not None:
        raise RoomError("days.clock", 422)
    if asked.undo and game.windows:
        raise RoomError("undo.windows", 422)
    if (asked.dice.kind == "seeded") != (asked.dice.seed is not None):
        raise RoomError("dice.seed", 422)
    return Setup(
        game=game.id,
        version=game.version,
        options=opts.chosen(game.options, options, asked.options, seats),
        seats=seats,
        public=asked.public,
        rolls=asked.rolls,
        clock=asked.clock,
        pace=asked.pace,
        beat=asked.beat,
        undo=asked.undo,
        days=asked.days,
        dice=asked.dice.kind,
        seed=dice_seed(asked.dice.seed),
        bot_seed=bot_seed(),
        host=host,
    )


def dice_seed(seed: int | None) -> str:
    """Return the secret of fair dice, or a seed that was set, as the set-up has it."""
    return secrets.token_hex(SEED_BYTES) if seed is None else str(seed)


def bot_seed() -> int:
    """Return the seed of the bots of a room."""
    return secrets.randbits(40)

"""Bots: anything that chooses actions, and those that are found by name, which also give hints."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from quadriga import players
from quadriga.engine.errors import IllegalActionError
from quadriga.engine.match.entry import Action
from quadriga.engine.match.match import Match
from quadriga.players.analysis import Considered, Considers
from quadriga.players.perspective import Perspective, Player


@runtime_checkable
class Bot(Protocol):
    """A bot: any object with a method `choose`.

    >>> import quadriga
    >>> class First:
    ...     def choose(self, match):
    ...         return match.legal()[0]
    >>> isinstance(First(), quadriga.Bot), isinstance(quadriga.bot("greedy"), quadriga.Bot)
    (True, True)
    """

    def choose(self, match: Match, /) -> Action:
        """Return a legal action for the seat to decide.

        >>> import quadriga
        >>> bots: list[quadriga.Bot] = [quadriga.bot("greedy"), quadriga.bot("random")]
        >>> match = quadriga.new("ur", seed=1)
        >>> bots[match.actor].choose(match) in match.legal()
        True
        """
        ...


class NamedBot:
    """A bot that plays for the seat to decide, with no more than that seat may see.

    >>> import quadriga
    >>> match = quadriga.new("ur", seed=1, markers=1)
    >>> greedy, easy = quadriga.bot("greedy"), quadriga.bot("random")
    >>> while not match.over:
    ...     _ = match.push((greedy if match.actor == 0 else easy).choose(match))
    >>> match.winner in (0, 1)
    True
    """

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.seed = seed
        self._players: dict[str, Player] = {}

    def choose(self, match: Match) -> Action:
        """Return the action that the bot takes now. The match does not change.

        >>> import quadriga
        >>> quadriga.bot("greedy").choose(quadriga.new("ur", seed=1))
        '3-5'
        """
        return self._player(match).decide(Perspective(match))

    def hints(self, match: Match) -> list[Considered]:
        """Return the actions that the bot has evaluated, best first; empty if it does not compare actions.

        >>> import quadriga
        >>> best = quadriga.bot("search:20", seed=1).hints(quadriga.new("ur", seed=1))[0]
        >>> best.text, 0 < best.chance < 1
        ('0-2', True)
        """
        player = self._player(match)
        return player.consider(Perspective(match)) if isinstance(player, Considers) else []

    def _player(self, match: Match) -> Player:
        if match.actor < 0:
            raise IllegalActionError("action.over" if match.over else "action.nobody", text=self.name)
        game = match.game
        if game.id not in self._players:
            self._players[game.id] = players.find(self.name, game, self.seed)
        return self._players[game.id]

    def __repr__(self) -> str:
        return f"<Bot {self.name}>"

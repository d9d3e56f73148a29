"""Bots of other people: their errors are told apart from those of Quadriga, with the file and line of each."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from quadriga.engine.errors import IllegalActionError, PlayerError, QuadrigaError
from quadriga.engine.game import Game
from quadriga.players.analysis import Considered, Considers
from quadriga.players.perspective import Perspective, Player

_OWN = Path(__file__).parents[1]  # the package
_FEW = 12  # legal actions that a sentence names


def _place_of_code(thing: object) -> str:
    """Return the file and line at which a function, or the one that makes objects of a class, begins; else "-"."""
    thing = thing.__init__ if isinstance(thing, type) else thing  # type: ignore[misc]
    code = getattr(inspect.unwrap(getattr(thing, "__func__", thing)), "__code__", None)  # type: ignore[arg-type]
    return f"{code.co_filename}:{code.co_firstlineno}" if code is not None else "-"


def place_of(fault: BaseException, called: object = None) -> str:
    """Return the file and line of an error: the last line in a file of other people, else of what was called."""
    if isinstance(fault, SyntaxError) and fault.filename:
        return f"{fault.filename}:{fault.lineno}"
    frames = traceback.extract_tb(fault.__traceback__)
    others = [frame for frame in frames if not Path(frame.filename).is_relative_to(_OWN)]
    return f"{others[-1].filename}:{others[-1].lineno}" if others else _place_of_code(called)


def reason_of(fault: BaseException) -> str:
    """Return the kind and the text of an error."""
    text = fault.msg if isinstance(fault, SyntaxError) else str(fault)
    return f"{type(fault).__name__}: {text}" if text else type(fault).__name__


def _takes_nothing(factory: Callable[..., Any]) -> bool:
    """Return whether a class or function can only be called without arguments."""
    try:
        signature = inspect.signature(factory)
    except (TypeError, ValueError):
        return False
    try:
        signature.bind(None, "", 0, 0)
    except TypeError:
        return not signature.parameters
    return False


def make(name: str, factory: Callable[..., Any], game: Game, parameters: str, seed: int, number: int) -> Player:
    """Return the player of a factory, which takes four arguments or none. Raises PlayerError if it makes none."""
    try:
        made = factory() if _takes_nothing(factory) else factory(game, parameters, seed, number)
    except QuadrigaError:
        raise  # a parameter that the bot refuses
    except Exception as fault:
        raise PlayerError(
            "player.made", name=name, place=place_of(fault, factory), reason=reason_of(fault)
        ) from fault
    if not callable(getattr(made, "decide", None)):
        raise PlayerError("player.method", name=name, kind=type(made).__name__)
    kind = ConsideringPlayer if isinstance(made, Considers) else ForeignPlayer
    return kind(name, cast("Player", made))


class ForeignPlayer:
    """A player of another package or file. What goes wrong in it is a PlayerError."""

    def __init__(self, name: str, player: Player) -> None:
        self.name, self.player = name, player

    def decide(self, observed: Perspective) -> str:
        """Return the action that the player chooses. Raises PlayerError if it fails or the action is not legal."""
        try:
            text = self.player.decide(observed)
        except Exception as fault:
            raise self._failed(fault) from fault
        try:
            observed.check(text)
        except IllegalActionError:
            legal = [*observed.actions()]
            shown = ", ".join(legal[:_FEW]) + (", …" if len(legal) > _FEW else "")
            place = _place_of_code(self.player.decide)
            raise PlayerError("player.answer", name=self.name, place=place, answer=text, legal=shown) from None
        return text

    def _failed(self, fault: Exception) -> PlayerError:
        return PlayerError("player.failed", name=self.name, place=place_of(fault), reason=reason_of(fault))


class ConsideringPlayer(ForeignPlayer):
    """A player of another package or file that also analyses actions."""

    def consider(self, observed: Perspective) -> list[Considered]:
        """Return the player's analysis. Raises PlayerError if it fails."""
        assert isinstance(self.player, Considers)
        try:
            return self.player.consider(observed)
        except Exception as fault:
            raise self._failed(fault) from fault

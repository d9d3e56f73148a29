"""The notation of Ben Hvrt: cards by name, chariots by number, squares as LANE.INDEX."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quadriga.engine.errors import IllegalActionError
from quadriga.engine.game import NOBODY
from quadriga.engine.parts.display import OPEN, SILENT, VEILED
from quadriga.games.benhvrt.actions import (
    ACCEPT,
    BID,
    BRIBE,
    BUY,
    DECLINE,
    DIGIT,
    DIGITS,
    DROP,
    ENOUGH,
    FIT,
    KEEP,
    KEEP_DIE,
    NAME,
    OFFER,
    ON,
    PASS,
    PLAY,
    READY,
    SELL,
    STEP,
    STOP,
    TO,
    USE,
    WAYS,
)
from quadriga.games.benhvrt.deck import PACKAGE
from quadriga.games.benhvrt.deck.operations import CHARIOT, NOTHING, PAIR, RIVAL, WINDOWS
from quadriga.games.benhvrt.rules.chariots import owner
from quadriga.games.benhvrt.rules.hidden import is_building_offer, public_actor, visible_window
from quadriga.games.benhvrt.rules.phases.maintenance import chariot_in_turn, due_item
from quadriga.games.benhvrt.rules.turn import is_dealing
from quadriga.games.benhvrt.state import (
    ALL_WINDOWS,
    AUCTION,
    CHANCE,
    DEAL,
    DRAW,
    MOST_WINDOWS,
    MOVING,
    PLAYED,
    SHIFT,
    WINDOW,
    State,
    Tables,
)

_NUMBERS = re.compile(r"(?: \d+)+$")
_WORDS = {
    PASS: "pass",
    READY: "ready",
    BUY: "buy",
    SELL: "auction",
    BID: "bid",
    ACCEPT: "accept",
    DECLINE: "decline",
    STOP: "stop",
    OFFER: "offer *",
    BRIBE: "bribe *",
    ENOUGH: "enough",
}
HIDDEN_WINDOWS = ("PR", "RO", "PB", "PA", "BM", "RE")
_OFFER = re.compile(r"offer (\d{1,2}) give (.+) for (.+)")
_BRIBE = re.compile(r"bribe (\d{1,2}) (.+)")
_BRIBED = re.compile(r"(?: (\d{1,2}))? (\d{1,4})")  # a chariot, where the card takes one, and money


def text(t: Tables, s: State, action: int, first: int = 0) -> str:
    """Return the notation of an action or an outcome. The pieces of an offer have their own words.

    Seats and chariots are counted from `first`: from 0 in files and messages, from 1 where people read them.
    """
    if s.asked == CHANCE:
        return _chance(t, s, action)
    if action in _WORDS:
        return _WORDS[action]
    if action in (KEEP, DROP):
        return (
            f"{'keep' if action == KEEP else 'drop'} {t.cards[due_item(t, s)].name} {chariot_in_turn(t, s) + first}"
        )
    if action < USE:
        return f"keep-die {action - KEEP_DIE + 1}"
    if action < FIT:
        return f"use {t.cards[action - USE].name}"
    if action < STEP:
        kind, which = divmod(action - FIT, 2)
        return f"fit {t.cards[kind].name} {s.asked + which * t.seats + first}"
    if action < PLAY:
        word = "shift" if s.task[s.depth - 1] == SHIFT else "step"
        return f"{word} {t.track.squares[action - STEP].text}"
    if action < TO:
        return _play(t, s, action, first)
    if action < NAME:
        return f"to {action - TO + first}"
    if action < ENOUGH:
        return f"name {t.cards[action - NAME].name}"
    return f"digit {action - DIGIT}" if action < ON else f"on {action - ON + first}"


def shown_text(t: Tables, s: State, actions: Sequence[int]) -> str:
    """Return the notation of an action as the terminal shows it: seats and chariots are counted from 1."""
    return text(t, s, actions[0], 1) if len(actions) == 1 else format_compound(t, s, actions, 1)


def parse_shown(t: Tables, s: State, typed: str) -> str:
    """Return an offer or a bribe that was typed in any case, with seats and chariots from 1, as notation."""
    written = _spelled(t, typed)
    pieces = parse_compound(t, s, written, 1)
    return written if pieces is None else format_compound(t, s, pieces)


def target(t: Tables, s: State, action: int) -> str | None:
    """Return the square that a step or shift leads to."""
    return t.track.squares[action - STEP].text if STEP <= action < PLAY and s.asked != CHANCE else None


def _spelled(t: Tables, typed: str) -> str:
    """Return an offer or a bribe that was typed in any case, with the words and names of the notation."""
    if typed[:6].casefold() not in ("offer ", "bribe "):
        return typed
    text = re.sub(r"\b(offer|bribe|give|for|nothing)\b", lambda found: found[0].lower(), typed, flags=re.IGNORECASE)
    for card in sorted(t.cards, key=lambda card: -len(card.name)):
        text = re.sub(rf"(?<!\w){re.escape(card.name)}(?!\w)", card.name, text, flags=re.IGNORECASE)
    return text


def _chance(t: Tables, s: State, outcome: int) -> str:
    if not is_dealing(s):
        return f"die {outcome}"
    word = "turn" if s.task[s.depth - 1] == AUCTION else "deal"
    return f"{word} {t.cards[outcome].name}"


def _play(t: Tables, s: State, action: int, first: int) -> str:
    kind, arg = divmod(action - PLAY, WAYS)
    card = t.cards[kind]
    if card.takes == NOTHING:
        return f"play {card.name}"
    if card.takes == PAIR:
        return f"play {card.name} {arg // 2 + first} {s.asked + arg % 2 * t.seats + first}"
    return f"play {card.name} {arg + first}"


def roller(t: Tables, s: State) -> int:
    """Return the seat of a die or card. Caligula's lap die belongs to no seat."""
    top = s.depth - 1
    task = s.task[top]
    if task in (DEAL, DRAW, AUCTION):
        return s.seat[top]
    if task in (MOVING, PLAYED):
        return owner(t, s.mover)
    return NOBODY if s.rollers == 0 else (s.rollers & -s.rollers).bit_length() - 1


def section(t: Tables, s: State) -> dict[str, object] | None:
    """Return the heading of a race in a record."""
    return {"race": s.race + 1, "laps": s.laps} if s.laps else None


def is_unfinished(t: Tables, s: State) -> bool:
    """Return whether an offer or a bribe is half-built."""
    return bool(s.building) or is_building_offer(s)


def is_dice_roll(t: Tables, s: State) -> bool:
    """Return whether the outcome due is a chariot's die, which its player rolls."""
    return s.task[s.depth - 1] in (MOVING, PLAYED)


def secrecy(t: Tables, s: State, action: int) -> int:
    """Return VEILED for dealt cards and offers, SILENT for a pass in a reaction window (BH-7.4), else OPEN."""
    if s.asked == CHANCE:
        return VEILED if is_dealing(s) and s.task[s.depth - 1] != AUCTION else OPEN
    if action == PASS and hides_actor(t, s):
        return SILENT
    return VEILED if action == OFFER else OPEN


def window(t: Tables, s: State) -> str | None:
    """Return the window in which the actor is asked, if any."""
    top = s.depth - 1
    return WINDOWS[s.window[top]] if s.task[top] == WINDOW else None


def hides_actor(t: Tables, s: State) -> bool:
    """Return whether the actor is hidden: in a window, except for a Driver's choice, which is public (BH-7.4)."""
    if s.task[s.depth - 1] != WINDOW:
        return False
    return visible_window(t, s, NOBODY) == 0 or public_actor(t, s) < 0


def mover(t: Tables, s: State) -> int:
    """Return the seat whose chariot moves, or NOBODY."""
    is_moving = any(s.task[place] == MOVING for place in range(s.depth))
    return owner(t, s.mover) if is_moving else NOBODY


def race_number(t: Tables, s: State) -> int:
    """Return the number of the race, from 0."""
    return s.race


def ask_all(t: Tables, every: bool) -> None:
    """BH-7.4: let windows also ask seats that can only pass; PR and PB only if `every` is set."""
    t.ask_all = ALL_WINDOWS if every else MOST_WINDOWS


def parse_compound(t: Tables, s: State, written: str, first: int = 0) -> list[int] | None:
    """Return the pieces of a written offer or bribe, with seats and chariots from `first`; None for all else."""
    if written.startswith("offer "):
        found = _OFFER.fullmatch(written)
        if not found:
            raise _refuse("offer", written)
        seat, give, want = found.groups()
        if int(seat) < first:
            raise _refuse("offer", written)
        return [OFFER, TO + int(seat) - first, *_side(t, give, written), *_side(t, want, written)]
    if written.startswith("bribe "):
        found = _BRIBE.fullmatch(written)
        if not found:
            raise _refuse("bribe", written)
        seat, rest = found.groups()
        kind = _kind_at_front(t, rest, written)
        ends = _BRIBED.fullmatch(rest.removeprefix(t.cards[kind].name))
        if not ends or (ends[1] is not None) != (t.cards[kind].takes in (CHARIOT, RIVAL)):
            raise _refuse("bribe", written)
        chariot, money = ends.groups()
        if min(int(seat), int(chariot or first)) < first:
            raise _refuse("bribe", written)
        on = [] if chariot is None else [ON + int(chariot) - first]
        return [BRIBE, TO + int(seat) - first, NAME + kind, *on, *_digits(int(money))]
    return None


def _side(t: Tables, side: str, written: str) -> list[int]:
    """Return the pieces of a side: cards in code-point order, then money as a number; or `nothing`."""
    parts = [] if side == "nothing" else side.split(", ")
    money = int(parts.pop()) if parts and parts[-1].isascii() and parts[-1].isdecimal() else 0
    if money > 9999 or parts != sorted(parts) or (side != "nothing" and not parts and money == 0):
        raise _refuse("offer", written)
    return [*(NAME + _kind(t, name, written) for name in parts), ENOUGH, *_digits(money)]


def _digits(money: int) -> list[int]:
    return [DIGIT + int(digit) for digit in f"{money:0{DIGITS}d}"]


def _kind(t: Tables, name: str, written: str) -> int:
    for kind, card in enumerate(t.cards):
        if card.name == name:
            return kind
    raise _refuse("card", written, name=name)


def _kind_at_front(t: Tables, rest: str, written: str) -> int:
    """BH-7.7: return the card that a text begins with, by the longest name that fits."""
    fitting = [kind for kind, card in enumerate(t.cards) if f"{rest} ".startswith(f"{card.name} ")]
    if not fitting:
        raise _refuse("card", written, name=_NUMBERS.sub("", rest))
    return max(fitting, key=lambda kind: len(t.cards[kind].name))


def _refuse(code: str, written: str, **parameters: object) -> IllegalActionError:
    return IllegalActionError(f"notation.{code}", package=PACKAGE, text=written, **parameters)


def format_compound(t: Tables, s: State, actions: Sequence[int], first: int = 0) -> str:
    """Return the text of an offer or a bribe from its pieces, with seats and chariots from `first`."""
    pieces = list(actions[1:])
    seat = pieces.pop(0) - TO + first
    if actions[0] == BRIBE:
        name = t.cards[pieces.pop(0) - NAME].name
        chariot = f" {pieces.pop(0) - ON + first}" if pieces[0] >= ON else ""
        return f"bribe {seat} {name}{chariot} {_money(pieces)}"
    end = pieces.index(ENOUGH) + 1 + DIGITS
    return f"offer {seat} give {_side_text(t, pieces[:end])} for {_side_text(t, pieces[end:])}"


def _side_text(t: Tables, pieces: list[int]) -> str:
    names = [t.cards[piece - NAME].name for piece in pieces if NAME <= piece < ENOUGH]
    money = _money(pieces[-DIGITS:])
    return ", ".join([*names, *([str(money)] if money else [])]) or "nothing"


def _money(pieces: Sequence[int]) -> int:
    return int("".join(str(piece - DIGIT) for piece in pieces))

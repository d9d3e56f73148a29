"""Tests of cards: which test is about which card, usual positions, and lines of play that lose no card."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from games.benhvrt import positions
from games.benhvrt.positions import GAME as GAME
from games.benhvrt.positions import Cards, Match, money
from games.benhvrt.positions import chariot as chariot
from games.benhvrt.positions import hand as hand
from games.benhvrt.positions import move as move
from quadriga.engine.kernels.slots import CHANCE
from quadriga.games.benhvrt.view_types import View

with (Path(__file__).parent / "deck_facts.csv").open(encoding="utf-8", newline="") as file:
    FACTS = {row["name"]: row for row in csv.DictReader(file)}  # the deck as the rules have it

PURSE = 50

# --- which test is about which card -----------------------------------------------------------------------

TESTED: dict[tuple[str, str], list[Callable[..., Any]]] = {}


def about(what: str, *names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a test as one of a card: of its `effect`, of the card when it is `vetoed`, and so on."""

    def mark(test: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            assert name in FACTS, name
            TESTED.setdefault((name, what), []).append(test)
        return test

    return mark


# --- positions --------------------------------------------------------------------------------------------


def race(
    *chariots: tuple[Any, ...] | None,
    hands: Cards | None = None,
    deck: Iterable[str] | None = None,
    mover: int | None = 0,
    laps: int = 3,
    seats: int = 4,
    pot: int = 30,
    purses: Mapping[int, int] | None = None,
    series_of: list[int] | str | None = None,
) -> Match:
    """Return a race in which `mover` is about to move, as the last of this turn; None: before the first move."""
    moved = tuple(number for number, each in enumerate(chariots) if each and number != mover)
    return _checked(
        positions.race(
            *chariots,
            seats=seats,
            hands=hands,
            left=deck,
            purses=_purses(seats, purses),
            pot=pot,
            laps=laps,
            series=series_of or [laps],
            begun=mover is not None,
            moved=() if mover is None else moved,
        )
    )


def driven(name: str, *fitted: str, speed: int = 2, hands=None, **more):
    """Return a race: chariot 0 with a Driver before its roll, far ahead of chariots 1 and 2."""
    return race(("1.6", 1, speed, name, *fitted), ("4.2", 1, 4), ("4.6", 1, 4), hands=hands or {}, **more)


def market(
    fitted: Cards | None = None,
    hands: Cards | None = None,
    *,
    deck: Iterable[str] | None = None,
    laps: int = 3,
    seats: int = 4,
    pot: int = 24,
    purses: Mapping[int, int] | None = None,
    away: Iterable[int] = (),
    deck_file: dict[str, Any] | None = None,
) -> Match:
    """Return a market in which nobody is ready and seat 0 begins. Chariots `away` are not in this race."""
    options: dict[str, Any] = {} if deck_file is None else {"deck": deck_file}
    chariots = Match(GAME, {"series": [laps], **options}, seats).t.chariots
    return _checked(
        positions.position(
            "market",
            seats=seats,
            hands=hands,
            fitted=fitted,
            left=deck,
            purses=_purses(seats, purses),
            pot=pot,
            laps=laps,
            entered=set(range(chariots)) - set(away),
            **options,
        )
    )


def _purses(seats: int, purses: Mapping[int, int] | None) -> dict[int, int]:
    return dict.fromkeys(range(seats), PURSE) | dict(purses or {})


def _checked(match: Match) -> Match:
    assert cards(match) == sum(card.copies for card in match.t.cards)
    return match


# --- lines of play ------------------------------------------------------------------------------------------


def follow(match: Match, *lines: str) -> Match:
    """Play lines: `1: play Add 1` is seat 1's, `die 4` is chance. No Ducat (BH-2.4) and no card is lost."""
    before = money(match), cards(match)
    for line in lines:
        who, colon, what = line.partition(": ")
        if colon:
            assert match.actor == int(who), f"{line}: it is {match.actor} who is asked, for {match.legal()}"
            match.play(what)
        else:
            match.happen(line)
        assert (money(match), cards(match)) == before, line
    return match


def all_ready(match: Match) -> Match:
    """Let every seat in the market be ready."""
    while seen(match).phase == "market":
        match.play("ready")
    return match


def to_the_next_grid(match: Match) -> Match:
    """Go through deal, auction, market and maintenance; no seat bids or plays, and each keeps everything."""
    while seen(match).phase != "race":
        texts = match.legal() or [each.text for each in match.outcomes()]
        wished = [text for text in texts if text in ("auction", "pass", "ready") or text.startswith("keep ")]
        (match.play if match.legal() else match.happen)((wished or texts)[0])
    return match


def walk(match: Match) -> int:
    """Step straight on as far as possible; return the number of steps."""
    steps = 0
    seat, chariot = match.actor, match.s.mover
    while match.actor == seat and "stop" in match.legal() and match.s.mover == chariot:
        match.play(f"step {_following(match, chariot)}")
        steps += 1
    return steps


def _following(match: Match, chariot: int) -> str:
    """Return the next square of the lane, also across the line."""
    track = match.t.track
    return track.squares[track.ahead(match.s.square[chariot])].text


def drive_to_lap(match: Match, lap: int) -> list[str]:
    """Drive chariot 0, alone on the track, to the first square of a lap; return what it could use on the way."""
    offered = []
    while True:
        legal = match.legal()
        offered += [text for text in legal if text.startswith("use ")]
        here = seen(match).chariots[0]
        if match.actor == CHANCE:
            match.happen("die 6")
        elif "pass" in legal:
            match.play("pass")
        elif here.lap == lap:
            match.play("stop")
            return offered
        else:
            match.play(f"step {_following(match, 0)}")


# --- views ------------------------------------------------------------------------------------------------


def seen(match: Match, seat: int = -1) -> View:
    """Return the view of a seat, by default the public view."""
    return match.view(seat)


def speeds(match: Match) -> list[int]:
    """Return the Speed of every chariot."""
    return [each.speed for each in seen(match).chariots]


def rolled(match: Match) -> int | None:
    """Return the present value of the roll."""
    return move(match).roll


def purse(match: Match, seat: int) -> int:
    """Return the money of a seat."""
    return seen(match).players[seat].purse


def cards(match: Match) -> int:
    """Return the number of all cards, wherever they are. No card is up for auction in these positions."""
    view = seen(match)
    fitted = sum(len(each.improvements) + (each.driver is not None) for each in view.chariots)
    return view.deck + len(view.discards) + fitted + sum(player.cards for player in view.players)


def window(match: Match) -> str | None:
    """Return the window in which a seat is asked; None while chance is due."""
    return None if match.actor == CHANCE else GAME.window_of(match.t, match.s)


def playable(match: Match) -> set[str]:
    """Return the names of the cards that the asked seat could play."""
    texts = [text.removeprefix("play ") for text in match.legal() if text.startswith("play ")]
    return {name for name in FACTS if any(text == name or text.startswith(name + " ") for text in texts)}

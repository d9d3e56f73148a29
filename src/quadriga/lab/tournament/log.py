"""The log of a tournament: its plan, and what has happened. Everything else follows from it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Kind = Literal["knockout", "swiss", "arena"]
POINT = 55_440  # what winning a game is worth; the points of every place at tables of up to 12 are whole


class Plan(Struct, frozen=True):
    """The rules of a tournament that decide about pairings."""

    kind: Kind
    seats: int  # at a table
    least: int  # seats at the smallest table that the game allows
    rounds: int = 0  # of a Swiss; 0 for the other kinds


class Enter(Struct, frozen=True, tag="enter"):
    """Somebody enters. Players are numbered in this order, from 0."""

    player: int
    kind: Literal["person", "key", "bot"] = (
        "person"  # `key`: a bot of somebody, over the network; `bot`: of the server
    )


class Leave(Struct, frozen=True, tag="leave"):
    """A player is not paired any more: they have withdrawn, or did not appear."""

    player: int
    why: Literal["withdrew", "absent", "deleted"] = "withdrew"


class Return(Struct, frozen=True, tag="return"):
    """A player who had left is paired again."""

    player: int


class Begin(Struct, frozen=True, tag="begin"):
    """The tournament begins."""

    at: int = 0  # milliseconds


class Pair(Struct, frozen=True, tag="pair", omit_defaults=True):
    """A pairing: the players of each table in the order of their seats, and those who have a bye."""

    link: str  # hexadecimal
    tables: list[list[int]]
    byes: list[int] = []
    slots: list[int] = []  # of a knock-out: the bracket of this round, two by two; -1 where nobody is left
    ids: list[str] = []  # of the tables
    at: int = 0


class Result(Struct, frozen=True, tag="result", omit_defaults=True):
    """The places at a table, by seat: 1 for the best. Without places nobody has won anything."""

    table: str
    places: list[int]
    why: Literal["played", "walkover", "void", "limit"] = "played"
    at: int = 0


class End(Struct, frozen=True, tag="end"):
    """The tournament is over, or its organiser has called it off."""

    why: Literal["over", "aborted"] = "over"
    at: int = 0


Event = Enter | Leave | Return | Begin | Pair | Result | End


def points(places: list[int]) -> list[int]:
    """Return what each seat gains: a point for the first, nothing for the last, and alike steps between them.

    Those who share places share their points.
    """
    last = len(places) - 1
    if last < 1:
        return [POINT] * len(places)
    gained = []
    for place in places:
        better = sum(other < place for other in places)
        alike = sum(other == place for other in places)
        gained.append(POINT * (2 * (last - better) - (alike - 1)) // (2 * last))
    return gained

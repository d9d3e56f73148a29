"""Standings with the tie-breaks that organisers expect."""

from __future__ import annotations

from msgspec import Struct

from quadriga.lab.tournament import knockout
from quadriga.lab.tournament.draw import lot
from quadriga.lab.tournament.state import Player, State


class Standing(Struct, frozen=True):
    """How a player stands. Points and tie-breaks are in parts of a point: see `POINT`."""

    place: int
    player: int
    points: int
    cut: int  # Buchholz without the weakest round
    buchholz: int  # the points of one's opponents: their mean at a table, summed over the rounds
    berger: (
        int  # Sonneborn-Berger: the points of those whom one has beaten, and half of those with whom one has drawn
    )
    firsts: int
    games: int
    survived: int = 0  # rounds of a knock-out


def standings(state: State, commitment: bytes) -> list[Standing]:
    """Return how all players stand, the best first. What is still alike after the tie-breaks shares a place.

    The lots that order those in a list are public from the beginning.
    """
    rows = [_standing(state, each) for each in state.players]
    rows.sort(key=lambda each: (_rank(state, each), lot(commitment, each.player)))
    places: list[Standing] = []
    for index, row in enumerate(rows):
        is_alike = index > 0 and _rank(state, row) == _rank(state, rows[index - 1])
        place = places[-1].place if is_alike else index + 1
        places.append(Standing(place, *_values(row)[1:]))
    return places


def _values(row: Standing) -> tuple[int, ...]:
    return tuple(getattr(row, name) for name in Standing.__struct_fields__)


def _rank(state: State, row: Standing) -> tuple[int, ...]:
    match state.plan.kind:
        case "knockout":
            return (-row.survived, -row.buchholz)
        case "arena":
            return (-row.points, row.games, -row.firsts)
        case _:
            return (-row.points, -row.cut, -row.buchholz, -row.berger, -row.firsts)


def _standing(state: State, player: Player) -> Standing:
    rounds = []
    berger = 0
    for table in player.tables:
        if not table.places:
            continue
        seat = table.players.index(player.number)
        others = [state.players[each].points for each in table.players if each != player.number]
        rounds.append(sum(others) // len(others))
        for other, number in enumerate(table.players):
            if other != seat and table.places[seat] <= table.places[other]:
                share = 2 if table.places[seat] < table.places[other] else 1
                berger += share * state.players[number].points // (2 * len(others))
    rounds += [player.points] * len(player.byes)  # as if one had met somebody who has as many points
    missed = state.round - len(rounds) if state.plan.kind == "swiss" else 0
    rounds += [0] * max(0, missed - len([each for each in player.tables if each.is_open]))
    cut = sum(rounds) - min(rounds, default=0)
    return Standing(
        0,
        player.number,
        player.points,
        cut,
        sum(rounds),
        berger,
        player.firsts,
        player.games,
        _survived(state, player),
    )


def _survived(state: State, player: Player) -> int:
    """Return how many rounds of a knock-out a player has survived."""
    if state.plan.kind != "knockout":
        return 0
    entered = [number for number, each in enumerate(state.pairings) if player.number in each.slots]
    if not entered:
        return 0
    last, table = entered[-1], player.tables[-1] if player.tables else None
    if last + 1 < state.round:
        return last
    if table is None or table.round != last + 1:  # a bye
        return last + 1
    return last + (bool(table.places) and table.players[knockout.winning_seat(table)] == player.number)

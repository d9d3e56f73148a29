"""Tournaments as pages and programs are told of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from quadriga.lab.tournament.log import POINT
from quadriga.lab.tournament.standings import standings
from quadriga.lab.tournament.state import Table
from quadriga.server.people.history import History
from quadriga.server.people.person import Person
from quadriga.server.protocol.server_messages import ENCODER
from quadriga.server.protocol.tournaments import (
    Tournament,
    TournamentAnswer,
    TournamentPlayer,
    TournamentRound,
    TournamentSummary,
    TournamentTable,
)
from quadriga.server.scores import spreadsheet
from quadriga.server.scores.tournaments.store import Known, TournamentStore, Version
from quadriga.server.scores.tournaments.tournaments import may_run

_KEPT = 50
_SUMMARIES_KEPT = 200
_LAST = 12  # results of an arena that are shown beside the open tables


class TournamentAnswers:
    """What everybody is told of a tournament is made once for each change."""

    def __init__(self) -> None:
        self._encoded: dict[str, tuple[tuple[int, int, str, int], msgspec.Raw]] = {}
        self._summaries: dict[str, tuple[Version, TournamentSummary]] = {}

    async def summaries(self, store: TournamentStore, tournament_ids: Sequence[str]) -> list[TournamentSummary]:
        """Return tournaments as lists show them; those that have not changed are not read again."""
        found = []
        for version in await store.versions(tournament_ids):
            kept = self._summaries.pop(version.id, None)
            if kept is None or kept[0] != version:
                kept = version, summary(await store.find(version.id))
            self._summaries[version.id] = kept
            if len(self._summaries) > _SUMMARIES_KEPT:
                self._summaries.pop(next(iter(self._summaries)))
            found.append(kept[1])
        return found

    async def answer(self, known: Known, person: Person | None, history: History) -> TournamentAnswer:
        """Return a tournament as somebody sees it."""
        shared = self._shared(known)  # before anything else may change the state
        player = None if person is None else known.player_of(person.id)
        playing = "" if player is None else known.state.players[player].playing
        table = playing if playing in known.state.open_tables else None
        if person is not None and table is not None and not await history.is_playing(person, table):
            table = None  # it is being made, or the game is over and its result is not noted yet
        is_mine = person is not None and may_run(known, person)
        return TournamentAnswer(shared, is_mine, player, table)

    def _shared(self, known: Known) -> msgspec.Raw:
        names = hash(tuple(known.players))
        key = (known.state.number, known.starts, known.name, names)
        kept = self._encoded.pop(known.id, None)
        if kept is None or kept[0] != key:
            kept = key, msgspec.Raw(ENCODER.encode(tournament(known)))
        self._encoded[known.id] = kept
        if len(self._encoded) > _KEPT:
            self._encoded.pop(next(iter(self._encoded)))
        return kept[1]


def summary(known: Known) -> TournamentSummary:
    """Return a tournament as lists show it."""
    chosen, state = known.chosen, known.state
    return TournamentSummary(
        id=known.id,
        title=chosen.title,
        by=known.name,
        kind=chosen.kind,
        game=chosen.game,
        seats=chosen.seats,
        status=state.status,
        starts=known.starts,
        players=len(state.active) if state.status == "open" else len(state.players),
        round=state.round,
        rounds=chosen.rounds if chosen.kind == "swiss" else 0,
    )


def tournament(known: Known) -> Tournament:
    """Return a tournament as everybody sees it."""
    chosen, state = known.chosen, known.state
    if chosen.kind == "knockout":
        shown = range(1, state.round + 1)
    else:
        shown = range(state.round, state.round + 1) if state.round else range(0)
    rounds = [round_of(known, each) for each in shown] if chosen.kind != "arena" else [_arena(known)]
    return Tournament(
        summary=summary(known),
        options=chosen.options,
        clock=chosen.clock,
        days=chosen.days,
        minutes=chosen.minutes,
        most=chosen.most,
        late=chosen.late,
        bots=chosen.bots,
        fill=chosen.fill,
        appear=chosen.appear,
        commitment=known.commitment.hex(),
        number=state.number,
        began=state.began,
        ended=state.ended,
        standings=players(known),
        now=rounds,
    )


def players(known: Known) -> list[TournamentPlayer]:
    """Return the players of a tournament, the best first."""
    found = []
    for each in standings(known.state, known.commitment):
        player = known.state.players[each.player]
        found.append(
            TournamentPlayer(
                player=each.player,
                name=known.players[each.player].name,
                kind=player.kind,
                place=each.place,
                points=_rounded(each.points),
                cut=_rounded(each.cut),
                buchholz=_rounded(each.buchholz),
                berger=_rounded(each.berger),
                firsts=each.firsts,
                games=each.games,
                survived=each.survived,
                left=player.why_left,
            )
        )
    return found


def round_of(known: Known, number: int) -> TournamentRound:
    """Return a round."""
    state = known.state
    pairing = state.pairings[number - 1]
    return TournamentRound(number, [_table(state.tables[each]) for each in pairing.ids], pairing.byes)


def _arena(known: Known) -> TournamentRound:
    state = known.state
    ended = [each for each in state.tables.values() if not each.is_open][-_LAST:]
    return TournamentRound(
        state.round, [_table(each) for each in (*state.open_tables.values(), *reversed(ended))], []
    )


def _table(table: Table) -> TournamentTable:
    gained = None if table.is_open else [_rounded(each) for each in table.gained]
    return TournamentTable(table.id, table.round, table.players, gained, table.why)


def _rounded(points: int) -> float:
    return round(points / POINT, 3)


def as_csv(known: Known) -> str:
    """Return the standings as a table for spreadsheets."""
    names = ("place", "player", "name", "kind", "points", "cut", "buchholz", "berger", "firsts", "games", "left")
    return spreadsheet.as_csv(names, ([getattr(each, field) for field in names] for each in players(known)))

"""The counts of Ben Hvrt: counted again from the replayed games, in another way."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest

from lab.study.studies import frames_of, matches, plan_of, steps
from quadriga.games.benhvrt.rules import stack
from quadriga.games.benhvrt.rules.phases import race, series
from quadriga.games.benhvrt.rules.phases.race import PLACES
from quadriga.games.benhvrt.rules.piles import number
from quadriga.games.benhvrt.state import MOVING, RACE

SEATS, CHARIOTS = 3, 6


class Probe:
    """Replays games, and notes the positions in which rule functions are called."""

    def __init__(self, monkeypatch, played):
        self.played, self.game = played, 0
        self.antes, self.grids, self.places, self.after = {}, {}, {}, {}
        self.passed: Counter[Any] = Counter()
        self._around(monkeypatch, series, "_take_antes", self._ante)
        self._around(monkeypatch, race, "_line_up", self._grid)
        self._around(monkeypatch, series, "pay_out", self._paid)
        self._around(monkeypatch, race, "pass_others", self._passing)

    def _around(self, monkeypatch, module, name, note):
        real = getattr(module, name)

        def call(t, s):
            before = s.copy()
            result = real(t, s)
            note(t, before, s)
            return result

        monkeypatch.setattr(module, name, call)

    def _ante(self, t, before, s):
        self.antes[self.game, s.race] = before, s.copy()

    def _grid(self, t, before, s):
        self.grids[self.game, s.race] = s.copy()

    def _paid(self, t, before, s):
        self.places[self.game, s.race] = [each - 1 for each in s.finisher[:3] if each]
        self.after[self.game, s.race] = list(s.purse[:SEATS])

    def _passing(self, t, before, s):
        new = s.passed & ~before.passed
        self.passed.update(t.track.squares[s.square[each]].text for each in range(CHARIOTS) if new >> each & 1)

    def steps(self):
        for game, match in enumerate(self.played):
            self.game = game
            for each in steps(match):
                yield game, *each


@pytest.fixture(scope="module", params=["greedy", "random"])
def study(request, tmp_path_factory):
    names = ("greedy", "random") if request.param == "greedy" else ("random",)
    options = {"bribes": request.param == "greedy", "series": [2, 1] if request.param == "greedy" else [1, 1]}
    plan = plan_of("ben-hvrt", *names, games=2, options=options)
    return frames_of(plan, tmp_path_factory.mktemp("ben-hvrt")), matches(plan)


def by(frame, column, *keys):
    """Return the values of a column that are not 0, by the values of others."""
    rows = frame.filter(pl.col(column) != 0).to_dicts()
    return {tuple(row[key] for key in keys): row[column] for row in rows}


def test_the_money_of_every_seat_is_followed_through_each_race(study, monkeypatch):
    frames, played = study
    probe = Probe(monkeypatch, played)
    spent: Counter[Any] = Counter()
    names = {"buy": "bought", "bid": "bids", "keep": "upkeep"}
    for game, entry, _, before, s in probe.steps():
        if not entry.chance and (name := names.get(entry.text.split()[0])):
            spent[name, game, before.race, entry.seat] += before.purse[entry.seat] - s.purse[entry.seat]
    rows = frames["races"].to_dicts()
    assert len(rows) == len(played) * 2 * SEATS
    for row in rows:
        seat, at = row["seat"], (row["game"], row["race"])
        before, after = probe.antes[at]
        assert row["laps"] == before.laps
        assert (row["before"], row["ante"]) == (before.purse[seat], before.purse[seat] - after.purse[seat])
        assert row["entered"] == sum(after.entered >> chariot & 1 for chariot in (seat, seat + SEATS))
        assert row["turn"] == (seat - before.dealer - 1) % SEATS + 1
        assert row["after"] == probe.after[at][seat]
        assert row["earned"] == row["after"] - row["before"]
        assert {name: row[name] for name in names.values()} == {
            name: spent[name, *at, seat] for name in names.values()
        }
    for _, race_rows in frames["races"].group_by("game", "race"):
        assert race_rows["earned"].sum() == 0  # the pot is empty after a race
        assert race_rows["excess"].sum() == pytest.approx(0)
    last = frames["races"].filter(pl.col("race") == 1).sort("game", "seat")
    assert last["after"].to_list() == frames["seats"].sort("game", "seat")["score"].to_list()


def test_chariots_have_their_grid_place_and_their_result(study, monkeypatch):
    frames, played = study
    probe = Probe(monkeypatch, played)
    for _ in probe.steps():
        pass
    for row in frames["chariots"].to_dicts():
        at, chariot = (row["game"], row["race"]), row["chariot"]
        grid, t = probe.grids[at], played[0].t
        assert row["seat"] == chariot % SEATS
        assert t.grid[row["grid"] - 1] == grid.square[chariot]
        places = probe.places[at]
        assert row["place"] == (1 + places.index(chariot) if chariot in places else 0)
        driver = grid.driver[chariot]
        assert row["driver"] == (t.cards[driver - 1].name if driver else "")
        assert row["improvements"] == grid.improvements[chariot].bit_count()
    assert PLACES == 3


def test_cards_are_followed_from_the_deal_to_their_play(study, monkeypatch):
    frames, played = study
    probe = Probe(monkeypatch, played)
    columns = ("dealt", "fitted", "upkeep", "played", "traded", "bought", "held")
    found: dict[str, Counter[Any]] = {name: Counter() for name in columns}
    for game, entry, t, before, s in probe.steps():
        names = [card.name for card in t.cards]
        at, word = (game, before.race), entry.text.split()[0]
        if word in ("deal", "draw"):
            found["dealt"][*at, entry.seat, entry.text.removeprefix(word + " ")] += 1
        elif word == "fit":
            found["fitted"][*at, entry.seat, entry.text[4:].rpartition(" ")[0]] += 1
        elif word == "play":
            played_now = max((name for name in names if entry.text[5:].startswith(name)), key=len)
            found["played"][*at, entry.seat, played_now] += 1
        elif word == "keep":
            kept = entry.text[5:].rpartition(" ")[0]
            found["upkeep"][*at, entry.seat, kept] += before.purse[entry.seat] - s.purse[entry.seat]
        elif word == "accept":
            for kind, name in enumerate(names):
                for seat in range(SEATS):
                    found["traded"][*at, seat, name] += number(s, seat, kind) - number(before, seat, kind)
        elif before.lot and not s.lot and word in ("buy", "bid", "pass"):
            for seat in range(SEATS):
                gained = number(s, seat, before.lot - 1) - number(before, seat, before.lot - 1)
                found["bought"][*at, seat, names[before.lot - 1]] += gained
    for at, s in probe.grids.items():
        for seat in range(SEATS):
            fitted = [s.driver[c] - 1 for c in (seat, seat + SEATS) if s.driver[c]]
            fitted += [k for c in (seat, seat + SEATS) for k in range(48) if s.improvements[c] >> k & 1]
            for kind, card in enumerate(played[0].t.cards):
                found["held"][*at, seat, card.name] += number(s, seat, kind) + fitted.count(kind)
    keys = ("game", "race", "seat", "card")
    for name, counted in found.items():
        assert by(frames["cards"], name, *keys) == {key: count for key, count in counted.items() if count}
    totals = frames["cards"].group_by("game", "race", "seat").agg(pl.col("upkeep", "paid", "bid").sum())
    for row in totals.join(frames["races"], on=("game", "race", "seat"), suffix="_race").to_dicts():
        assert row["upkeep"] == row["upkeep_race"]
        assert row["paid"] + row["bid"] == row["bought"] + row["bids"]
    money = frames["races"].select("game", "race", "seat", "earned", "excess")
    joined = frames["cards"].join(money, on=("game", "race", "seat"), suffix="_race")
    assert joined["earned"].equals(joined["earned_race"])
    assert joined["excess"].equals(joined["excess_race"])


def test_a_card_is_vetoed_unless_its_veto_is_vetoed(study):
    frames, played = study
    expected: Counter[Any] = Counter()
    for game, match in enumerate(played):
        plays: list[Any] = []  # seat, race, name, whether it cancels, the play that it answers
        for entry, t, before, _ in steps(match):
            if entry.text.split()[0] != "play":
                continue
            name = max((card.name for card in t.cards if entry.text[5:].startswith(card.name)), key=len)
            cancels = "Veto" in name
            answered = None
            if cancels:
                frame = before.depth - 2
                key = before.seat[frame], t.cards[before.kind[frame]].name
                answered = max(i for i, play in enumerate(plays) if (play[0], play[2]) == key)
            plays.append((entry.seat, before.race, name, cancels, answered))
        works = [True] * len(plays)
        for i in reversed(range(len(plays))):
            if plays[i][3] and works[i]:
                works[plays[i][4]] = False
        for (seat, number_of_race, name, _, _), is_working in zip(plays, works, strict=True):
            expected[game, number_of_race, seat, name] += not is_working
    found = by(frames["cards"], "vetoed", "game", "race", "seat", "card")
    assert found == {key: count for key, count in expected.items() if count}
    assert found


def test_auction_cards_have_their_price(study):
    frames, played = study
    lots = []
    bids: Counter[Any] = Counter()
    for game, match in enumerate(played):
        count: Counter[Any] = Counter()
        for entry, _, before, s in steps(match):
            word = entry.text.split()[0]
            if word == "turn":
                count[before.race] += 1
                lots.append(
                    {"game": game, "race": before.race, "lot": count[before.race], "card": entry.text[5:]}
                    | {"auctioneer": entry.seat, "buyer": -1, "sale": "none", "price": 0, "others": 0}
                )
                bids.clear()
            elif word in ("buy", "bid", "pass") and before.lot:
                bids[entry.seat] += before.purse[entry.seat] - s.purse[entry.seat]
                if s.lot == 0:
                    kind = before.lot - 1
                    buyers = [seat for seat in range(SEATS) if number(s, seat, kind) > number(before, seat, kind)]
                    for buyer in buyers:
                        lots[-1] |= {"buyer": buyer, "price": bids.pop(buyer)}
                        lots[-1]["sale"] = "price" if word == "buy" else "auction"
                    lots[-1]["others"] = bids.total()
    rows = frames["lots"].to_dicts()
    assert [{name: row[name] for name in lots[0]} for row in rows] == lots
    prices = {card.name: card.price for card in played[0].t.cards}
    assert all(row["list_price"] == prices[row["card"]] for row in rows)


def test_offers_and_bribes_are_counted(study):
    frames, played = study
    counters: list[Counter[Any]] = [Counter() for _ in range(4)]
    offers, swaps, bribes, bribed = counters
    for game, match in enumerate(played):
        for entry, _, before, _ in steps(match):
            at, word = (game, before.race, entry.seat), entry.text.split()[0]
            offers[at] += word == "offer"
            swaps[game, before.race, before.seat[before.depth - 1]] += word == "accept"
            if word == "bribe":
                bribes[at] += 1
                bribed[at] += int(entry.text.split()[-1])
    for name, counted in (("offers", offers), ("swaps", swaps), ("bribes", bribes), ("bribed", bribed)):
        assert by(frames["races"], name, "game", "race", "seat") == dict(+counted)
    assert frames["games"]["bribes"].sum() == bribes.total()
    assert frames["games"]["offers"].sum() == offers.total()


def test_squares_of_ben_hvrt_are_counted(study, monkeypatch):
    frames, played = study
    probe = Probe(monkeypatch, played)
    counters: list[Counter[Any]] = [Counter() for _ in range(3)]
    landings, blocks, stands = counters
    push = stack.push

    def note_move(s, task, seat):
        if task == MOVING:
            stands.update(names[s.square[each]] for each in range(CHARIOTS) if s.racing >> each & 1)
        return push(s, task, seat)

    monkeypatch.setattr(race, "push", note_move)
    names = [square.text for square in played[0].t.track.squares]
    for _, entry, t, before, _ in probe.steps():
        if entry.chance or before.task[1] != RACE:
            continue
        top = before.depth - 1
        here, ahead = before.square[before.mover], t.ahead[before.square[before.mover]]
        is_stepping = before.task[top] == MOVING and before.at[top] == race.STEPPING
        if is_stepping and before.steps > 0:
            blocks[names[ahead]] += sum(
                before.racing >> each & 1 and before.square[each] == ahead for each in range(CHARIOTS)
            )
        word, _, where = entry.text.partition(" ")
        finishes = t.last[here] and where == names[ahead] and before.lap[before.mover] == before.laps
        if word == "shift" or (word == "step" and not finishes):
            landings[where] += 1
    for name, counted in (
        ("landings", landings),
        ("blocks", blocks),
        ("stands", stands),
        ("overtakes", probe.passed),
    ):
        assert by(frames["spaces"], name, "space") == {(key,): count for key, count in (+counted).items()}

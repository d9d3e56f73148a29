"""The counts of Ave Caesar: counted again from the replayed games, in another way."""

from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest

from lab.study.studies import frames_of, matches, plan_of, steps
from quadriga.games.avecaesar.rules import knowledge, race, turn
from quadriga.games.avecaesar.rules.cards import number
from quadriga.games.avecaesar.rules.moves import permitted, playable_values
from quadriga.games.avecaesar.rules.six import may_play_six
from quadriga.games.avecaesar.state import RACING, WRECKED
from quadriga.lab.executors.chunks import Chunk
from quadriga.lab.study.collect import StudyJob
from quadriga.lab.study.reviewing import replayed

GAMES = 3


class Probe:
    """Replays games of Ave Caesar, and notes what its rule functions are called with."""

    def __init__(self, monkeypatch, played):
        self.misses: Counter[Any] = Counter()
        self.rules: Counter[Any] = Counter()
        self.ends, self.played = {}, played
        self.game = 0
        self.sixes = Sixes(self.rules)
        move, miss, end = knowledge.after_move, knowledge.after_miss, race.end_race
        monkeypatch.setattr(
            turn, "after_move", lambda t, s, *how: self.sixes.move(self.game, t, s, *how) or move(t, s, *how)
        )
        monkeypatch.setattr(turn, "after_miss", lambda t, s, seat: self._miss(t, s, seat) or miss(t, s, seat))
        monkeypatch.setattr(turn, "end_race", lambda t, s: self._end(s) or end(t, s))

    def _miss(self, t, s, seat):
        self.misses[self.game, s.race, seat] += 1
        self.rules[self.game, s.race, "AC-4.1"] += is_barred(t, s, seat)
        self.rules[self.game, s.race, "AC-5.4"] += is_kept(t, s, seat)
        self.sixes.miss(self.game, s, seat)

    def _end(self, s):
        self.ends[self.game, s.race] = s.copy()

    def steps(self):
        for game, match in enumerate(self.played):
            self.game = game
            for each in steps(match):
                yield game, *each


class Sixes:
    """Counts why chariots in front play a 6, and the missed turns in a row: its own account of AC-4.2 to AC-4.5."""

    def __init__(self, rules):
        self.rules = rules
        self.race: tuple[int, ...] = ()
        self.lifted: set[int] = set()

    def move(self, game, t, s, seat, card, ahead):
        is_first = self._enter(game, s)
        if card == 6 and is_foremost(t.raced[s.race], s, seat):
            later = "AC-4.4" if any(s.finish) else "AC-4.5" if seat in self.lifted else "AC-4.3"
            self.rules[*self.race, "AC-4.2" if is_first else later] += 1
        self.lifted.discard(seat)
        self.missed = 0
        self.has_begun = True

    def miss(self, game, s, seat):
        self._enter(game, s)
        self.lifted.discard(seat)
        self.missed += 1
        racing = {each for each in range(3) if s.status[each] == RACING}
        if self.missed == 2 * len(racing):
            self.rules[*self.race, "AC-4.5 end"] += 1
        elif self.missed == len(racing):
            self.lifted = racing

    def _enter(self, game, s):
        """Begin a new race, or the count anew after a crash; return whether no card has been played."""
        if self.race != (game, s.race):
            self.race, self.has_begun, self.missed, self.lifted, self.wrecks = (game, s.race), False, 0, set(), 0
        wrecks = sum(state == WRECKED for state in s.status)
        if wrecks != self.wrecks:
            self.wrecks, self.missed = wrecks, 0
        return not self.has_begun


RULES = {"bottom-card": "AC-V2", "crash-and-burn": "AC-V3", "start-by-place": "AC-V1", "dishonour": "AC-V4"}
VARIANTS = [[], ["bottom-card", "crash-and-burn"], ["start-by-place", "dishonour"]]


@pytest.fixture(scope="module", params=VARIANTS, ids=["standard", "bottom-crash", "place-dishonour"])
def races(request, tmp_path_factory):
    plan = plan_of("ave-caesar", "greedy", "random", games=GAMES, options={"variants": request.param})
    return frames_of(plan, tmp_path_factory.mktemp("ave-caesar")), matches(plan)


def test_races_of_ave_caesar_have_their_result_and_their_missed_turns(races, monkeypatch):
    frames, played = races
    probe = Probe(monkeypatch, played)
    cards: Counter[Any] = Counter()
    spent: Counter[Any] = Counter()
    alley: dict[Any, Any] = {}
    finished: dict[Any, Any] = {}
    for game, entry, _, before, _ in probe.steps():
        if entry.chance or entry.text.startswith("bottom"):
            continue
        card, where = entry.text.split()
        at = game, before.race, entry.seat
        cards[at] += 1
        spent[at] += int(card)
        if where.startswith("ALLEY"):
            alley.setdefault(at, before.lap[entry.seat])
        if where == "finish":
            finished[at] = 1 + sum(other[:2] == at[:2] for other in finished)
    for row in frames["races"].to_dicts():
        at = row["game"], row["race"], row["seat"]
        end = probe.ends[at[:2]]
        assert row["waits"] == probe.misses[at]
        assert (row["cards"], row["left"]) == (cards[at], 84 - spent[at])
        assert (row["finish"], row["alley"]) == (finished.get(at, 0), alley.get(at, 0))
        assert row["start"] == 1 + list(end.order[:3]).index(row["seat"])
        is_wrecked = end.status[row["seat"]] == WRECKED
        honour = "dishonoured" if end.dishonoured[row["seat"]] else "finished"
        assert row["end"] == (honour if at in finished else "wrecked" if is_wrecked else "out")
    totals = frames["races"].group_by("game", "seat", maintain_order=True).agg(pl.col("points").sum())
    scores = frames["seats"].sort("game", "seat")["score"]
    assert totals.sort("game", "seat")["points"].to_list() == scores.to_list()


def test_spaces_of_ave_caesar_are_counted(races):
    frames, played = races
    counters: list[Counter[Any]] = [Counter() for _ in range(5)]
    landings, stands, blocks, overtakes, overtaken = counters
    for game, match in enumerate(played):
        for entry, t, before, _ in steps(match):
            if entry.chance or entry.text.startswith("bottom"):
                continue
            course = t.raced[before.race]
            names = [space.text for space in course.spaces]
            where = entry.text.split()[1]
            here = [seat for seat in range(3) if before.status[seat] == RACING]
            stands.update((course.text, names[before.space[seat]]) for seat in here)
            if where != "finish":
                landings[course.text, where] += 1
            for space in blocked(t, before, entry.seat, course):
                blocks[course.text, names[space]] += 1
            ahead = place(course, before, entry.seat)
            after = (9, 0) if where == "finish" else moved(course, before, entry.seat, names.index(where))
            for other in here:
                if ahead < place(course, before, other) < after:
                    overtakes[course.text, names[before.space[other]]] += 1
                    overtaken[game, before.race, entry.seat] += 1
    for name, counted in (("landings", landings), ("stands", stands), ("blocks", blocks), ("overtakes", overtakes)):
        rows = frames["spaces"].filter(pl.col(name) > 0)
        assert {(row["course"], row["space"]): row[name] for row in rows.to_dicts()} == dict(counted)
    rows = frames["races"].filter(pl.col("overtaken") > 0).to_dicts()
    assert {(row["game"], row["race"], row["seat"]): row["overtaken"] for row in rows} == dict(overtaken)


def place(course, s, seat):
    """Return how far a chariot is."""
    return s.lap[seat], course.spaces[s.space[seat]].station


def is_foremost(course, s, seat):
    """Return whether no racing chariot is further."""
    here = [other for other in range(3) if s.status[other] == RACING]
    return place(course, s, seat) == max(place(course, s, other) for other in here)


def moved(course, s, seat, space):
    """Return how far a chariot is after a move."""
    return s.lap[seat] + (space < s.space[seat]), course.spaces[space].station


def routes(s, seat, course, obstacles):
    """Yield the spaces that every card leads to over the course's own graph, and whether the line lies behind."""
    entrance = s.coin[seat] == 1 and s.lap[seat] in (1, 2)
    reached = {(s.space[seat], False)}
    for _ in range(6):
        reached = {
            (after, crossed or after < space)
            for space, crossed in reached
            for after in [*course.steps[space], *([course.entrance] if entrance and space == course.gate else [])]
            if after not in obstacles
        }
        yield reached


def standing_on(s, seat, *states):
    """Return the spaces with other chariots in these states."""
    return {s.space[other] for other in range(3) if other != seat and s.status[other] in states}


def destinations(t, s, seat, course, obstacles):
    """Return the spaces on which a playable card can end a move among obstacles."""
    held, found = playable_values(t, s, seat), set()
    for card, reached in enumerate(routes(s, seat, course, obstacles), 1):
        if held >> card & 1:
            found |= {space for space, crossed in reached if not (crossed and s.lap[seat] == 3)}
    return found


def is_permitted(t, s, seat, course, space):
    """AC-5.4: return whether a move may end on a space."""
    allowed = permitted(t, s, seat, playable_values(t, s, seat))
    return allowed >> (space - s.space[seat]) % len(course.spaces) & 1


def blocked(t, s, seat, course):
    """Return the spaces on which the chariot to move could end its move if no chariot stood on it."""
    reached = destinations(t, s, seat, course, standing_on(s, seat, WRECKED))
    return {space for space in reached & standing_on(s, seat, RACING) if is_permitted(t, s, seat, course, space)}


def is_barred(t, s, seat):
    """AC-4.1: return whether the lead forbids a seat to play a 6 that it holds."""
    return number(s.hand[seat], 6) > 0 and not may_play_six(t, s, seat)


def is_kept(t, s, seat):
    """AC-5.4: return whether a move is forbidden because it loses the alley."""
    course = t.raced[s.race]
    free = destinations(t, s, seat, course, standing_on(s, seat, RACING, WRECKED))
    return not all(is_permitted(t, s, seat, course, space) for space in free)


def drives_on(t, s, seat):
    """AC-V4: return whether a card keeps the alley on a board without chariots, and none on the board as it is."""
    course = t.raced[s.race]
    if not (t.dishonour and s.coin[seat] == 1 and s.lap[seat] == 2):
        return False
    empty, real = (
        any(keeps(course, s.space[seat], space) for space in destinations(t, s, seat, course, obstacles))
        for obstacles in (set[int](), standing_on(s, seat, RACING))
    )
    return empty and not real


def keeps(course, start, space):
    """AC-5.4: return whether a move to a space keeps the alley, on a board without wrecks."""
    if course.spaces[space].text.startswith("ALLEY"):
        return True
    reached = set() if space < start else {space}
    while reached and course.gate not in reached:
        reached = {after for each in reached for after in course.steps[each] if after > each}
    return bool(reached)


def moved_starts(course, end, order):
    """AC-V1: return how many chariots start elsewhere than clockwise from the last one of a race."""

    def merit(seat):
        if end.finish[seat]:
            return 1 if end.dishonoured[seat] else 2, -end.finish[seat]
        return 0, place(course, end, seat)

    last = min(reversed(end.order[:3]), key=merit)
    return sum((last + k) % 3 != seat for k, seat in enumerate(order))


def overshoots(s, seat, course, card):
    """AC-3.3: return whether the finish is nearer than a card leads."""
    obstacles = standing_on(s, seat, RACING, WRECKED)
    ways = list(routes(s, seat, course, obstacles))[: card - 1]
    return any(crossed for reached in ways for _, crossed in reached)


def special_rules(played, monkeypatch):
    """Return how often each special rule changed something, by game, race and rule."""
    probe = Probe(monkeypatch, played)
    rules: Counter[Any] = Counter()
    cards: Counter[Any] = Counter()
    for game, entry, t, before, _ in probe.steps():
        at, seat = (game, before.race), entry.seat
        if entry.text.startswith("bottom"):
            rules[*at, "AC-V2"] += 1
        if entry.chance or entry.text.startswith("bottom"):
            continue
        card, where = int(entry.text.split()[0]), entry.text.split()[1]
        rules[*at, "AC-4.1"] += is_barred(t, before, seat)
        rules[*at, "AC-5.4"] += is_kept(t, before, seat)
        rules[*at, "AC-V4"] += drives_on(t, before, seat)
        cards[*at, seat] += 1
        rules[*at, "AC-3.4"] += cards[*at, seat] == 24 and where != "finish"
        rules[*at, "AC-3.3"] += where == "finish" and overshoots(before, seat, t.raced[before.race], card)
    rules += probe.rules
    for at, end in probe.ends.items():
        rules[*at, "AC-5.5"] += sum(end.dishonoured)
        rules[*at, "AC-V3"] += sum(state == WRECKED for state in end.status)
        following = probe.ends.get((at[0], at[1] + 1))
        if t.start_by_place and following:
            rules[at[0], at[1] + 1, "AC-V1"] += moved_starts(t.raced[at[1]], end, following.order[:3])
    return dict(+rules)


def counts_of(frame):
    return {(row["game"], row["race"], row["rule"]): row["count"] for row in frame.to_dicts()}


def test_special_rules_of_ave_caesar_are_counted(races, monkeypatch):
    frames, played = races
    found = special_rules(played, monkeypatch)
    assert counts_of(frames["rules"]) == found
    variants = played[0].options["variants"]
    assert {"AC-4.4", *map(RULES.get, variants)} <= {rule for *_, rule in found}
    assert "AC-4.3" in {rule for *_, rule in found} or "crash-and-burn" in variants


@pytest.mark.parametrize(
    ("variants", "number", "rule"), [([], 1550, "AC-4.5"), (["crash-and-burn"], 62, "AC-4.5 end")]
)
def test_deadlocks_of_ave_caesar_are_counted(variants, number, rule, monkeypatch):
    """The game is one of the few in which no chariot can move."""
    options = {"variants": variants, "courses": ["blue ccw"]}
    plan = plan_of("ave-caesar", "greedy", "random", games=number + 1, options=options)
    frames = StudyJob(plan, False).start()(Chunk(number, 1))
    found = special_rules([replayed(plan, number, compiled=False)], monkeypatch)
    assert found[0, 0, rule] == 1
    assert counts_of(pl.DataFrame(frames["rules"]).with_columns(game=0)) == found

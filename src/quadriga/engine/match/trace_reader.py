"""Read traces: play every line through the rules, and refuse the first that does not fit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn

from quadriga.engine import nesting, syntax
from quadriga.engine.errors import FairnessError, QuadrigaError, TraceError
from quadriga.engine.game import NOBODY, Game
from quadriga.engine.kernels.slots import CHANCE
from quadriga.engine.match.dice import SEED_BYTES, FairDice
from quadriga.engine.match.match import Match
from quadriga.engine.match.trace import FORMAT, Line, Players
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Localised

MAX_NAME = 60
"""The most characters of a player's name."""

FindGame = Callable[[str], Game]


def read(content: Iterable[bytes], find: FindGame) -> Iterator[Reading]:
    """Yield the games of a stream of lines, one trace after another, each when its last line has been read.

    Raises TraceError at the first line that is not a trace or breaks the rules.
    """
    reading: Reading | None = None
    for number, raw in enumerate(content, 1):
        if not raw.strip():
            continue
        line = _parse(raw, number)
        if "quadriga" in line:
            if reading:
                reading.end(number)
                yield reading
            reading = _open(line, number, find)
        elif reading is None:
            raise TraceError("trace.no-header", line=number)
        else:
            reading.take(line, number)
    if reading is None:
        raise TraceError("trace.empty")
    reading.end(reading.last + 1)
    yield reading


_RULE_FAULTS = (
    *("trace.refused", "trace.seat", "trace.no-chance", "trace.chance-due", "trace.legal", "trace.section"),
    *("trace.over", "trace.not-over", "trace.no-result", "trace.result", "fair.outcome"),
)
"""The codes of faults that a change of the rules can cause."""


def explain_version(fault: TraceError, game: Game, version: int | None) -> TraceError:
    """Return the fault, or one that names the version of the rules if a change of them may be the cause."""
    if version == game.version or fault.code not in _RULE_FAULTS or (version is None and game.version == 1):
        return fault
    titles = [
        (language, catalogues.of(language, game.package)(f"{game.id}.title")) for language in catalogues.LANGUAGES
    ]
    game_title, line, known = Localised(tuple(titles)), fault.parameters["line"], game.version
    if version is None:
        return type(fault)("trace.no-version", line=line, game=game_title, known=known, reason=fault)
    return type(fault)("trace.other-rules", line=line, found=version, game=game_title, known=known, reason=fault)


class Reading:
    """A game while it is read: the match so far, the line of each entry, and the promised dice."""

    def __init__(self, match: Match, number: int, version: int | None) -> None:
        self.match = match
        self.version = version  # of the game's rules, from the header
        self.first = number
        self.last = number
        self.lines: list[int] = []
        self.commitment: str | None = None
        self.client_seeds: list[str] = []
        self.seed: bytes | None = None
        self.players: Players | None = None
        self._has_heading = False
        self._has_result = False

    def take(self, line: Line, number: int) -> None:
        """Play one line. Raises TraceError if it does not fit."""
        self.last = number
        try:
            self._take(line, number)
        except TraceError as fault:
            raise explain_version(fault, self.match.game, self.version) from None

    def _take(self, line: Line, number: int) -> None:
        if "seed" in line and len(line) == 1:
            self._seed(line, number)
        elif self._has_result:
            raise TraceError("trace.after-end", line=number)
        elif "result" in line:
            self._result(line, number)
        elif self.match.over:
            raise TraceError("trace.over", line=number)
        elif not self._has_heading and (section := self.match.section) is not None:
            if not _same(line, section):
                raise TraceError("trace.section", line=number, right=json.dumps(section))
            self._has_heading = True
        elif "chance" in line:
            self._chance(line, number)
        elif "play" in line:
            self._decision(line, number)
        else:
            raise TraceError("trace.line", line=number, keys=sorted(line))

    def end(self, number: int) -> None:
        """Finish the game: no more lines belong to it. Raises TraceError if its result is missing."""
        if self.match.over and not self._has_result:
            raise explain_version(TraceError("trace.no-result", line=number), self.match.game, self.version)

    def _chance(self, line: Line, number: int) -> None:
        _check_keys(line, number, {"chance", "seat"})
        match = self.match
        if match.actor != CHANCE:
            raise TraceError("trace.no-chance", line=number, seat=match.actor)
        roller = match.game.notation.roller(match.t, match.s)
        seat = None if roller == NOBODY else roller
        if not _same(line["seat"], seat):
            raise TraceError("trace.seat", line=number, found=_shown(line["seat"]), right=_shown(seat))
        self._play(match.happen, line["chance"], number)

    def _decision(self, line: Line, number: int) -> None:
        _check_keys(line, number, {"seat", "legal", "play"})
        match = self.match
        if match.actor == CHANCE:
            texts = [outcome.text for outcome in match.outcomes()]
            raise TraceError("trace.chance-due", line=number, legal=texts)
        if not _same(line["seat"], match.actor):
            raise TraceError("trace.seat", line=number, found=_shown(line["seat"]), right=match.actor)
        if line["legal"] != (right := list(match.actions())):
            raise TraceError("trace.legal", line=number, right=right)
        self._play(match.play, line["play"], number)

    def _play(self, play: Callable[[str], object], text: object, number: int) -> None:
        if not isinstance(text, str):
            raise TraceError("trace.text", line=number)
        try:
            play(text)
        except QuadrigaError as fault:
            raise TraceError("trace.refused", line=number, reason=fault) from None
        self.lines.append(number)
        self._has_heading = False

    def _result(self, line: Line, number: int) -> None:
        if not self.match.over:
            raise TraceError("trace.not-over", line=number)
        right = {"result": {"scores": self.match.scores}}
        if not _same(line, right):
            raise TraceError("trace.result", line=number, right=json.dumps(right))
        self._has_result = True

    def _seed(self, line: Line, number: int) -> None:
        if self.commitment is None or self.seed is not None:
            raise TraceError("trace.seed-stray", line=number)
        if not self._has_result:
            raise TraceError("trace.seed-early", line=number)
        if not _is_hex(line["seed"]):
            raise TraceError("trace.seed", line=number, digits=2 * SEED_BYTES)
        self.seed = bytes.fromhex(line["seed"])

    def declare_fair(self, fair: object, number: int) -> None:
        """Store what the header promises about its dice. Raises TraceError if it is not well-formed."""
        if not isinstance(fair, dict):
            raise TraceError("trace.fair", line=number)
        _check_keys(fair, number, {"commitment", "words"})
        client_seeds = fair["words"]
        if not isinstance(client_seeds, list) or not all(isinstance(each, str) for each in client_seeds):
            raise TraceError("trace.fair", line=number)
        if not _is_hex(fair["commitment"]) or len(client_seeds) != self.match.seats:
            raise TraceError("trace.fair", line=number)
        try:
            FairDice(client_seeds, bytes(SEED_BYTES))
        except QuadrigaError as fault:
            raise TraceError("trace.refused", line=number, reason=fault) from None
        self.commitment = fair["commitment"]
        self.client_seeds = client_seeds


def verify(reading: Reading) -> int:
    """Recompute every outcome of a record from its seed; return how many there are.

    Raises FairnessError if the record has no seed, or an outcome is not the one that the seed gives.
    """
    if reading.commitment is None:
        raise FairnessError("fair.not-a-record", line=reading.first)
    if reading.seed is None:
        raise FairnessError("fair.no-seed", line=reading.first)
    dice = FairDice(reading.client_seeds, reading.seed)
    if dice.commitment != reading.commitment:
        raise FairnessError("fair.commitment", line=reading.last, found=dice.commitment)
    event = 0
    for entry, line, position in zip(reading.match.entries, reading.lines, reading.match.positions(), strict=False):
        if entry.chance:
            right = dice.pick(event, position.outcomes()).text
            if right != entry.text:
                wrong = FairnessError("fair.outcome", line=line, event=event, found=entry.text, right=right)
                raise explain_version(wrong, reading.match.game, reading.version)
            event += 1
    return event


class _NotPlainJsonError(ValueError):
    """JSON with a key that stands twice, or with a constant such as NaN that JSON does not have."""


def _parse(raw: bytes, number: int) -> Line:
    if len(raw) > nesting.MAX_LINE_BYTES:
        raise TraceError("trace.long", line=number, most=nesting.MAX_LINE_BYTES)
    try:
        text = raw.decode("utf-8")
        if nesting.find_too_deep(text, toml=False) is not None:
            raise TraceError("trace.nested", line=number, most=nesting.MAX_DEPTH)
        line = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise TraceError("trace.utf8", line=number) from None
    except json.JSONDecodeError as fault:
        found = syntax.json_fault(fault)
        raise TraceError("trace.json", line=number, column=found["column"], reason=found["reason"]) from None
    except (ValueError, RecursionError):
        raise TraceError("trace.not-plain", line=number) from None
    if not isinstance(line, dict):
        raise TraceError("trace.not-an-object", line=number)
    return line


def _unique_keys(pairs: list[tuple[str, object]]) -> Line:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _NotPlainJsonError("a key stands twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise _NotPlainJsonError(name)


def _open(line: Line, number: int, find: FindGame) -> Reading:
    if line["quadriga"] != FORMAT or type(line["quadriga"]) is not int:
        raise TraceError("trace.version", line=number, found=_shown(line["quadriga"]), known=FORMAT)
    _check_keys(line, number, {"quadriga", "game", "options", "seats"}, {"version", "fair", "players"})
    if not isinstance(line["game"], str) or not isinstance(line["options"], dict):
        raise TraceError("trace.header", line=number)
    version = line.get("version")
    if "version" in line and (type(version) is not int or version < 1):
        raise TraceError("trace.game-version", line=number, found=_shown(version))
    try:
        game = find(line["game"])
    except QuadrigaError as fault:
        raise TraceError("trace.refused", line=number, reason=fault) from None
    try:
        reading = Reading(Match(game, line["options"], line["seats"]), number, version)
    except QuadrigaError as fault:
        raise explain_version(TraceError("trace.refused", line=number, reason=fault), game, version) from None
    if "players" in line:
        reading.players = _players(line["players"], reading.match.seats, number)
    if "fair" in line:
        reading.declare_fair(line["fair"], number)
    return reading


def _check_keys(
    line: Line, number: int, needed: set[str], optional: frozenset[str] | set[str] = frozenset()
) -> None:
    if missing := sorted(needed - set(line)):
        raise TraceError("trace.key-missing", line=number, keys=missing)
    if foreign := sorted(set(line) - needed - optional):
        raise TraceError("trace.key-unknown", line=number, keys=foreign)


def _players(value: object, seats: int, number: int) -> Players:
    if isinstance(value, list) and len(value) == seats and all(map(_is_player, value)):
        return value
    raise TraceError("trace.players", line=number, most=MAX_NAME)


def _is_player(value: object) -> bool:
    if not isinstance(value, dict) or set(value) not in ({"name"}, {"bot"}):
        return False
    (name,) = value.values()
    return isinstance(name, str) and 0 < len(name) <= MAX_NAME and name.isprintable()


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and len(value) == 2 * SEED_BYTES and set(value) <= set("0123456789abcdef")


def _same(value: object, right: object) -> bool:
    """Return whether two values are equal as JSON: 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True) == json.dumps(right, sort_keys=True)


def _shown(value: object) -> str:
    return json.dumps(value)

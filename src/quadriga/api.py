"""The public functions of Quadriga: start, load and save matches, list games and bots, and simulate games."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from quadriga import games, players
from quadriga.engine import files
from quadriga.engine.errors import OptionError
from quadriga.engine.game import Game
from quadriga.engine.match import trace, trace_reader
from quadriga.engine.match.arguments import check_seed
from quadriga.engine.match.dice import Dice, FairDice, SeededDice
from quadriga.engine.match.match import Match
from quadriga.engine.match.options import Document
from quadriga.lab.simulate import Simulation
from quadriga.lab.simulate import simulate as _simulate
from quadriga.players.bot import NamedBot

if TYPE_CHECKING:
    from quadriga.games import avecaesar, benhvrt, ur


def list_games() -> list[str]:
    """Return the ids of all games.

    >>> import quadriga
    >>> quadriga.list_games()[:3]
    ['ur', 'ave-caesar', 'ben-hvrt']
    """
    return games.ids()


def list_bots(game: str = "") -> list[str]:
    """Return the names of all bots, or of those that can play a game.

    >>> import quadriga
    >>> quadriga.list_bots("ur")[:3]
    ['random', 'greedy', 'search']
    """
    found = players.names()
    return [name for name in found if _can_play(name, _find(game))] if game else found


def bot(name: str, *, seed: int | None = None) -> NamedBot:
    """Return a bot by its name, such as `greedy`, `search:500` or the level `master`.

    With a seed it is reproducible.

    >>> import quadriga
    >>> match = quadriga.new("ur", seed=1)
    >>> greedy = quadriga.bot("greedy", seed=1)
    >>> greedy.choose(match)
    '3-5'
    """
    if not isinstance(name, str):
        raise OptionError("argument.type", name="name", value=name, allowed="TEXT")
    players.admit(name)
    players.check_name(name)
    return NamedBot(name, secrets.randbits(32) if seed is None else check_seed(seed))


@overload
def new(
    game: Literal["ur"], seats: int | None = None, *, seed: int | None = None, **options: object
) -> Match[ur.View]: ...
@overload
def new(
    game: Literal["ave-caesar"], seats: int | None = None, *, seed: int | None = None, **options: object
) -> Match[avecaesar.View]: ...
@overload
def new(
    game: Literal["ben-hvrt"], seats: int | None = None, *, seed: int | None = None, **options: object
) -> Match[benhvrt.View]: ...
@overload
def new(game: str, seats: int | None = None, *, seed: int | None = None, **options: object) -> Match: ...


def new(game: str, seats: int | None = None, *, seed: int | None = None, **options: object) -> Match:
    """Return a new match. With a seed it is reproducible; without one, its dice are fair and can be verified.

    Options are those of the command line: `courses=["blue"]`, `deck="mine.toml"`. Type checkers know what
    `view` of the match returns: `quadriga.games.ur.View` of a match of Ur.

    >>> import quadriga
    >>> quadriga.new("ave-caesar", 3, seed=1, courses=["blue"]).options["courses"]
    ['blue cw']
    """
    rules = _find(game)
    resolved, count = rules.resolve_options(_options(rules, options), seats)
    dice: Dice = FairDice([""] * count) if seed is None else SeededDice(check_seed(seed))
    return Match(rules, resolved, count, dice)


def dumps(match: Match) -> str:
    """Return the trace of a match as text.

    >>> import quadriga
    >>> quadriga.dumps(quadriga.new("ur", seed=1)).splitlines()[-1]
    '{"chance": "roll 2", "seat": 1}'
    """
    return trace.dumps(_checked_match(match))


def loads(text: str, *, seed: int | None = None) -> Match:
    """Return the first game of a trace, with every line checked. It goes on with new dice.

    >>> import quadriga
    >>> match = quadriga.new("ur", seed=1)
    >>> quadriga.loads(quadriga.dumps(match)) == match
    True
    """
    if not isinstance(text, str):
        raise OptionError("argument.type", name="text", value=text, allowed="TEXT")
    reading = next(trace_reader.read(text.encode("utf-8", "surrogatepass").splitlines(), games.find))
    return _continued(reading.match, seed)


def save(match: Match, path: Path | str) -> None:
    """Write the trace of a match to a file.

    >>> import quadriga
    >>> quadriga.save(quadriga.new("ur", seed=1), "game.jsonl")
    """
    files.write_text(_checked_path(path), trace.dumps(_checked_match(match)))


def load(path: Path | str, *, seed: int | None = None) -> Match:
    """Return the first game of a trace file, like `loads`.

    >>> import quadriga
    >>> quadriga.save(quadriga.new("ur", seed=1), "game.jsonl")
    >>> match = quadriga.load("game.jsonl")
    >>> match.push("3-5").text
    '3-5'
    """
    return _continued(next(trace_reader.read(files.read_lines(_checked_path(path)), games.find)).match, seed)


def simulate(
    game: str,
    games: int = 1000,
    *,
    seats: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    detail: bool = False,
    **options: object,
) -> Simulation:
    """Play random games and return their statistics; the same seed gives the same games.

    With `detail` the result also has every game, as the columns of a data frame: `result.columns()`.

    >>> import quadriga
    >>> result = quadriga.simulate("ur", games=100, seed=1, markers=1)
    >>> result.games, round(result.decisions.mean)
    (100, 26)
    """
    rules = _find(game)
    resolved, count = rules.resolve_options(_options(rules, options), seats)
    chosen_seed = secrets.randbits(32) if seed is None else seed
    return _simulate(rules, resolved, count, games=games, seed=chosen_seed, workers=workers, detail=detail)


def _find(game: str) -> Game:
    if not isinstance(game, str):
        raise OptionError("argument.type", name="game", value=game, allowed=" | ".join(games.ids()))
    return games.find(game)


def _can_play(name: str, game: Game) -> bool:
    try:
        players.check(name, game)
    except OptionError:
        return False
    return True


def _options(game: Game, given: Mapping[str, object]) -> dict[str, object]:
    """Return options in the form of traces. A file given by its path is read as the command line reads it."""
    known = {option.name: option for option in game.options}
    found: dict[str, object] = {}
    for name, value in given.items():
        option = known.get(name)
        if isinstance(option, Document) and isinstance(value, str | Path):
            fresh = game.read_flag(name, str(value))
        else:
            fresh = {name: option.from_python(value) if option else value}
        if twice := sorted(set(fresh) & set(found)):
            raise OptionError("option.twice", name=twice[0])
        found |= fresh
    return found


def _continued(match: Match, seed: int | None) -> Match:
    """Give a loaded match new dice, roll to its next decision, and return it."""
    match.dice = SeededDice(secrets.randbits(62) if seed is None else check_seed(seed))
    match.roll()
    return match


def _checked_match(match: object) -> Match:
    if not isinstance(match, Match):
        raise OptionError("argument.type", name="match", value=match, allowed="Match")
    return match


def _checked_path(path: object) -> Path | str:
    if not isinstance(path, str | Path):
        raise OptionError("argument.type", name="path", value=path, allowed="TEXT | Path")
    return path

"""What commands print: tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib import resources
from typing import TYPE_CHECKING, Any

from quadriga.engine import files
from quadriga.engine.game import Game
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words

if TYPE_CHECKING:  # rich and the lab are only loaded by those who need them
    from rich.console import Console

    from quadriga.engine.match.trace_reader import Reading
    from quadriga.lab.simulate import Simulation
    from quadriga.lab.totals import Spread


_RULING = "†"  # marks a house ruling in the rules for players


def print_json(content: Any) -> None:
    """A line of JSON, for programs."""
    import msgspec

    print(json.dumps(msgspec.to_builtins(content), ensure_ascii=False))


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False)


def games(found: list[Game], as_json: bool, say: Words) -> None:
    """The games there are, with their options."""
    if as_json:
        print_json([_described(game, say) for game in found])
        return
    for game in found:
        own = catalogues.of(say.language, "quadriga.cli", game.package)
        title = own(f"{game.id}.title") if f"{game.id}.title" in own else game.id
        seats = str(game.min_seats) if game.min_seats == game.max_seats else f"{game.min_seats}–{game.max_seats}"
        print(f"{game.id:<12} {title} ({own('cli.games.seats', seats=seats, n=game.max_seats)})")
        if f"{game.id}.about" in own:
            print(f"{'':<12} {own(f'{game.id}.about')}")
        for option in game.options:
            about = own(f"{game.id}.option.{option.name}") if f"{game.id}.option.{option.name}" in own else ""
            print(f"{'':<12}   {option.name}={option.allowed()}  {about}")


def _described(game: Game, say: Words) -> dict[str, Any]:
    own = catalogues.of(say.language, game.package)
    options, _ = game.resolve_options({}, None)
    return {
        "id": game.id,
        "title": own(f"{game.id}.title") if f"{game.id}.title" in own else game.id,
        "version": game.version,
        "seats": [game.min_seats, game.max_seats],
        "options": [{"name": o.name, "takes": o.allowed(), "default": options[o.name]} for o in game.options],
    }


def replayed(readings: Iterable[Reading], show: bool, as_json: bool, say: Words) -> None:
    """Games that replay, one line each; with `show` every position."""
    console = _console()
    count = 0
    for reading in readings:
        count += 1
        match = reading.match
        if as_json:
            result = match.scores if match.over else None
            print_json({"game": match.game.id, "entries": len(match.entries), "over": match.over, "scores": result})
            continue
        if show:
            _show(console, reading, say)
        key = "cli.replay.finished" if match.over else "cli.replay.unfinished"
        print(say(key, game=match.game.id, n=len(match.entries), scores=match.scores))
    if not as_json:
        print(say("cli.replay.all", n=count))


def _show(console: Console, reading: Reading, say: Words) -> None:
    match = reading.match
    own = catalogues.of(say.language, "quadriga.cli", match.game.package)
    entries = [None, *match.entries]
    for number, (entry, position) in enumerate(zip(entries, match.positions(), strict=True)):
        if entry is not None:
            who = "" if entry.seat is None else own.said(match.game.seat_name(match.t, entry.seat)) + ": "
            console.print(f"{number}. {who}{entry.text}", style="bold", markup=False)
        console.print(match.game.render_text(match.t, position.view(), own), soft_wrap=True)


def verified(readings: Iterable[Reading], as_json: bool, say: Words) -> None:
    """Records whose dice were what they promised."""
    from quadriga.engine.match.trace_reader import verify

    for reading in readings:
        events = verify(reading)
        if as_json:
            print_json({"game": reading.match.game.id, "events": events, "commitment": reading.commitment})
        else:
            print(say("cli.verify.good", n=events, commitment=reading.commitment))


def simulated(result: Simulation, game: Game, as_json: bool, say: Words) -> None:
    """What came out of a simulation."""
    if as_json:
        print_json(result)
        return
    from rich.table import Table

    own = catalogues.of(say.language, "quadriga.cli", game.package)
    console = _console()
    table = Table(
        title=own("cli.sim.title", game=game.id, games=f"{result.games:_}".replace("_", " "), seed=result.seed)
    )
    for column in ("seat", "wins", "interval", "score"):
        table.add_column(own(f"cli.sim.{column}"), justify="left" if column == "seat" else "right")
    t, _ = game.new(result.options, result.seats)
    for seat, (win, score) in enumerate(zip(result.wins, result.scores, strict=True)):
        name = own.said(game.seat_name(t, seat))
        table.add_row(name, f"{win.share:.2%}", f"{win.low:.2%} – {win.high:.2%}", f"{score.mean:.3f}")
    console.print(table)
    console.print(_spread(own("cli.sim.decisions"), result.decisions, own))
    console.print(_spread(own("cli.sim.chances"), result.chances, own))
    for name, spread in result.tallies.items():
        label = f"{game.id}.tally.{name}"
        console.print(_spread(own(label) if label in own else name, spread, own))
    if result.interrupted:
        console.print(own("cli.sim.interrupted", n=result.games), style="yellow")
    console.print(own("cli.sim.speed", rate=f"{result.timing['games_per_second']:.0f}"), style="dim")


def _spread(label: str, spread: Spread, say: Words) -> str:
    return say(
        "cli.sim.spread",
        label=label,
        mean=f"{spread.mean:.2f}",
        deviation=f"{spread.deviation:.2f}",
        least=spread.least,
        most=spread.most,
    )


def picture(svg: str, out: str, say: Words) -> None:
    """A picture, into a file or to standard output."""
    if out:
        files.write_text(out, svg)
        print(say("cli.draw.written", path=out))
    else:
        print(svg, end="")


def rules(game: Game, say: Words) -> None:
    """The rules of a game, in our own words."""
    from rich.markdown import Markdown

    page = resources.files(game.package).joinpath("words", f"rules.{say.language}.md")
    if not page.is_file():
        print(say("cli.rules.none", game=game.id))
        return
    text = page.read_text("utf-8").replace(f"**{_RULING}**", _RULING)
    _console().print(Markdown(text.replace(_RULING, f"**{_RULING}**")))

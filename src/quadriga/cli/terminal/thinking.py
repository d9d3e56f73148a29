"""Bots in the terminal: they think in a thread, and play at once while their code is being compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from rich.console import Console

from quadriga import players
from quadriga.cli.progress import WorkBar
from quadriga.cli.terminal.departure import Departure
from quadriga.cli.terminal.saves import Seating
from quadriga.engine.match.dice import SeededDice
from quadriga.engine.text.catalogues import Words
from quadriga.players import search
from quadriga.players.levels import named

T = TypeVar("T")
_QUICK = ("random", "greedy")  # need no thread
FALLBACK = "greedy"  # decides while the code of a thinking bot is being compiled
STRONGEST = "master"  # gives hints


class Thinking:
    """The bots of one game. With a seed, a game is reproducible, so it waits for the compiler instead."""

    def __init__(self, seating: Seating, departure: Departure, console: Console, say: Words) -> None:
        self.seating = seating
        self.game = seating.match.game
        self.departure = departure
        self.console = console
        self.say = say
        self._compiler: threading.Thread | None = None
        self._is_ready = False
        self._is_said = False

    def start(self) -> None:
        """Start compiling in the background if a bot needs it; with a seed, wait for it."""
        if not any(self._thinks(kind) for kind in self.seating.kinds) or self.is_ready():
            return
        if isinstance(self.seating.match.dice, SeededDice):
            with WorkBar(self.say) as bar:
                self.departure.wait_for(lambda: search.prepare(self.game, bar.report))
        else:
            self._compile()

    def is_ready(self) -> bool:
        """Return whether thinking bots need not wait for the compiler."""
        if not self._is_ready and (self._compiler is None or not self._compiler.is_alive()):
            self._is_ready = search.is_ready(self.game)
        return self._is_ready

    def decide(self) -> str:
        """Return the action of the bot whose turn it is."""
        match = self.seating.match
        kind = self.seating.kinds[match.actor]
        player = self.seating.player(match.actor)
        assert player is not None
        if self._thinks(kind) and not self.is_ready():
            self._announce(kind)
            return players.find(FALLBACK, self.game, self.seating.bot_seed).decide(players.Perspective(match))
        if named(kind, self.game).partition(":")[0] in _QUICK:
            return player.decide(players.Perspective(match))
        return self._think(lambda: player.decide(players.Perspective(match)))

    def consider(self) -> tuple[str, list[players.Considered]]:
        """Return the strongest bot's action for the seat to decide, and the worth of each, if it is ready."""
        match = self.seating.match
        if not self.is_ready():
            self._compile()
            greedy = players.find(FALLBACK, self.game, self.seating.bot_seed)
            return self._think(lambda: greedy.decide(players.Perspective(match))), []
        master = players.find(STRONGEST, self.game, self.seating.bot_seed)
        if not isinstance(master, players.Considers):
            return self._think(lambda: master.decide(players.Perspective(match))), []
        found = self._think(lambda: master.consider(players.Perspective(match)))
        return (found[0].text if found else self._think(lambda: master.decide(players.Perspective(match)))), found

    def _think(self, work: Callable[[], T]) -> T:
        """Return the result of work that takes a while; a terminal shows that somebody thinks."""
        if not self.console.is_terminal:
            return self.departure.wait_for(work)
        with self.console.status(self.say("cli.play.thinking")):
            return self.departure.wait_for(work)

    def _compile(self) -> None:
        if self._compiler is None:
            self._compiler = threading.Thread(
                target=lambda: search.prepare(self.game, lambda *_: None), name="compiler", daemon=True
            )
            self._compiler.start()

    def _announce(self, kind: str) -> None:
        """Say once that another bot plays for this one."""
        if not self._is_said:
            self._is_said = True
            self.console.print(self.say("cli.play.meanwhile", kind=kind, fallback=FALLBACK), style="dim")

    def _thinks(self, kind: str) -> bool:
        return named(kind, self.game).partition(":")[0] == "search"

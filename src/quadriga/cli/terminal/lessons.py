"""Take the lessons of a game in the terminal. Finished lessons are remembered in the user's data folder."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.console import Console

from quadriga.cli.output import console as make_console
from quadriga.cli.terminal import saves
from quadriga.cli.terminal.exercise import Exercise
from quadriga.cli.terminal.prompt import PlayerLeftError
from quadriga.cli.terminal.session import Session
from quadriga.engine import files
from quadriga.engine.errors import FileError
from quadriga.engine.folders import data_path
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.games import find
from quadriga.learn.first_race import PROGRESS, Tutor, first_race, has_first_race
from quadriga.learn.lesson import Lesson, course, find_lesson, games_with_courses
from quadriga.learn.unroll import OpenStep, open_step


def progress_file() -> Path:
    """Return the file that remembers finished lessons: in the folder that the system has for a user's data."""
    return data_path("lessons.json")


def finished_lessons() -> dict[str, list[str]]:
    """Return the finished lessons by game; a file that cannot be read counts as empty."""
    try:
        return msgspec.json.decode(progress_file().read_bytes(), type=dict[str, list[str]])
    except (OSError, msgspec.DecodeError):
        return {}


def remember(id: str, lesson: str, console: Console, say: Words) -> None:
    """Store that a lesson is finished; a folder that cannot be written costs only the memory."""
    done = finished_lessons()
    if lesson in done.get(id, []):
        return
    done.setdefault(id, []).append(lesson)
    try:
        progress_file().parent.mkdir(parents=True, exist_ok=True)
        files.write_text(progress_file(), msgspec.json.encode(done).decode())
    except (OSError, FileError) as fault:
        reason = fault.text(say.language) if isinstance(fault, FileError) else str(fault)
        console.print(say("cli.learn.unkept", reason=reason), style="dim", markup=False)


def play_first_race(id: str, say: Words, seed: int | None = None) -> int:
    """Play the first race of a game in the terminal, and return the exit code."""
    race, game = first_race(id), find(id)
    kinds = [saves.HUMAN if seat == race.seat else race.bot for seat in range(race.seats)]
    seating = saves.seat_players(game, race.options, kinds, [], seed)
    session = Session(seating, say, auto=True, tutor=Tutor(id))
    code = session.run()
    if seating.match.over:
        remember(id, PROGRESS, session.console, session.say)
    return code


def list_courses(say: Words) -> None:
    """Print the courses, their lessons and which of them are finished."""
    console, done = make_console(), finished_lessons()
    for game in games_with_courses():
        words = catalogues.of(say.language, "quadriga.cli", find(game).package)
        console.print(f"{words(f'{game}.title')}  (quadriga learn {game})", style="bold", markup=False)
        for lesson in course(game).lesson:
            mark = "✓" if lesson.id in done.get(game, []) else " "
            console.print(f"  {mark} {lesson.id:<12} {lesson.titled(say.language)}", markup=False)
        if has_first_race(find(game)):
            mark = "✓" if PROGRESS in done.get(game, []) else " "
            console.print(f"  {mark} {'--race':<12} {words('cli.learn.first-race')}", markup=False)


class LessonSession(Exercise):
    """The lessons of one game, from the first that is not finished. `n` skips a lesson, `r` repeats its task."""

    def __init__(self, id: str, say: Words, *, first: str = "", again: bool = False) -> None:
        super().__init__(id, say, {"n": self._skip, "r": self._repeat})
        lessons = course(id).lesson
        done = finished_lessons().get(id, [])
        if first:
            start = lessons.index(find_lesson(id, first))
        else:
            left = [number for number, lesson in enumerate(lessons) if lesson.id not in done]
            start = left[0] if left and not again else 0
        self.lessons = lessons[start:]
        self.total, self.start = len(lessons), start
        self._skipped = False

    def run(self) -> None:
        """Take lesson after lesson until the learner leaves or none is left."""
        self.console.print(self.say("cli.learn.keys"), style="dim", markup=False)
        try:
            for number, lesson in enumerate(self.lessons, self.start + 1):
                self._take(number, lesson)
        except PlayerLeftError:
            return
        self.print(self.say("cli.learn.finished", game=self.game.id), "bold")
        if has_first_race(self.game):
            self._offer_race()

    def _offer_race(self) -> None:
        """Play the first race after the last lesson, unless the learner leaves."""
        try:
            answer = self.read(self.say("cli.learn.race"))
        except PlayerLeftError:
            return
        if not answer:
            play_first_race(self.game.id, self.say)

    def _take(self, number: int, lesson: Lesson) -> None:
        title = self.say("cli.learn.title", number=number, total=self.total, title=lesson.titled(self.say.language))
        self._skipped = False
        for step in lesson.step:
            self.console.print()
            self.console.print(title, style="bold", markup=False)
            opened = open_step(self.game.id, lesson, step)
            self._show(opened)
            while not self._skipped and not self._try(opened):
                pass
            if self._skipped:
                return
        remember(self.game.id, lesson.id, self.console, self.say)

    def _show(self, step: OpenStep) -> None:
        """Print the position, the task and the legal actions."""
        self.draw(step.match, step.view)
        self.print(step.say[self.say.language])
        width = max(map(len, step.replies))
        for number, (text, reply) in enumerate(step.replies.items(), 1):
            self.print(f"  {number:>2}  {text:<{width}}  {self.effects(reply.effects)}", indent=8)

    def _try(self, step: OpenStep) -> bool:
        """Ask for one action and answer it; return whether it reached the goal."""
        chosen = self.choose(self.say("cli.learn.ask"), list(step.replies))
        if chosen is None:
            if not self._skipped:
                self._show(step)
            return False
        reply = step.replies[chosen]
        sign = "✓" if reply.is_goal else "✗"
        self.print(f"{sign} {reply.answer[self.say.language]}", "green" if reply.is_goal else "yellow", 2)
        return reply.is_goal

    def _skip(self, rest: str) -> bool:
        self._skipped = True
        return True

    def _repeat(self, rest: str) -> bool:
        return True

"""Write the lessons and puzzles for the page, with every legal action played out, into web/src/lessons/."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from quadriga.engine import files
from quadriga.learn.lesson import games_with_courses
from quadriga.learn.puzzles import games_with_puzzles
from quadriga.server.present.lessons import lesson_course, page_puzzles

FOLDER = Path(__file__).parent.parent / "web" / "src" / "lessons"
PART = 30  # puzzles in a file; a page loads one


def main() -> None:
    """Write the lessons of each game, what its puzzles share, and the puzzles in parts."""
    shutil.rmtree(FOLDER / "puzzles", ignore_errors=True)
    for game in games_with_puzzles():
        (FOLDER / "puzzles" / game).mkdir(parents=True)
    for game in games_with_courses():
        _write(f"{game}.json", lesson_course(game))
    for game in games_with_puzzles():
        shared, known = page_puzzles(game)
        _write(f"puzzles/{game}.json", {"part": PART, **msgspec.to_builtins(shared)})
        for number, first in enumerate(range(0, len(known), PART)):
            _write(f"puzzles/{game}/{number}.json", known[first : first + PART])


def _write(name: str, content: object) -> None:
    files.write_text(FOLDER / name, msgspec.json.encode(content).decode())


if __name__ == "__main__":
    main()

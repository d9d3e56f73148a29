"""Write the lessons and puzzles for the page, with every legal action played out, into web/src/lessons/."""

from __future__ import annotations

from pathlib import Path

import msgspec

from quadriga.engine import files
from quadriga.learn.lesson import games_with_courses
from quadriga.learn.puzzles import puzzles
from quadriga.server.present.lessons import lesson_course, page_puzzle, puzzle_board

FOLDER = Path(__file__).parent.parent / "web" / "src" / "lessons"
PART = 30  # puzzles in a file; a page loads one


def main() -> None:
    """Write one file per game, one for all puzzles, and their parts."""
    (FOLDER / "puzzles").mkdir(parents=True, exist_ok=True)
    for game in games_with_courses():
        _write(f"{game}.json", lesson_course(game))
    known = puzzles()
    _write("puzzles.json", {"part": PART, **msgspec.to_builtins(puzzle_board())})
    for number, first in enumerate(range(0, len(known), PART)):
        _write(f"puzzles/{number}.json", [page_puzzle(each) for each in known[first : first + PART]])


def _write(name: str, content: object) -> None:
    files.write_text(FOLDER / name, msgspec.json.encode(content).decode())


if __name__ == "__main__":
    main()

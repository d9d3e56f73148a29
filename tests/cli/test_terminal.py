"""Playing in a real terminal: sizes, languages, keys, signals, saves."""

import json
import os
import signal
from itertools import product
from typing import Any

import pytest

from cli.terminal import Terminal
from quadriga.cli.terminal import saves
from soak import rows

UR = ("play", "ur", "--option", "rules=finkel", "--seed", "2", "--auto")


def saved_game(folder):
    (path,) = folder.glob("ur-*.jsonl")
    return saves.read(path)


@pytest.mark.parametrize("signal_number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_a_signal_saves_the_game_and_is_told_in_the_exit_code(tmp_path, signal_number):
    with Terminal(*UR, folder=tmp_path) as terminal:
        terminal.until("your move")
        terminal.type("1")
        terminal.until("your move")
        terminal.process.send_signal(signal_number)
        assert terminal.end() == 128 + signal_number
        assert "Saved in ur-" in terminal.shown
    assert [entry.text for entry in saved_game(tmp_path).match.entries if entry.seat == 0 and not entry.chance]


UNNOTICED = """
import signal, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()  # this one gets the signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
"""


def test_a_signal_that_does_not_interrupt_the_read_is_noticed_too(tmp_path):
    """As one that comes just before the read begins."""
    (tmp_path / "sitecustomize.py").write_text(UNNOTICED)
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    with Terminal(*UR, folder=tmp_path, PYTHONPATH=path) as terminal:
        terminal.until("your move")
        terminal.type("1")
        terminal.until("your move")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 128 + signal.SIGTERM
        assert "Saved in ur-" in terminal.shown


def test_closing_the_terminal_saves_the_game(tmp_path):
    with Terminal(*UR, folder=tmp_path) as terminal:
        terminal.until("your move")
        terminal.type("1")
        terminal.until("your move")
        terminal.hang_up()
        assert terminal.process.wait(timeout=60) == 129
    assert saved_game(tmp_path).match.entries


def test_the_key_for_interrupts_saves_and_exits_with_130(tmp_path):
    with Terminal(*UR, folder=tmp_path) as terminal:
        terminal.until("your move")
        terminal.type("1")
        terminal.until("your move")
        terminal.press(b"\x03")
        assert terminal.end() == 130
    assert saved_game(tmp_path).match.entries


def test_a_folder_that_cannot_be_written_loses_nothing(tmp_path):
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    temporary.mkdir()
    with Terminal(*UR, folder=here, HOME=str(tmp_path / "missing"), TMPDIR=str(temporary)) as terminal:
        terminal.until("your move")
        terminal.type("1")
        terminal.until("your move")
        here.rmdir()
        terminal.type("q")
        terminal.until("Saved in")
        assert terminal.end() == 0
    assert saved_game(temporary).match.entries


def test_saving_does_not_overwrite_silently(tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text("precious")
    with Terminal(*UR, folder=tmp_path) as terminal:
        terminal.until("your move")
        terminal.type("s other.jsonl")
        terminal.until("exists already")
        terminal.type("s mine.jsonl")
        terminal.until("Saved in mine.jsonl")
        terminal.type("s mine.jsonl")  # its own file
        terminal.until("Saved in mine.jsonl")
        assert other.read_text() == "precious"
        terminal.type("s! other.jsonl")
        terminal.until("Saved in other.jsonl")
        terminal.type("q")
        assert terminal.end() == 0
    assert saves.read(other).match


def test_undo_against_bots_goes_back_to_ones_own_last_move(tmp_path):
    with Terminal(*UR, folder=tmp_path) as terminal:
        terminal.until("your move")
        terminal.type("U")  # commands may be written in upper case
        terminal.until("nothing to undo")
        terminal.type("1")
        terminal.until("your move")
        terminal.type("u")
        terminal.until("Undone: 0-2")
        terminal.until("Light, your move (1)")
        terminal.type("q")
        terminal.end()


def test_the_board_is_drawn_again_with_the_targets_of_a_roll(tmp_path):
    with Terminal("play", "ur", "--option", "rules=finkel", "--seed", "2", folder=tmp_path) as terminal:
        before = terminal.until("Enter to roll >")
        assert "[1]" not in before
        terminal.type("")
        assert "[1]" in terminal.until("your move")
        terminal.press(b"\x04")
        terminal.end()


@pytest.mark.parametrize(
    ("columns", "language"),
    rows([*product((80, 60, 40), ("en", "fr"))], {(80, "en"), (40, "fr")}.__contains__),
)
@pytest.mark.parametrize("game", ["ur", "ave-caesar", "ben-hvrt"])
def test_everything_fits_into_the_terminal(tmp_path, columns, language, game):
    arguments = ["play", game, "--seed", "4", "--auto", "--lang", language]
    with Terminal(*arguments, folder=tmp_path, columns=columns) as terminal:
        shown = ""
        for typed in ("1", "1", "1", "?", "b", "q"):
            shown += terminal.until(") >")
            terminal.type(typed)
        assert terminal.end() == 0
    lines = [line for line in shown.splitlines() if "commit" not in line and "engag" not in line]
    assert [line for line in lines if len(line) > columns] == []
    if game != "ben-hvrt":  # its first choices are bids, and not on the track
        assert "[1]" in shown


def test_only_commands_that_make_sense_are_offered(tmp_path):
    for game, has_windows in (("ur", False), ("ben-hvrt", True)):
        with Terminal("play", game, "--seed", "4", "--auto", folder=tmp_path) as terminal:
            assert ("w sets when you are asked" in terminal.until(") >").replace("\n", " ")) == has_windows
            terminal.type("w none")
            assert ("You are asked: -" in terminal.until(") >")) == has_windows
            terminal.type("q")
            terminal.end()


def test_hints_come_from_a_quick_bot_until_the_strong_one_is_compiled(tmp_path):
    cold: dict[str, Any] = {"QUADRIGA_CACHE": str(tmp_path / "cold"), "QUADRIGA_JOBS": "1"}
    with Terminal("play", "ur", "--seed", "2", "--auto", folder=tmp_path, **cold) as terminal:
        terminal.until("your move")
        terminal.type("h")
        terminal.until("being compiled")
        terminal.type("q")
        assert terminal.end() == 0


def test_hints_name_the_worth_of_every_move(tmp_path):
    with Terminal("play", "ur", "--option", "markers=1", "--seed", "2", "--auto", folder=tmp_path) as terminal:
        terminal.until("your move")
        terminal.type("h")
        shown = terminal.until("your move")
        if "being compiled" not in shown:
            assert "% " in shown
            assert "searched" in shown
        terminal.type("q")
        assert terminal.end() == 0


def test_a_strong_bot_plays_at_once_and_another_plays_for_it_meanwhile(tmp_path):
    cold: dict[str, Any] = {"QUADRIGA_CACHE": str(tmp_path / "cold"), "QUADRIGA_JOBS": "1"}
    seats = ("--seat", "human", "--seat", "master")
    with Terminal("play", "ave-caesar", *seats, "--seat", "hard", folder=tmp_path, **cold) as terminal:
        shown = terminal.until("your move")
        terminal.type("1")
        shown += terminal.until("your move")
        assert "greedy plays for" in shown
        terminal.type("q")
        assert terminal.end() == 0


def test_numbers_begin_with_one_and_case_does_not_matter(tmp_path):
    with Terminal("play", "ben-hvrt", "--seed", "4", "--auto", folder=tmp_path) as terminal:
        shown = terminal.until(") >")
        assert "fit Old Decimus 1 " in shown
        assert "fit Old Decimus 3 " in shown
        for typed in ("fit Old Decimus 0", "fit Old Decimus 2"):  # what files call the chariots of seat 1
            terminal.type(typed)
            said = " ".join(terminal.until(") >").split())
            assert f"'{typed}' is not legal here. Legal:" in said
            assert "fit Old Decimus 1, fit Old Decimus 3" in said
        terminal.type("FIT old decimus 3")
        terminal.until("Seat 1: fit Old Decimus 3")
        terminal.until("○3  [Old Decimus]")
        terminal.type("q")
        terminal.end()
    (path,) = tmp_path.glob("ben-hvrt-*.jsonl")
    assert saves.read(path).match.entries[-1].text == "fit Old Decimus 2"  # files count from 0


def test_ave_caesar_fits_into_24_lines(tmp_path):
    with Terminal("play", "ave-caesar", "--seed", "1", "--lang", "fr", folder=tmp_path, rows=24) as terminal:
        shown = terminal.until(") >")
        page = shown[shown.index("Course 1 sur 4 : blanche, sens horaire") :]
        assert page[: page.index("Vos cartes")].count("\n") <= 16  # so the moves are on the same screen
        assert "[1]" in page
        assert "pioche une carte (" in shown
        assert "draw" not in shown
        terminal.type("q")
        terminal.end()


def refused(tmp_path, *arguments):
    with Terminal("play", *arguments, folder=tmp_path) as terminal:
        assert terminal.end() == 2
        return " ".join(terminal.shown.split())


def test_a_record_that_could_not_be_written_is_refused_before_the_game(tmp_path):
    assert "cannot be written: No such file" in refused(tmp_path, "ur", "--record", "missing/r.jsonl")
    (tmp_path / "r.jsonl").write_text("precious")
    assert "exists already" in refused(tmp_path, "ur", "--record", "r.jsonl")
    assert (tmp_path / "r.jsonl").read_text() == "precious"


def test_resuming_refuses_options_that_contradict_the_save(tmp_path):
    with Terminal(*UR, folder=tmp_path) as terminal:
        terminal.until("your move")
        terminal.type("s half.jsonl")
        terminal.until("Saved in")
        terminal.type("q")
        terminal.end()
    for arguments, said in (
        (["ave-caesar"], 'saved with game "ur", not "ave-caesar"'),
        (["--option", "markers=3"], "saved with --option markers 7, not 3"),
        (["--seat", "human", "--seat", "random"], 'saved with --seat "normal", not "random"'),
        (["--seed", "3"], "saved with --seed 2, not 3"),
        (["--word", "ave"], "not"),
    ):
        assert said in refused(tmp_path, *arguments, "--resume", "half.jsonl")
    same = ["ur", "--resume", "half.jsonl", "--seed", "2", "--option", "rules=finkel", "--auto"]
    with Terminal("play", *same, folder=tmp_path) as terminal:
        terminal.until("your move")
        terminal.type("q")
        assert terminal.end() == 0


COLD = [
    ("sim", "ben-hvrt", "--games", "10"),
    ("warmup", "ave-caesar"),
    ("play", "ave-caesar", "--seat", "human", "--seat", "master", "--seat", "master", "--seed", "1"),
]


@pytest.mark.parametrize("arguments", rows(COLD, COLD[0].__eq__, [each[0] for each in COLD]))
def test_an_interrupt_while_compiling_ends_the_command(tmp_path, arguments):
    cold: dict[str, Any] = {"QUADRIGA_CACHE": str(tmp_path / "cold"), "QUADRIGA_JOBS": "2"}
    with Terminal(*arguments, folder=tmp_path, **cold) as terminal:
        terminal.until("Compiling, once")
        terminal.press(b"\x03")
        assert terminal.end() == 130
        assert "Traceback" not in terminal.shown
        assert "ignored" not in terminal.shown


def test_an_interrupt_while_compiling_in_the_process_itself_ends_the_command(tmp_path):
    cold: dict[str, Any] = {"QUADRIGA_CACHE": str(tmp_path / "cold"), "QUADRIGA_JOBS": "0"}
    with Terminal("sim", "ur", "--games", "10", folder=tmp_path, **cold) as terminal:
        terminal.until("Compiling, once")
        terminal.press(b"\x03")
        assert terminal.end() == 130
        assert "Traceback" not in terminal.shown


def test_an_interrupted_arena_prints_its_standings(tmp_path):
    arguments = ["arena", "ur", "--players", "greedy,random", "--games", "1_000_000_000", "--all", "--workers", "2"]
    with Terminal(*arguments, folder=tmp_path) as terminal:
        terminal.until("/1000000000")
        terminal.press(b"\x03")
        assert terminal.end() == 130
        assert "Interrupted after" in terminal.shown


def test_progress_moves_and_names_the_time_left(tmp_path):
    cold: dict[str, Any] = {"QUADRIGA_CACHE": str(tmp_path / "cold"), "QUADRIGA_JOBS": "2"}
    with Terminal("sim", "highcard", "--games", "10", "--json", folder=tmp_path, **cold) as terminal:
        terminal.until("s left")
        assert terminal.end(150) == 0
        assert json.loads(terminal.shown.splitlines()[-1])["games"] == 10

"""Custom decks and tracks on the command line."""

import json
from importlib import resources
from pathlib import Path

import pytest

from quadriga.cli import main

DATA = resources.files("quadriga.games.benhvrt").joinpath("data")


@pytest.fixture
def quadriga(capsys):
    """Run a command in this process; return exit code, standard output and standard error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        printed = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, printed.out, printed.err

    return run


@pytest.fixture
def deck(tmp_path):
    """Write a deck file: the standard deck without its last card."""
    path = tmp_path / "deck.toml"
    path.write_text(DATA.joinpath("deck.toml").read_text("utf-8").rpartition("[[card]]")[0], encoding="utf-8")
    return str(path)


@pytest.fixture
def track(tmp_path):
    """Write a small track file."""
    path = tmp_path / "track.toml"
    path.write_text("straights = [1, 1, 3]\ncurves = [1, 1, 2, 2]\nsquare = 10\ncurve = 20\n")
    return str(path)


def test_a_good_deck_is_summed_up(quadriga, deck):
    assert quadriga("deck", "check", deck) == (
        0,
        f"{deck}: a good deck of 79 cards (Move 34, Event 22, Improvement 14, Driver 9).\n",
        "",
    )
    french = quadriga("deck", "check", deck, "--lang", "fr")[1]
    assert "un bon jeu de 79 cartes (carte mouvement 34, Évènement 22" in french
    found = json.loads(quadriga("deck", "check", deck, "--json")[1])
    assert found["cards"] == 79
    assert found["kinds"] == {"Move": 34, "Event": 22, "Improvement": 14, "Driver": 9}


def test_a_deck_is_listed_with_what_its_cards_cost(quadriga, deck):
    code, out, _ = quadriga("deck", "check", deck, "--list")
    lines = out.splitlines()
    assert (code, len(lines)) == (0, 1 + 39)
    assert "  5× Add 1 — Move, 2 D, after a roll: Add 1 to a roll, anybody's." in lines
    assert any(line.startswith("  2× Tow Rope — Improvement, 6 D, upkeep 1 D a lap, always on: ") for line in lines)
    assert any(
        line.startswith("  1× The Numidian — Driver, 10 D, upkeep 2 D a lap, before your roll: ") for line in lines
    )
    assert any("Old Decimus — Driver, 4 D, upkeep 1 D for every two laps" in line for line in lines)
    assert any("Matched Greys — Improvement, 5 D, upkeep 2 D a race" in line for line in lines)
    assert "maintenance 2 D par tour" in quadriga("deck", "check", deck, "--list", "--lang", "fr")[1]


def test_cards_without_texts_are_named_but_valid(quadriga, tmp_path):
    path = tmp_path / "bare.toml"
    path.write_text(
        '[[card]]\nname = "Bare"\nkind = "Move"\ncopies = 1\nprice = 1\nwindow = "RO"\ndoes = [["set", 1]]'
    )
    code, out, _ = quadriga("deck", "check", str(path))
    assert code == 0
    assert out.splitlines()[1:] == [
        "  Without a text: Bare.",
        "  Without a name and a text in French: Bare.",
    ]


def test_a_good_track_is_summed_up(quadriga, track):
    code, out, _ = quadriga("track", "check", track)
    assert code == 0
    assert out == (
        f"{track}: a good track of 4 lanes, a lap of 90.\n"
        "  Squares of the lanes, from the inside: 7, 7, 9, 9. Chariots line up in 3 ranks.\n"
    )
    assert json.loads(quadriga("track", "check", track, "--json")[1])["lanes"] == [7, 7, 9, 9]
    assert "une bonne piste de 4 couloirs" in quadriga("track", "check", track, "--lang", "fr")[1]


def test_every_error_of_a_deck_is_one_line(quadriga, tmp_path):
    path = tmp_path / "deck.toml"
    rest = "copies = 1\nprice = 1\n"
    first, second = 'name = "A"\nkind = "Moves"\n', 'name = "B"\nkind = "Event"\ndoes = [["fly"]]\n'
    path.write_text(f"[[card]]\n{first}{rest}[[card]]\n{second}{rest}")
    code, out, err = quadriga("deck", "check", str(path))
    assert (code, out) == (2, "")
    first, second = err.splitlines()
    assert first == f"quadriga: {path}: line 3: Card A: kind is one of: Move, Event, Improvement, Driver."
    assert second.startswith(
        f"quadriga: {path}: line 9: Card B: there is no operation 'fly'. There are: add, set, "
    )
    assert "ligne 9 : Carte B : il n'y a pas d'opération" in quadriga("deck", "check", str(path), "--lang", "fr")[2]


def test_every_error_of_a_track_is_one_line(quadriga, tmp_path):
    path = tmp_path / "track.toml"
    path.write_text("straights = [1, 2]\ncurves = [4, 6]\nsquare = 0\n")
    code, out, err = quadriga("track", "check", str(path))
    assert (code, out) == (2, "")
    assert [line.split(": ")[2] for line in err.splitlines()] == ["line 1", "line 3", "The track"]


def test_a_file_that_is_not_toml_is_refused_with_line_and_column(quadriga, tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text('[[card]]\nname "A"\n')
    code, _, err = quadriga("deck", "check", str(path))
    assert code == 2
    assert err == f"quadriga: {path}, line 2, column 6: this is not TOML ('=' is missing).\n"
    french = quadriga("deck", "check", str(path), "--lang", "fr")[2]
    assert french == f"quadriga: {path}, ligne 2, colonne 6 : ce n'est pas du TOML (il manque '=').\n"
    path.write_text("[[card]]\nname = ")
    assert f"{path}, line 2, column 8: " in quadriga("deck", "check", str(path))[2]


@pytest.mark.parametrize(
    "command", [["deck"], ["deck", "burn"], ["track"], ["deck", "check"], ["track", "check", "a", "b"]]
)
def test_an_incomplete_command_is_one_clear_line(quadriga, command):
    code, out, err = quadriga(*command)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["deck", "track"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_help_in_both_languages(quadriga, command, language):
    for arguments in ([command, "--help"], [command, "check", "--help"]):
        code, out, _ = quadriga(*arguments, "--lang", language)
        assert code == 0
        assert ("Montre ce texte" in out) == (language == "fr")


def test_a_deck_and_a_track_go_into_the_trace_and_it_replays(quadriga, deck, track, tmp_path):
    arguments = ["--deck", deck, "--track", track, "--option", "series=1", "--seats", "4", "--seed", "3"]
    code, out, _ = quadriga("trace", "ben-hvrt", *arguments)
    assert code == 0
    options = json.loads(out.splitlines()[0])["options"]
    assert len(options["deck"]["card"]) == 39
    assert options["track"]["curves"] == [1, 1, 2, 2]
    path = tmp_path / "game.jsonl"
    path.write_text(out, encoding="utf-8")
    assert quadriga("replay", str(path))[0] == 0


def test_a_custom_track_is_drawn_and_simulated(quadriga, deck, track):
    drawn = quadriga("draw", "ben-hvrt", "--track", track)[1]
    assert drawn.startswith("<svg")
    assert drawn != quadriga("draw", "ben-hvrt")[1]
    arguments = ["--deck", deck, "--track", track, "--option", "series=1", "--games", "2", "--seed", "1", "--plain"]
    assert json.loads(quadriga("sim", "ben-hvrt", *arguments, "--json")[1])["games"] == 2


@pytest.mark.parametrize("flag", ["--deck", "--track"])
def test_wrong_files_and_other_games_are_one_clear_line(quadriga, flag, tmp_path):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("colour = 1\n")
    _, _, faults = quadriga(flag[2:], "check", str(wrong))
    for arguments, said in (
        (["ben-hvrt", flag, str(wrong)], faults),
        (["ben-hvrt", flag, str(tmp_path)], None),
        (["ben-hvrt", "--option", f"{flag[2:]}={wrong}"], faults),
        (["ur", flag, str(wrong)], None),
    ):
        for command in ("trace", "sim", "draw", "play"):
            code, out, err = quadriga(command, *arguments)
            assert (code, out) == (2, "")
            assert err == said or (said is None and err.count("\n") == 1)


@pytest.mark.parametrize("flag", ["--deck", "--track"])
def test_a_flag_and_its_option_say_the_same(quadriga, flag, tmp_path):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("\ncolour = 1\n")
    said = quadriga("trace", "ben-hvrt", flag, str(wrong))
    assert f"{wrong}: line 2: " in said[2]
    assert quadriga("trace", "ben-hvrt", "--option", f"{flag[2:]}={wrong}") == said


COURSES = Path(__file__).parents[2] / "src/quadriga/games/avecaesar/data/courses.json"


def test_a_good_course_file_is_summed_up(quadriga):
    code, out, _ = quadriga("course", "check", str(COURSES))
    assert code == 0
    assert out.splitlines()[0].endswith(": a good file of 8 courses.")
    assert out.splitlines()[1].startswith("  white cw: ")
    found = json.loads(quadriga("course", "check", str(COURSES), "--json")[1])["courses"]
    assert [each["course"] for each in found[:2]] == ["white cw", "white ccw"]
    assert found[0]["starts"] >= 4
    assert "bon fichier" in quadriga("course", "check", str(COURSES), "--lang", "fr")[1]


def test_every_error_of_a_course_file_is_one_line(quadriga, tmp_path):
    document = json.loads(COURSES.read_text())
    names = list(document["segments"])[:2]
    document["segments"][names[0]]["lanes"] = "many"
    document["segments"][names[1]]["turn"] = "right"
    document["courses"]["no name"] = {"order": []}
    document["courses"]["short"] = {"order": ["A3"]}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(document))
    code, out, err = quadriga("course", "check", str(path))
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert len(lines) == 4
    assert all(line.startswith(f"quadriga: {path}: ") for line in lines)
    for word in (*names, "no name", "short"):
        assert sum(word in line for line in lines) >= 1, word
    assert quadriga("sim", "ave-caesar", "--course", str(path))[2] == err


@pytest.mark.parametrize("command", ["lab", "sim", "trace"])
def test_a_command_names_all_errors_of_a_deck_as_its_check_does(quadriga, tmp_path, command):
    path = tmp_path / "deck.toml"
    path.write_text('[[card]]\nname = "A"\ntype = "driver"\n\n[[card]]\nname = "A"\nprice = "high"\n')
    code, _, said = quadriga("deck", "check", str(path))
    assert code == 2
    assert len(said.splitlines()) > 2
    for given in (("--deck", str(path)), ("--option", f"deck={path}")):
        code, out, err = quadriga(command, "ben-hvrt", *given)
        assert (code, out, err) == (2, "", said)
    code, _, err = (
        quadriga(command, "ben-hvrt", "--deck", str(path), "--json") if command != "trace" else (2, "", "")
    )
    assert all("error" in json.loads(line) for line in err.splitlines())

"""Playing in the terminal: a whole game by numbers and by notation, help, undo, saves, records."""

import json

import pytest
from rich.console import Console

import forked
import quadriga
from games.benhvrt.positions import position
from quadriga.cli.terminal import saves
from quadriga.cli.terminal.board import Board
from quadriga.engine.errors import TraceError
from quadriga.engine.text import catalogues
from quadriga.games import find


@pytest.fixture
def play(tmp_path):
    """Play with these lines typed, in the test's own folder; return exit code and output."""

    def run(typed: str, *arguments: str) -> tuple[int, str]:
        done = forked.run("play", *arguments, typed=typed, folder=tmp_path)
        assert done.stderr == ""
        return done.returncode, done.stdout

    return run


def test_a_whole_game_against_the_random_player_by_numbers(play, tmp_path):
    code, out = play("1\n" * 3000, "ur", "--option", "markers=2", "--seed", "1", "--auto", "--record", "r.jsonl")
    assert code == 0
    assert "Winner:" in out
    assert "verify r.jsonl" in out
    assert json.loads((tmp_path / "r.jsonl").read_text().splitlines()[-1])["result"]


def test_fair_dice_are_committed_before_and_shown_after(play, tmp_path):
    _, out = play("1\n" * 3000, "ur", "--option", "markers=1", "--auto", "--word", "ave", "--record", "r.jsonl")
    lines = (tmp_path / "r.jsonl").read_text().splitlines()
    fair, seed = json.loads(lines[0])["fair"], json.loads(lines[-1])["seed"]
    assert f"committed to {fair['commitment']}" in out.replace("\n", " ").replace("  ", " ")
    assert fair["words"] == ["ave", ""]
    assert seed in out.replace("\n", "")
    from quadriga.cli import main

    with pytest.raises(SystemExit) as end:
        main(["verify", str(tmp_path / "r.jsonl")])
    assert end.value.code == 0


def test_by_notation_with_questions_and_mistakes_on_the_way(play):
    typed = "\nnonsense\n?\nb\n99\n0-2\n"  # roll, then at the first decision
    code, out = play(typed, "ur", "--option", "rules=finkel", "--seed", "2")
    assert code == 0
    assert "'nonsense' is not legal here. Legal: 0-2." in out
    assert "There is no such number here: enter 1, or a move in notation." in out
    assert "UR-4.1" in out
    assert "quadriga rules ur" in out
    assert "Light: 0-2  enters the board, lands on space 2" in out


def test_rolling_is_asked_for_unless_told_otherwise(play):
    assert "Enter to roll" in play("", "ur", "--seed", "2")[1]
    assert "Enter to roll" not in play("", "ur", "--seed", "2", "--auto")[1]
    assert "Roll the dice: press Enter" in play("0-2\n?\n", "ur", "--seed", "2")[1]


def test_a_player_may_undo_their_move_until_the_next_roll(play):
    typed = "u\n\n1\nu\n1\n\nu\n"
    _, out = play(typed, "ur", "--option", "rules=finkel", "--seed", "2", "--seat", "human", "--seat", "human")
    assert out.count("Undone: 0-2") == 1
    assert out.count("nothing to undo") == 2


def test_a_saved_game_is_resumed_unchanged(play, tmp_path):
    straight = play("1\n" * 3000, "ur", "--option", "markers=2", "--seed", "5", "--auto", "--record", "a.jsonl")
    assert straight[0] == 0
    _, out = play("1\n1\n1\ns half.jsonl\nq\n", "ur", "--option", "markers=2", "--seed", "5", "--auto")
    assert "Saved in half.jsonl" in out
    _, out = play("1\n" * 3000, "--resume", "half.jsonl", "--auto", "--record", "b.jsonl")
    assert "Continuing after" in out
    assert (tmp_path / "a.jsonl").read_text() == (tmp_path / "b.jsonl").read_text()


def test_a_saved_game_keeps_its_fair_dice(play, tmp_path):
    play("1\n1\ns half.jsonl\nq\n", "ur", "--option", "markers=1", "--auto")
    commitment = json.loads((tmp_path / "half.jsonl").read_text().splitlines()[0])["fair"]["commitment"]
    play("1\n" * 3000, "--resume", "half.jsonl", "--auto", "--record", "r.jsonl")
    lines = (tmp_path / "r.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["fair"]["commitment"] == commitment
    assert "seed" in json.loads(lines[-1])


def test_leaving_or_a_hangup_loses_nothing(play, tmp_path):
    for typed in ("1\n1\nq\n", "1\n1\n"):
        _, out = play(typed, "ur", "--seed", "3", "--auto")
        assert "continue with: quadriga play --resume" in out
    saved = sorted(tmp_path.glob("ur-*.jsonl"))
    assert len(saved) == 2
    assert all(saves.read(path).match.entries for path in saved)


def test_the_record_can_be_kept_at_the_end(play, tmp_path):
    _, out = play("1\n" * 3000 + "s end.jsonl\n", "ur", "--option", "markers=1", "--seed", "1", "--auto")
    assert "s [FILE] saves the record" in out


def test_in_french(play):
    _, out = play("\n1\nq\n", "ur", "--lang", "fr", "--seed", "2", "--option", "rules=finkel")
    assert "Le Jeu royal d'Ur" in out
    assert "Clair, à vous (1) >" in out
    assert "Sauvegardé dans" in out


def test_a_third_party_game_is_played_the_same_way(play):
    code, out = play("1\n1\n1\n", "highcard", "--seed", "1", "--auto")
    assert code == 0
    assert "Winner: Seat" in out


def saved(tmp_path, **changes):
    seating = saves.seat_players(find("ur"), {"markers": 1}, [], [], None)
    seating.match.roll_once()
    path = tmp_path / "save.jsonl"
    saves.write(seating, path)
    lines = path.read_text().splitlines()
    last = json.loads(lines[-1])
    last |= changes
    path.write_text("\n".join([*lines[:-1], json.dumps(last)]))
    return path


def test_a_save_reads_back(tmp_path):
    assert saves.read(saved(tmp_path)).kinds == ["human", "normal"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"save": 2}, "save.not-a-save"),
        ({"players": ["human"]}, "save.players"),
        ({"players": ["human", "alien"]}, "save.players"),
        ({"players": 5}, "save.players"),
        ({"players": ["human", []]}, "save.players"),
        ({"bots": "x"}, "save.dice"),
        ({"bots": -1}, "save.dice"),
        ({"dice": 1}, "save.dice"),
        ({"dice": {}}, "save.dice"),
        ({"dice": {"fair": "zz"}}, "save.dice"),
        ({"dice": {"fair": "00"}}, "save.dice"),
        ({"dice": {"fair": "00" * 32}}, "save.dice"),
        ({"dice": {"seeded": 5}}, "save.dice"),
    ],
)
def test_a_damaged_save_is_refused_with_the_reason(tmp_path, changes, code):
    with pytest.raises(TraceError) as caught:
        saves.read(saved(tmp_path, **changes))
    assert caught.value.code == code


def test_an_invalid_save_is_refused(tmp_path):
    path = tmp_path / "x"
    for content in (b"", b"{}", b"\xff", b'{"save": 1}', b"[" * 100000, b"[]\n[]"):
        path.write_bytes(content)
        with pytest.raises(TraceError):
            saves.read(path)


def test_any_byte_of_a_save_may_be_changed_without_a_traceback(tmp_path):
    path = saved(tmp_path)
    content = path.read_bytes()
    for place in range(0, len(content), 3):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        try:
            saves.read(path)
        except TraceError as fault:
            assert str(fault)


def test_a_race_of_ave_caesar_to_the_end(play):
    code, out = play("1\n" * 200, "ave-caesar", "--course", "white", "--seed", "1")
    assert code == 0
    assert "Winner:" in out
    assert "Ave Caesar!" in out
    assert "Enter to roll" not in out


def test_two_people_who_share_a_terminal_do_not_see_each_others_cards(play):
    seats = ["--seat", "human", "--seat", "human", "--seat", "random"]
    _, out = play("1\n\n1\n\n1\n\n1\n", "ave-caesar", "--course", "white", "--seed", "1", *seats)
    assert out.count("When nobody else is looking") >= 2


def test_cards_of_other_players_are_not_shown(play):
    options = ["--course", "white", "--option", "variants=bottom-card", "--seed", "4"]
    _, out = play("1\n" * 200, "ave-caesar", *options)
    for line in out.splitlines():
        if line.startswith(("  Seat 2:", "  Seat 3:")):
            assert "draw " not in line
            assert "bottom " not in line


def test_why_explains_what_prevents_ones_own_things(play):
    _, out = play("why\n\nwhy 0\nwhy 9\n1\n", "ur", "--option", "rules=finkel", "--seed", "2")
    before, after = out.split("your move", 1)
    assert "  0\n      UR-4.1   roll the dice first" in before
    assert after.count("Everything you have can be played now") == 2


def test_why_by_the_beginning_of_a_card_s_name_in_both_languages(play):
    _, out = play("why mov\nwhy Veto Veto\nq\n", "ben-hvrt", "--seed", "3", "--auto")
    assert "  Move 5\n      BH-" in out
    assert "the auction is still running" in out
    assert "'Veto Veto' is not something that you cannot play now: Add 1, Bent" in out.replace("\n", " ")
    _, out = play("pourquoi\nq\n", "ben-hvrt", "--lang", "fr", "--seed", "3", "--auto")
    assert all(f"  {name}\n      BH-" in out for name in ("Add 1", "Livia Unruffled", "Subtract 1"))
    assert "enchères" in out
    assert "pourquoi [CARTE]" in out.replace("\n", " ")


def test_why_says_where_a_card_of_ave_caesar_is_stopped_and_when_nothing_is(play):
    _, out = play("why\n1\n" * 60, "ave-caesar", "--seed", "1", "--option", "courses=white cw")
    assert "Everything you have can be played now" in out
    assert "      AC-3.2   after 5 steps the way is blocked by 2, 3" in out


def test_a_family_that_the_game_does_not_have_is_refused(play):
    code, out = play("\noffer *\nq\n", "ur", "--option", "rules=finkel", "--seed", "2")
    assert code == 0
    assert "'offer *' is not legal here. Legal: 0-2." in out


def test_a_number_that_is_not_there_is_answered_with_those_that_are(play):
    _, out = play("9\n0\nq\n", "ur", "--seed", "1", "--auto")
    assert out.count("enter one from 1 to 2, or a move in notation") == 2
    assert "is not legal" not in out


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("offer 9 give 5 for nothing", "because of 'to 9'"),
        ("offer 1 give 5 for nothing", "because of 'to 1'. Possible in its place: to 2, to 3"),
        ("offer 0 give 5 for nothing", "offer SEAT give"),
        ("nonsense", "'nonsense' is not legal here"),
    ],
)
def test_an_offer_that_cannot_be_made_is_refused_as_it_was_typed(typed, said):
    match = quadriga.new("ben-hvrt", 3, seed=3)
    while "offer" not in match.families() or match.actor:
        match.push(match.legal()[-1])
    board = Board(saves.Seating(match, ["human"] * 3, 1), Console(), catalogues.of("en"), lambda question: "")
    with pytest.raises(quadriga.IllegalActionError) as fault:
        board.as_notated(typed)
    assert said in str(fault.value)
    assert typed in str(fault.value)
    assert board.as_notated("OFFER 2 give 5 for Nothing") == "offer 1 give 5 for nothing"


@pytest.mark.parametrize("first", ["half.jsonl", "resumed.jsonl"])
def test_leaving_a_saved_or_resumed_game_updates_its_file(play, tmp_path, first):
    play("1\n1\ns half.jsonl\n1\n1\nq\n", "ur", "--seed", "5", "--auto")
    assert [path.name for path in tmp_path.iterdir()] == ["half.jsonl"]
    before = len(saves.read(tmp_path / "half.jsonl").match.entries)
    (tmp_path / "half.jsonl").rename(tmp_path / first)
    _, out = play("1\n1\nq\n", "--resume", first, "--auto")
    assert f"Saved in {first}" in out
    assert [path.name for path in tmp_path.iterdir()] == [first]
    assert len(saves.read(tmp_path / first).match.entries) > before


def test_seats_that_cannot_be_chosen_are_told_as_one_number(play, tmp_path):
    done = forked.run("sim", "ur", "--seats", "3", folder=tmp_path)
    assert done.stderr == "quadriga: 3 seats are not possible; this game takes 2.\n"


@pytest.mark.parametrize(("maker", "heard"), [(0, True), (2, False)])
def test_a_bot_tells_the_person_who_asked_for_which_price_it_would_agree(maker, heard, capsys):
    hands = {maker: ["Add 1"], 1: ["The Numidian"]}
    match = position("market", hands=hands, laps=6, pot=120, purses={maker: 60}, dealer=(maker - 1) % 4)
    words = catalogues.of("en", "quadriga.cli", match.game.package)
    board = Board(saves.Seating(match, ["human", *["greedy"] * 3], 1), Console(width=200), words, str)
    match.play("offer 1 give 1 for The Numidian")
    board.announce(lambda: match.play("decline"))
    assert ("D more I agree" in capsys.readouterr().out) is heard

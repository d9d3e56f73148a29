"""The rules of Ur, one behaviour each; the id of the rule stands in the test's name."""

from __future__ import annotations

import pytest

from games.ur.positions import BLACK, WHITE, Match, home, markers, position
from quadriga.engine.errors import OptionError
from quadriga.engine.kernels.slots import CHANCE, OVER
from quadriga.games import find
from quadriga.games.ur.board import MOTIFS, RULE_SETS, SPACES, path
from quadriga.games.ur.view import space_of


def opening(*rolls: int, **options) -> Match:
    """Return a new game with these opening rolls."""
    match = Match(find("ur"), options)
    for roll in rolls:
        match.happen(f"roll {roll}")
    return match


# --- UR-1 -----------------------------------------------------------------------------------------------


def test_ur_1_the_path_has_23_steps_with_the_motifs_of_the_rules():
    motifs = (
        "eyes holes eyes rosette squares holes passage rosette holes passage eyes rosette "
        "conversion holes conversion rosette eyes passage holes rosette passage holes squares"
    )
    for seat in (BLACK, WHITE):
        assert [MOTIFS[space] for space in path("ben", seat)] == motifs.split()


def test_ur_1_white_walks_the_mirror_image_and_the_board_has_twenty_spaces():
    assert path("ben", BLACK)[:4] == ("A4", "A3", "A2", "A1")
    assert path("ben", WHITE)[:4] == ("C4", "C3", "C2", "C1")
    assert path("ben", BLACK)[11:16] == ("A7", "A8", "B8", "C8", "C7")
    assert path("ben", WHITE)[11:16] == ("C7", "C8", "B8", "A8", "A7")
    assert len(SPACES) == 20
    assert set(SPACES) == set(MOTIFS)


def test_ur_1_two_steps_of_one_space_are_the_same_space():
    assert "4-6" not in position(2, black="4 22.").legal()
    assert "4-6" in position(2, black="4 21.").legal()


@pytest.mark.parametrize(("loop", "space"), [("own", "A8"), ("other", "C8")])
def test_ur_1_the_loop_option_is_a_matter_of_display(loop, space):
    match = position(1, black="12", loop=loop)
    assert space_of(match.t, BLACK, 13) == space
    assert match.legal() == position(1, black="12").legal()
    match.play("12-13")
    assert [m.space for m in match.view().board if m.seat == BLACK] == [space]


# --- UR-2 -----------------------------------------------------------------------------------------------


def test_ur_2_three_binary_dice_roll_0_to_3_with_weights_1_3_3_1():
    assert [(o.text, o.weight) for o in opening().outcomes()] == [
        ("roll 0", 1),
        ("roll 1", 3),
        ("roll 2", 3),
        ("roll 3", 1),
    ]


@pytest.mark.parametrize("number", range(1, 8))
def test_ur_2_markers_are_an_option_of_1_to_7_and_begin_at_home_and_blank(number):
    match = opening(markers=number)
    assert match.view().home == (number, number)
    assert match.view().board == ()


@pytest.mark.parametrize("number", [0, 8, -1, "x", 2.0, True, None])
def test_ur_2_other_numbers_of_markers_are_refused(number):
    with pytest.raises(OptionError, match="markers"):
        opening(markers=number)


# --- UR-3 -----------------------------------------------------------------------------------------------


def test_ur_3_1_black_rolls_then_white_and_each_first_marker_enters_by_its_roll():
    match = opening()
    assert match.actor == CHANCE
    assert match.game.notation.roller(match.t, match.s) == BLACK
    match.happen("roll 2")
    assert match.view().first == 2
    assert match.game.notation.roller(match.t, match.s) == WHITE
    match.happen("roll 1")
    assert (markers(match, BLACK), markers(match, WHITE)) == ("2", "1")


def test_ur_3_1_no_free_turn_is_earned_in_the_opening():
    match = opening(1, 0)  # Black stands on 4-Eyes; White jumps
    match.play("0-3")  # onto 4-Eyes, on a roll of 0
    assert match.view().turn == WHITE  # he starts because he is further along, with an ordinary roll
    match.happen("roll 2")
    match.play("3-5")
    assert match.view().turn == BLACK


def test_ur_3_1_nobody_is_captured_in_the_opening():
    match = opening(3, 3, 2, 2)  # both on their step 5, which is B1
    assert home(match, BLACK) == home(match, WHITE) == 7  # UR-3.4, not a capture
    assert match.view().phase == "opening"


def test_ur_3_2_who_rolled_0_jumps_from_home_to_any_step_1_to_4_after_the_other_has_moved():
    match = opening(0, 2)
    assert markers(match, WHITE) == "2"
    assert match.actor == BLACK
    assert match.legal() == ["0-1", "0-2", "0-3", "0-4"]
    match = opening(2, 0)
    assert markers(match, BLACK) == "2"
    assert match.actor == WHITE


def test_ur_3_2_the_other_marker_counts_as_occupying_its_space():
    match = opening(3, 3, 2, 0)  # level on step 3; Black moves to step 5, White's marker jumps from step 3
    assert match.legal() == ["3-4"]
    match = opening(3, 0)
    match.play("0-3")  # level again
    for roll in (1, 1, 2, 0):  # both to step 4; Black to step 6
        match.happen(f"roll {roll}")
    assert match.legal() == ["4-5", "4-7", "4-8"]


def test_ur_3_2_two_zeros_from_home_share_no_space_and_black_chooses_then_white():
    match = opening(0, 0)
    assert match.actor == BLACK
    match.play("0-4")
    assert match.actor == WHITE
    assert match.legal() == ["0-1", "0-2", "0-3", "0-4"]
    match.play("0-1")
    assert match.view().turn == BLACK


def test_ur_3_2_two_zeros_that_could_reach_one_space_are_void():
    match = opening(3, 3, 1, 1, 0, 0)  # both on step 4, from where both could jump to B1 to B4
    assert match.view().phase == "opening"
    assert (markers(match, BLACK), markers(match, WHITE)) == ("4", "4")
    assert match.game.notation.roller(match.t, match.s) == BLACK


def test_ur_3_3_forced_moves_happen_at_once_so_nothing_is_in_their_way():
    match = opening(3, 3, 1, 1, 2, 2)  # both from step 4 to step 6: one space
    assert home(match, BLACK) == home(match, WHITE) == 7


def test_ur_3_3_a_jump_is_a_decision_even_with_one_target():
    match = opening(3, 3, 0, 2)
    assert match.actor == BLACK
    assert match.legal() == ["3-4"]


def test_ur_3_4_markers_on_the_same_space_go_home_and_the_opening_starts_over():
    match = opening(3, 3, 1, 1, 3, 3)  # both on B3
    assert (markers(match, BLACK), markers(match, WHITE)) == ("", "")
    assert match.view().phase == "opening"
    jumped = opening(3, 3, 1, 1, 3, 0)  # Black on step 7; White jumps from step 4
    assert "4-8" in jumped.legal()
    assert "4-7" not in jumped.legal()


def test_ur_3_4_meeting_on_a_rosette_sends_both_home_too():
    match = opening(2, 2, 1, 1, 1, 1)  # level on step 4
    for roll in (0, 0):
        match.happen(f"roll {roll}")
    assert match.view().phase == "opening"  # void, UR-3.2
    match.happen("roll 1")
    match.happen("roll 0")
    match.play("4-8")
    assert match.view().turn == WHITE  # step 8 against step 5
    level = opening(3, 3, 1, 1, 3, 0)
    level.play("4-8")
    assert level.view().phase == "roll"


def test_ur_3_4_equal_steps_on_different_spaces_roll_on_with_the_same_markers():
    match = opening(2, 2)
    assert match.view().phase == "opening"
    match.happen("roll 1")
    match.happen("roll 2")
    assert (markers(match, BLACK), markers(match, WHITE)) == ("3", "4")


@pytest.mark.parametrize(("rolls", "starter"), [((2, 1), BLACK), ((1, 3), WHITE)])
def test_ur_3_4_the_marker_further_along_starts(rolls, starter):
    match = opening(*rolls)
    assert match.view().phase == "roll"
    assert match.view().turn == starter


# --- UR-4 -----------------------------------------------------------------------------------------------


def test_ur_4_1_one_marker_moves_by_the_full_roll_on_the_board_or_from_home():
    assert position(2, black="1 5").legal() == ["0-2", "1-3", "5-7"]
    assert position(3, black="1 5").legal() == ["0-3", "1-4", "5-8"]
    assert position(2, black="5", markers=1).legal() == ["5-7"]


def test_ur_4_1_a_move_must_be_made_if_there_is_one():
    match = position(1, black="1 2 3 4 4 5", markers=6)
    assert match.legal() == ["5-6"]


def test_ur_4_1_without_a_legal_move_the_turn_is_lost():
    match = position(None, black="23.", white="4", markers=1)
    match.happen("roll 2")
    assert match.view().turn == WHITE
    assert match.view().phase == "roll"


def test_ur_4_1_the_turn_passes_after_a_move():
    match = position(2, black="4")
    match.play("0-2")
    assert match.view().turn == WHITE


@pytest.mark.parametrize("to", ["0-1", "0-3", "10-11", "16.-17"])
def test_ur_4_2_landing_on_4_eyes_earns_a_free_turn(to):
    start, end = to.split("-")
    roll = int(end) - int(start.rstrip("."))
    match = position(roll, black="" if start == "0" else start)
    match.play(to.replace(".", ""))
    assert match.view().turn == BLACK
    assert match.view().phase == "roll"


def test_ur_4_2_a_move_on_a_roll_of_0_earns_a_free_turn_bearing_off_included():
    match = position(0, black="4")
    match.play("4-6")
    assert match.view().turn == BLACK
    match = position(0, black="23. 4")
    match.play("23-24")
    assert match.view().off == (1, 0)
    assert match.view().turn == BLACK


def test_ur_4_2_a_move_that_captures_earns_none():
    match = position(1, black="10", white="11")
    match.play("10-11")
    assert home(match, WHITE) == 7
    assert match.view().turn == WHITE


# --- UR-5 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "kind"), [(6, "holes"), (9, "holes"), (11, "eyes"), (14, "holes")])
def test_ur_5_1_on_a_plain_space_the_same_type_is_captured(step, kind):
    assert MOTIFS[path("ben", BLACK)[step - 1]] == kind
    match = position(2, black=str(step - 2), white=str(step))
    match.play(f"{step - 2}-{step}")
    assert markers(match, WHITE) == ""
    assert home(match, WHITE) == 7


@pytest.mark.parametrize(
    ("mine", "theirs", "move"), [("4", "22.", "4-6"), ("7", "19.", "7-9"), ("16.", "9", "16-19")]
)
def test_ur_5_1_the_other_type_bars_a_plain_space(mine, theirs, move):
    start, end = map(int, move.split("-"))
    assert move not in position(end - start, black=mine, white=theirs).legal()


@pytest.mark.parametrize(
    ("mine", "move"), [("4 6", "4-6"), ("4 22.", "4-6"), ("20. 22.", "20-22"), ("20. 6", "20-22")]
)
def test_ur_5_1_ones_own_marker_bars_a_plain_space(mine, move):
    assert move not in position(2, black=mine).legal()


def test_ur_5_1_dotted_captures_dotted_on_a_plain_space():
    match = position(1, black="16.", white="17.")
    match.play("16-17")
    assert home(match, WHITE) == 7


def test_ur_5_2_a_rosette_holds_two_of_any_side_and_type():
    for mine, theirs in [("7 8", ""), ("7 20.", ""), ("7", "8"), ("7", "20."), ("7", "")]:
        match = position(1, black=mine, white=theirs)
        assert "7-8" in match.legal(), (mine, theirs)
        match.play("7-8")
        assert home(match, WHITE) == 7 - len(theirs.split())


def test_ur_5_2_a_full_rosette_cannot_be_entered():
    pairs = [
        ("8 8", ""),
        ("20. 20.", ""),
        ("", "8 8"),
        ("", "20. 20."),
        ("8", "20."),
        ("8 20.", ""),
        ("20.", "8"),
        ("", "8 20."),
    ]
    for mine, theirs in pairs:
        assert "7-8" not in position(1, black=f"7 {mine}", white=theirs).legal(), (mine, theirs)
        assert "19-20" not in position(1, black=f"19. {mine}", white=theirs).legal(), (mine, theirs)


def test_ur_5_2_the_far_rosettes_are_shared_by_one_sides_blank_and_the_others_dotted_markers():
    assert "11-12" in position(1, black="11 12", white="12 12").legal()  # White's step 12 is C7, not A7
    assert "11-12" not in position(1, black="11 12", white="16.").legal()  # White's step 16 is A7
    assert "11-12" not in position(1, black="11", white="16. 16.").legal()
    assert "15-16" not in position(1, black="15.", white="12 12").legal()
    assert "15-16" not in position(1, black="15. 16.", white="12").legal()
    assert "15-16" in position(1, black="15. 16.", white="16. 16.").legal()
    assert "3-4" in position(1, black="3 4", white="4 4").legal()  # everybody has his own first Rosette
    assert "3-4" not in position(1, black="3 4 4").legal()


def test_ur_5_2_nobody_is_captured_on_a_rosette():
    match = position(1, black="7", white="8")
    match.play("7-8")
    assert markers(match, WHITE) == "8"


@pytest.mark.parametrize(("out", "back"), [(5, 23), (7, 21), (10, 18)])
def test_ur_5_3_passage_and_4_squares_hold_one_blank_and_one_dotted_of_either_side(out, back):
    blank, dotted = f"{out - 1}-{out}", f"{back - 1}-{back}"
    for other in (f"{back}.",):
        assert blank in position(1, black=f"{out - 1} {other}").legal()
        assert blank in position(1, black=f"{out - 1}", white=other).legal()
    assert dotted in position(1, black=f"{back - 1}. {out}").legal()
    assert dotted in position(1, black=f"{back - 1}.", white=str(out)).legal()
    assert blank not in position(1, black=f"{out - 1} {out}").legal()
    assert dotted not in position(1, black=f"{back - 1}. {back}.").legal()


@pytest.mark.parametrize(("mine", "theirs", "left"), [("6", "7 21.", "21."), ("20.", "7 21.", "7")])
def test_ur_5_3_only_the_opposing_marker_of_the_movers_type_is_captured(mine, theirs, left):
    match = position(1, black=mine, white=theirs)
    step = int(mine.rstrip("."))
    match.play(f"{step}-{step + 1}")
    assert markers(match, WHITE) == left
    assert home(match, WHITE) == 6


def test_ur_5_4_a_blank_marker_that_ends_on_a_conversion_space_turns_dotted():
    for start, end in ((12, 13), (14, 15)):
        match = position(1, black=str(start))
        match.play(f"{start}-{end}")
        assert markers(match, BLACK) == f"{end}."


def test_ur_5_4_passing_over_does_not_convert():
    match = position(2, black="12")
    match.play("12-14")
    assert markers(match, BLACK) == "14"


def test_ur_5_4_a_blank_marker_may_not_land_on_an_opposing_marker_a_dotted_one_captures_it():
    assert "12-13" not in position(1, black="12", white="15.").legal()  # Black's 13 is White's 15: A8
    assert "14-15" not in position(1, black="14", white="13.").legal()
    assert "12-13" in position(1, black="12", white="13.").legal()  # White's 13 is C8
    match = position(1, black="14.", white="13.")
    match.play("14-15")
    assert home(match, WHITE) == 7
    assert markers(match, BLACK) == "15."


def test_ur_5_4_ones_own_marker_bars_a_conversion_space():
    assert "12-13" not in position(1, black="12 13.").legal()
    assert "14-15" not in position(1, black="14. 15.").legal()
    assert "14-15" not in position(1, black="14 15.").legal()


def test_ur_5_5_a_blank_marker_may_not_move_or_jump_past_step_15():
    assert position(2, black="14", markers=1).legal() == []
    assert position(3, black="14", markers=1).legal() == []
    assert position(1, black="14", markers=1).legal() == ["14-15"]
    assert position(3, black="12", markers=1).legal() == ["12-15"]
    assert position(0, black="14", markers=1).legal() == ["14-15"]
    assert position(0, black="12", markers=1).legal() == ["12-13", "12-14", "12-15"]


def test_ur_5_6_a_captured_marker_goes_home_and_is_blank_again():
    match = position(1, black="16.", white="17.", markers=1)
    match.play("16-17")
    assert home(match, WHITE) == 1
    match.happen("roll 2")
    match.play("0-2")
    assert markers(match, WHITE) == "2"


# --- UR-6 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marker", "targets"),
    [
        ("", "0-1 0-2 0-3 0-4"),
        ("2", "2-3 2-4"),
        ("4", "4-5 4-6 4-7 4-8"),
        ("7", "7-8"),
        ("8", "8-10 8-11 8-12 8-9"),
        ("12", "12-13 12-14 12-15"),
        ("13.", "13-14 13-15 13-16"),
        ("16.", "16-17 16-18 16-19 16-20"),
        ("20.", "20-21 20-22 20-23"),
        ("22.", "22-23"),
        ("23.", "23-24"),
    ],
)
def test_ur_6_1_a_jump_goes_up_to_the_next_rosette_never_past_it(marker, targets):
    assert position(0, black=marker, markers=1).legal() == targets.split()


def test_ur_6_2_available_is_what_is_empty_or_has_room_for_the_movers_type():
    assert position(0, black="4", white="6", markers=1).legal() == ["4-5", "4-7", "4-8"]
    assert position(0, black="4", white="22.", markers=1).legal() == ["4-5", "4-7", "4-8"]
    assert position(0, black="4", white="7", markers=1).legal() == ["4-5", "4-6", "4-8"]
    assert position(0, black="4", white="21.", markers=1).legal() == ["4-5", "4-6", "4-7", "4-8"]
    assert position(0, black="4", white="8", markers=1).legal() == ["4-5", "4-6", "4-7", "4-8"]
    assert "4-8" not in position(0, black="4", white="8 20.", markers=2).legal()
    assert position(0, black="12", white="15.", markers=1).legal() == ["12-14", "12-15"]


def test_ur_6_2_jumps_never_capture():
    assert "10-11" not in position(0, black="10", white="11").legal()
    assert "10-11" in position(1, black="10", white="11").legal()
    assert "14-15" not in position(0, black="14.", white="13.").legal()
    assert "16-18" not in position(0, black="16.", white="18.").legal()


def test_ur_6_3_landing_on_a_conversion_space_by_a_jump_converts():
    match = position(0, black="12", markers=1)
    match.play("12-13")
    assert markers(match, BLACK) == "13."


def test_ur_6_3_a_jump_onto_4_eyes_gives_one_free_turn_not_two():
    match = position(0, black="4", markers=2)
    match.play("0-1")
    assert match.view().turn == BLACK
    match.happen("roll 1")
    match.play("1-2")  # an ordinary move: the turn passes, nothing was left over
    assert match.view().turn == WHITE


# --- UR-7 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "roll"), [(23, 1), (22, 2), (21, 3)])
def test_ur_7_1_a_marker_leaves_with_the_exact_roll(step, roll):
    match = position(roll, black=f"{step}. 4")
    match.play(f"{step}-24")
    assert match.view().off == (1, 0)
    for other in {1, 2, 3} - {roll}:
        assert f"{step}-24" not in position(other, black=f"{step}. 4").legal()


@pytest.mark.parametrize("step", [20, 21, 22])
def test_ur_7_1_a_roll_of_0_bears_off_from_step_23_only(step):
    assert f"{step}-24" not in position(0, black=f"{step}.").legal()
    assert "23-24" in position(0, black="23.").legal()


def test_ur_7_1_a_borne_off_marker_never_returns():
    match = position(1, black="23.", markers=2, off=(1, 0))
    assert home(match, BLACK) == 0
    assert match.legal() == ["23-24"]


@pytest.mark.parametrize("winner", [BLACK, WHITE])
def test_ur_7_2_the_first_with_all_markers_off_wins(winner):
    one, other = ("23.", "20.") if winner == BLACK else ("20.", "23.")
    match = position(1, black=one, white=other, turn=winner, markers=1)
    match.play("23-24")
    assert match.over
    assert match.actor == OVER
    assert match.result == [int(seat == winner) for seat in (BLACK, WHITE)]
    assert match.view().winner == winner


# --- The rule sets beyond the source ----------------------------------------------------------------------


def test_ur_finkel_masters_and_blitz_have_their_paths_dice_and_pieces():
    for rules, steps, dice, pieces in [
        ("finkel", 14, [1, 4, 6, 4, 1], 7),
        ("masters", 16, [3, 3, 1, 1], 7),
        ("blitz", 16, [1, 4, 6, 4, 1], 5),
    ]:
        match = position(None, rules=rules)
        assert len(path(rules, BLACK)) == steps
        assert [outcome.weight for outcome in match.outcomes()] == dice
        assert match.view().home == (pieces, pieces)
    assert RULE_SETS["masters"].path[11:16] == ("C7", "C8", "B8", "A8", "A7")
    assert position(None, rules="masters").outcomes()[-1].text == "roll 4"


@pytest.mark.parametrize("rules", ["finkel", "masters", "blitz"])
def test_ur_in_these_rule_sets_light_moves_first_without_an_opening(rules):
    match = Match(find("ur"), {"rules": rules})
    match.happen("roll 2")
    assert match.actor == BLACK
    assert match.legal() == ["0-2"]


@pytest.mark.parametrize("rules", ["finkel", "blitz"])
def test_ur_in_these_rule_sets_a_roll_of_0_loses_the_turn(rules):
    match = position(None, rules=rules)
    match.happen("roll 0")
    assert match.view().turn == WHITE


@pytest.mark.parametrize(("rules", "taken"), [("finkel", False), ("masters", True), ("blitz", True)])
def test_ur_a_rosette_is_safe_in_finkel_only(rules, taken):
    match = position(2, black="6", white="8", rules=rules)
    assert ("6-8" in match.legal()) == taken
    if taken:
        match.play("6-8")
        assert home(match, WHITE) == match.t.markers


@pytest.mark.parametrize(("rules", "again"), [("finkel", False), ("masters", False), ("blitz", True)])
def test_ur_a_capture_gives_an_extra_roll_in_blitz_only(rules, again):
    match = position(2, black="5", white="7", rules=rules)
    match.play("5-7")
    assert match.view().turn == (BLACK if again else WHITE)


@pytest.mark.parametrize("rules", ["finkel", "masters", "blitz"])
def test_ur_a_rosette_gives_one_extra_roll(rules):
    match = position(2, black="2", rules=rules)
    match.play("2-4")
    assert match.view().turn == BLACK
    match.happen("roll 1")
    match.play("4-5")
    assert match.view().turn == WHITE


def test_ur_masters_paths_meet_crosswise_in_the_small_block():
    match = position(1, black="11", white="16", rules="masters")  # Light's 12 and Dark's 16 are C7
    match.play("11-12")
    assert home(match, WHITE) == 7
    match = position(2, black="11", white="15", rules="masters")
    match.play("11-13")
    assert home(match, WHITE) == 7
    match = position(1, black="11", white="12", rules="masters")
    match.play("11-12")
    assert markers(match, WHITE) == "12"


def test_ur_finkel_sides_meet_on_the_middle_row_only():
    match = position(1, black="12", white="13", rules="finkel")
    match.play("12-13")
    assert markers(match, WHITE) == "13"
    match = position(1, black="11", white="12", rules="finkel")
    match.play("11-12")
    assert markers(match, WHITE) == ""


@pytest.mark.parametrize(("rules", "last"), [("finkel", 14), ("masters", 16), ("blitz", 16)])
def test_ur_the_exact_roll_leaves_the_board(rules, last):
    assert f"{last}-{last + 1}" in position(1, black=str(last), rules=rules).legal()
    assert position(2, black=str(last), rules=rules, markers=1).legal() == []
    match = position(1, black=str(last), rules=rules, markers=1)
    match.play(f"{last}-{last + 1}")
    assert match.result == [1, 0]

"""AC-5.4 and AC-V4: chariots that keep the Imperial Alley, wait for it, or must drive on."""

from __future__ import annotations

import pytest

from games.avecaesar.positions import out, position, seen, wreck
from quadriga.games.avecaesar.board import NEVER, own_courses

RIVAL = {"coin": False}
BARRED = [
    ("white cw", "A23.0.0", [1, 1, 1], "ALLEY.0.0"),
    ("white cw", "A22.0.0", [1, 1, 1], "A23.0.0"),
    ("yellow cw", "R19.0.0", [1, 1, 2], "ALLEY.0.0"),
]
"""A course, where a chariot on lap 2 stands with its coin, its hand, and where a rival blocks its way."""


def blocked(course: str, space: str, hand: list[int], rival: str, **more):
    return position(
        (space, 2, hand),
        (rival, 2, [1, 1, 1], RIVAL),
        out("A2.0.0" if course[0] == "w" else "R2.0.0"),
        course=course,
        **more,
    )


@pytest.mark.parametrize(("course", "space", "hand", "rival"), BARRED)
def test_ac_5_4_who_is_blocked_by_a_chariot_waits_and_keeps_the_cards(course, space, hand, rival):
    match = blocked(course, space, hand, rival)
    assert match.actor == 1
    assert match.view(0).hand == hand
    assert seen(match, 0).space == space


@pytest.mark.parametrize(("course", "space", "hand", "rival"), BARRED)
def test_ac_v4_with_dishonour_who_is_blocked_must_move_on(course, space, hand, rival):
    match = blocked(course, space, hand, rival, variants=["dishonour"])
    assert match.actor == 0
    assert {text.split()[0] for text in match.legal()} == {str(card) for card in hand}
    assert not any("ALLEY" in text for text in match.legal())


def test_ac_5_4_before_the_entrance_with_fitting_cards_only_the_alley_is_left():
    match = position(("A23.0.0", 2, [1, 2, 3]), out(), out())
    assert match.legal() == ["1 ALLEY.0.0", "2 ALLEY.0.1", "3 ALLEY.0.2"]


def test_ac_5_4_a_card_that_drives_past_is_barred_by_one_that_fits():
    match = position(("A23.0.0", 2, [1, 2, 5]), out(), out())
    assert match.legal() == ["1 ALLEY.0.0", "2 ALLEY.0.1"]


def test_ac_5_4_at_the_end_of_lap_1_everybody_may_drive_past():
    match = position(("A23.0.0", 1, [1, 2, 5]), out(), out())
    assert {"1 F-.0.0", "1 ALLEY.0.0"} <= set(match.legal())
    assert any(text.startswith("5") for text in match.legal())


def test_ac_5_4_on_lap_2_without_the_coin_everybody_may_drive_past():
    match = position(("A23.0.0", 2, [1, 2, 5], RIVAL), out(), out())
    assert "1 F-.0.0" in match.legal()


def test_ac_5_4_who_holds_no_fitting_card_must_drive_on():
    match = position(("A23.0.0", 2, [4, 5, 5]), out(), out())
    assert {text.split()[0] for text in match.legal()} == {"4", "5"}


def test_ac_5_4_who_holds_no_fitting_card_drives_on_though_a_rival_blocks_the_alley():
    match = blocked("white cw", "A23.0.0", [4, 5, 5], "ALLEY.0.0")
    assert match.actor == 0
    assert {text.split()[0] for text in match.legal()} == {"4", "5"}


def test_ac_5_4_a_space_that_does_not_lead_to_the_entrance_loses_the_alley():
    """From A21.1 a step leads to A22.0 and A22.1, which touch A23.0, and to A22.2, which does not."""
    match = position(("A21.1.0", 2, [1, 1, 1]), out(), out())
    assert match.legal() == ["1 A22.0.0", "1 A22.1.0"]
    match = position(("A21.1.0", 2, [1, 2, 2]), out(), out())
    assert match.legal() == ["1 A22.0.0", "1 A22.1.0", "2 A23.0.0"]


def test_ac_5_4_who_has_driven_past_the_entrance_may_go_anywhere():
    match = position(("F-.2.0", 2, [1, 1, 2]), out(), out())
    assert {"1 F+.1.0", "1 F+.2.0", "1 F+.3.0"} <= set(match.legal())


def test_ac_5_4_a_rival_further_in_leaves_the_spaces_before_it():
    match = blocked("white cw", "A23.0.0", [1, 2, 3], "ALLEY.0.1")
    assert match.legal() == ["1 ALLEY.0.0"]
    match = blocked("white cw", "A23.0.0", [2, 3, 5], "ALLEY.0.1")
    assert match.actor == 1


def test_ac_5_4_who_can_stay_before_the_entrance_must():
    match = blocked("white cw", "A22.0.0", [1, 5, 5], "ALLEY.0.0")
    assert match.legal() == ["1 A23.0.0"]


def test_ac_5_4_a_6_barred_to_a_leader_is_no_fitting_card():
    behind, ahead = ("A2.0.0", 2, [1, 1, 1], RIVAL), ("A2.0.0", 3, [1, 1, 1], RIVAL)
    near = "A22.1.0"  # a 4 ends on the third space of the alley; a 5 and a 6 drive past
    assert {text.split()[0] for text in position((near, 2, [4, 5, 6]), behind, out()).legal()} == {"4"}
    far = "A21.0.0"  # a 6 ends on the third space of the alley, a 5 on the second
    with_six = position((far, 2, [6, 6, 5]), ahead, out())
    assert with_six.legal() == ["5 ALLEY.0.1", "6 ALLEY.0.2"]
    leading = position((far, 2, [6, 6, 5]), behind, out())
    assert leading.legal() == ["5 ALLEY.0.1"]


def test_ac_5_4_wrecks_are_part_of_the_board():
    """A wreck on the entrance leaves nothing to keep: the chariot drives on."""
    match = position(
        ("A23.0.0", 2, [1, 1, 1]), wreck("ALLEY.0.0", 2), ("A2.0.0", 1, [1, 2, 3]), variants=["crash-and-burn"]
    )
    assert match.legal() == ["1 F-.0.0", "1 F-.1.0", "1 F-.2.0"]
    match = position(
        ("A22.0.0", 2, [1, 1, 1]), wreck("A23.0.0", 2), ("A2.0.0", 1, [1, 2, 3]), variants=["crash-and-burn"]
    )
    assert match.legal() == ["1 A23.1.0"]


def test_ac_5_4_a_wreck_in_the_alley_leaves_the_spaces_before_it():
    match = position(
        ("A23.0.0", 2, [1, 2, 5]), wreck("ALLEY.0.1", 2), ("A2.0.0", 1, [1, 2, 3]), variants=["crash-and-burn"]
    )
    assert match.legal() == ["1 ALLEY.0.0"]
    match = position(
        ("A23.0.0", 2, [2, 3, 5]), wreck("ALLEY.0.1", 2), ("A2.0.0", 1, [1, 2, 3]), variants=["crash-and-burn"]
    )
    assert match.actor == 0  # no card fits past a wreck, so nothing is waited for
    assert not any("ALLEY" in text for text in match.legal())


def test_ac_5_4_the_way_that_a_wreck_closes_keeps_nothing():
    """With wrecks on A22.0 and A22.1 the entrance is out of reach from A21, and A22.2 loses nothing."""
    chariots = (("A21.1.0", 2, [1, 1, 1]), wreck("A22.0.0", 2), wreck("A22.1.0", 2), ("A2.0.0", 1, [1, 2, 3]))
    match = position(*chariots, variants=["crash-and-burn"])
    assert match.legal() == ["1 A22.2.0"]
    match = position(*chariots[:2], ("A22.1.0", 2, [1, 1, 1], RIVAL), chariots[3], variants=["crash-and-burn"])
    assert match.actor == 2  # the one wreck leaves a way, which a chariot blocks: wait


def test_ac_5_4_who_waits_at_last_gets_in():
    match = blocked("white cw", "A23.0.0", [1, 1, 1], "ALLEY.0.0")
    match.play(match.legal()[0])
    match.happen(match.outcomes()[0].text)
    assert match.actor == 0
    assert "1 ALLEY.0.0" in match.legal()


def test_ac_v4_while_a_legal_move_keeps_the_alley_no_other_is():
    match = position(("A23.0.0", 2, [2, 3, 5]), out(), out(), variants=["dishonour"])
    assert match.legal() == ["2 ALLEY.0.1", "3 ALLEY.0.2"]
    match = blocked("white cw", "A22.0.0", [1, 5, 5], "ALLEY.0.0", variants=["dishonour"])
    assert match.legal() == ["1 A23.0.0"]


def test_ac_5_4_keeps_is_what_to_go_calls_payable():
    """Two definitions agree: a space keeps the alley if the coin can still be paid from it on lap 2."""
    for course in own_courses().values():
        payable = [cost < NEVER for cost in course.to_go[2, True]]
        assert [k for k, s in zip(course.keeps, course.spaces, strict=True) if not s.alley] == [
            p for p, s in zip(payable, course.spaces, strict=True) if not s.alley
        ]

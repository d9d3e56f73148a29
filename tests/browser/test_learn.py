"""Lessons in the browser: every one played through, wrong actions answered, progress kept, without the server."""

import pytest

import soak
from browser.conftest import Arrive
from browser.people import Person
from browser.test_pages import assert_accessible
from quadriga.learn.lesson import course
from quadriga.learn.puzzles import of_the_day, puzzles
from quadriga.learn.unroll import OpenStep, open_step
from soak import rows

WIDTHS = {1280: 800, 390: 844}
SHORT = [("ben-hvrt", "fr", 390)]  # the tests of the terminal play through all courses
EVERY = [
    (game, language, width)
    for game in ("ur", "ave-caesar", "ben-hvrt")
    for language in ("en", "fr")
    for width in WIDTHS
]


def plays(person: Person, text: str) -> None:
    """Play an action of a lesson by its button, on the screen or in the list of all."""
    button = person.page.locator(f'[data-act="{text}"]')
    listed = person.page.locator("details.all")
    if listed.count() and listed.locator(f'[data-act="{text}"]').count():
        if listed.get_attribute("open") is None:
            listed.locator("summary").click()
        button = listed.locator(f'[data-act="{text}"]')
    button.first.click()


def answers(person: Person, step: OpenStep, text: str, language: str) -> None:
    """Assert that an action gets its own answer, and that the focus is on the way on."""
    plays(person, text)
    answer = person.page.locator(".answer")
    answer.wait_for()
    assert _plain(step.replies[text].answer[language]) in _plain(answer.inner_text())
    assert answer.get_attribute("data-goal") == ("true" if step.replies[text].is_goal else "false")
    assert person.page.evaluate("() => document.activeElement.tagName") == "BUTTON"


def _plain(text: str) -> str:
    """Return a text without the differences that typesetting makes."""
    return " ".join(text.replace("’", "'").replace("“", '"').replace("”", '"').split())


@pytest.mark.parametrize(("game", "language", "width"), rows(EVERY, lambda row: row in SHORT))
def test_every_lesson_is_played_through(arrive: Arrive, game: str, language: str, width: int) -> None:
    person = arrive(f"/learn/{game}", language=language, width=width, height=WIDTHS[width])
    page = person.page
    lessons = course(game).lesson
    page.locator(f'[data-course="{game}"]').click()
    page.context.set_offline(True)  # a lesson needs no server
    for lesson in lessons:
        page.get_by_role("heading", level=1, name=lesson.title[language].replace("'", "’"), exact=True).wait_for()
        for number, step in enumerate(lesson.step):
            opened = open_step(game, lesson, step)
            wrong = next((text for text, reply in opened.replies.items() if not reply.is_goal), None)
            if wrong is not None and (soak.SOAK or number == 0):
                answers(person, opened, wrong, language)
                page.keyboard.press("Enter")
                page.locator(".answer").wait_for(state="detached")
            answers(person, opened, step.goal[0], language)
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
            page.keyboard.press("Enter")
    page.context.set_offline(False)
    page.wait_for_url(f"**/learn/{game}")
    page.locator(".done").nth(len(lessons) - 1).wait_for()
    page.reload()
    page.locator(".done").nth(len(lessons) - 1).wait_for()


def test_a_marker_on_the_board_is_played_and_one_that_cannot_move_says_why(arrive: Arrive) -> None:
    page = arrive("/learn/ur/conversion").page
    page.get_by_role("button", name="Skip").wait_for()
    for number in range(2):
        page.locator(".target").first.wait_for()
        if number == 0:
            page.locator('svg.board .target[data-play="12-13"]').dispatch_event("click")
            page.locator('.answer[data-goal="true"]').wait_for()
            page.keyboard.press("Enter")
            page.locator(".answer").wait_for(state="detached")
    page.locator("svg.board .stuck").first.dispatch_event("click")
    assert "opposing dotted marker" in page.locator("[data-why]").inner_text()


def test_a_card_that_cannot_be_played_names_its_own_reason_until_something_is_played(arrive: Arrive) -> None:
    page = arrive("/learn/ave-caesar/six").page
    page.locator('details.all [data-act="6 W12.0.0"]').dispatch_event("click")
    page.locator('.answer[data-goal="true"]').wait_for()
    page.keyboard.press("Enter")
    page.locator(".answer").wait_for(state="detached")
    six = page.locator('[data-card="6"]').first
    assert "the leader may not play a 6" in six.inner_text()
    six.click()
    page.locator("[data-why]").wait_for()
    page.locator('details.all [data-act="2 W10.0.0"]').dispatch_event("click")
    page.locator('.answer[data-goal="false"]').wait_for()
    page.get_by_role("button", name="Try again").click()
    page.locator(".answer").wait_for(state="detached")
    assert page.locator("[data-why]").count() == 0


def test_an_unknown_lesson_is_not_found(arrive: Arrive) -> None:
    page = arrive("/learn/ur/castling").page
    page.get_by_role("heading", level=1).wait_for()
    assert page.locator(".lesson").count() == 0


PUZZLE_GAMES = ("ur", "ave-caesar", "ben-hvrt")
EVERY_PUZZLES = [(game, language, width) for game in PUZZLE_GAMES for language in ("en", "fr") for width in WIDTHS]
SHORT_PUZZLES = [("ave-caesar", "fr", 390)]


def shown_number(text: str) -> float:
    """Return the first percentage of a cell."""
    return float(text.replace(",", ".").replace("\u202f", " ").split("%")[0])


@pytest.mark.parametrize(("game", "language", "width"), rows(EVERY_PUZZLES, lambda row: row in SHORT_PUZZLES))
def test_puzzles_are_answered_with_the_values_of_all_moves(
    arrive: Arrive, game: str, language: str, width: int
) -> None:
    """The first one is solved, the others are missed; three need no server."""
    person = arrive(f"/puzzles/{game}/001", language=language, width=width, height=WIDTHS[width])
    page = person.page
    known = puzzles(game)
    page.locator("svg.board").first.wait_for()
    for number, puzzle in enumerate(known[: soak.count(3, len(known))]):
        page.context.set_offline(number < 3)  # the page loads the files of later ones when it needs them
        page.get_by_role("heading", level=1, name=puzzle.id).wait_for()
        page.locator(f'details.all [data-act="{puzzle.obvious}"]').wait_for()
        chosen = puzzle.best if puzzle.id == "001" else puzzle.obvious
        page.locator(f'details.all [data-act="{chosen}"]').click()
        assert page.locator(".answer").get_attribute("data-right") == ("true" if chosen == puzzle.best else "false")
        if chosen != puzzle.best:
            assert page.locator("[data-value]").count() == 0  # nothing is given away before the second attempt
            page.locator("[data-reveal]").click()
        rows_shown = page.locator("[data-value]")
        order = [rows_shown.nth(place).get_attribute("data-value") for place in range(rows_shown.count())]
        assert [puzzle.values[text] for text in order if text] == sorted(puzzle.values.values(), reverse=True)
        cell = rows_shown.first.locator("td").first.inner_text()
        assert shown_number(cell) == pytest.approx(100 * puzzle.values[puzzle.best], abs=0.06)
        if not puzzle.is_exact:
            assert shown_number(cell.split("±")[1]) == pytest.approx(100 * puzzle.errors[puzzle.best], abs=0.06)
            sure = page.locator("[data-sure]").inner_text().split("±")
            assert shown_number(sure[1]) == pytest.approx(100 * puzzle.lead_error, abs=0.06)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        if puzzle.id == "001":
            assert_accessible(person, f"puzzle {game} {language}")
        assert page.evaluate("() => document.activeElement.tagName") == "BUTTON"
        page.keyboard.press("Enter")
    page.context.set_offline(False)
    page.reload()
    page.locator("details.list summary").click()
    assert "✓" in page.locator(f'a[href="/puzzles/{game}/001"]').inner_text()
    assert "✗" in page.locator(f'a[href="/puzzles/{game}/002"]').inner_text()


def test_a_missed_puzzle_has_a_second_try_and_says_why(arrive: Arrive) -> None:
    puzzle = puzzles("ur")[0]
    page = arrive("/puzzles/ur/001").page
    page.locator(f'details.all [data-act="{puzzle.obvious}"]').click()
    page.locator('.answer[data-right="false"]').wait_for()
    page.keyboard.press("Enter")  # Try again has the focus
    page.locator(f'details.all [data-act="{puzzle.best}"]').click()
    page.locator('.answer[data-right="true"]').wait_for()
    assert "second attempt" in page.locator(".answer").inner_text()
    assert "captured" in page.locator(f'[data-reason="{puzzle.best}"]').inner_text()
    page.locator("details.list summary").click()
    assert "✗" in page.locator('a[href="/puzzles/ur/001"]').inner_text()  # the first answer counts


def test_a_puzzle_is_solved_on_the_board_and_with_the_cards(arrive: Arrive) -> None:
    """By a space of Ave Caesar, and by a button or card of Ben Hvrt that needs no list."""
    person = arrive("/puzzles/ave-caesar/001")
    page = person.page
    page.locator("svg.board [role=button]").first.wait_for()
    page.locator("svg.board [role=button]").first.dispatch_event("click")
    if page.locator(".value.open").count():
        page.locator(".value.open").first.dispatch_event("click")
    page.locator(".answer").wait_for()


def test_the_puzzle_of_the_day_is_the_same_as_in_the_terminal_and_begins_a_streak(arrive: Arrive) -> None:
    page = arrive("/puzzles").page
    day = page.evaluate(
        "() => Math.floor(Date.UTC(...(d => [d.getFullYear(), d.getMonth(), d.getDate()])(new Date())) / 864e5)"
    )
    for game in PUZZLE_GAMES:  # one streak for all games: the puzzle of the day of any of them counts
        puzzle = of_the_day(game, day)
        page.locator(f'.tabs a[href="/puzzles/{game}"]').click()
        page.wait_for_url(f"**/puzzles/{game}")
        page.get_by_role("heading", level=1, name=f"Puzzle of the day: {puzzle.id}").wait_for()
        page.locator(f'.tabs a[href="/puzzles/{game}"][aria-current="page"]').wait_for()
        page.locator(f'details.all [data-act="{puzzle.best}"]').click()
        page.get_by_text("1 day in a row").wait_for()


@pytest.mark.parametrize("address", ["/puzzles/999", "/puzzles/ben-hvrt/999", "/puzzles/chess"])
def test_an_unknown_puzzle_is_not_found(arrive: Arrive, address: str) -> None:
    page = arrive(address).page
    page.get_by_role("heading", level=1).wait_for()
    assert page.locator(".lesson").count() == 0


def test_an_address_without_a_game_is_a_puzzle_of_ur(arrive: Arrive) -> None:
    page = arrive("/puzzles/017").page
    page.get_by_role("heading", level=1, name="017").wait_for()
    page.locator('.tabs a[href="/puzzles/ur"][aria-current="page"]').wait_for()

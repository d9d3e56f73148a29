"""A record from a file: chosen or dropped, stepped through, reviewed, its dice checked; a bad one refused."""

from __future__ import annotations

import json
import re
import urllib.request
from itertools import product
from pathlib import Path

import pytest

from browser.conftest import Arrive
from browser.people import Person
from browser.test_explanations import LONG
from browser.test_pages import look
from quadriga.engine.match import trace
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.lab.traces import random_match
from server.support.harness import Server
from soak import rows

SHORT = [("ur", "en"), ("ben-hvrt", "fr")]
CHOOSE = {"en": "Choose a record", "fr": "Choisir un fichier"}
DROP = """
([name, content]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([typeof content === 'number' ? 'x'.repeat(content) : content], name));
  const held = { dataTransfer: carried, bubbles: true, cancelable: true };
  for (const type of ['dragover', 'drop']) document.querySelector('h1').dispatchEvent(new DragEvent(type, held));
}
"""


def record_of(server: Server, table: str) -> str:
    with urllib.request.urlopen(f"{server.address}/api/tables/{table}/record") as answer:
        return answer.read().decode()


def chooses(person: Person, content: str | bytes, language: str = "en", name: str = "game.jsonl") -> None:
    raw = content if isinstance(content, bytes) else content.encode()
    person.page.get_by_label(CHOOSE[language]).set_input_files({"name": name, "mimeType": "", "buffer": raw})


@pytest.mark.parametrize(
    ("game", "language"), rows([*product(["ur", "ave-caesar", "ben-hvrt"], ["fr", "en"])], lambda row: row in SHORT)
)
def test_a_record_is_opened_stepped_through_and_its_dice_are_checked(
    arrive: Arrive, server: Server, finished: dict[str, str], game: str, language: str
) -> None:
    ann = arrive("/record", language=language)
    chooses(ann, record_of(server, finished[game]), language)
    ann.page.wait_for_selector(".scrub")
    total = int(ann.page.locator(".scrub").get_attribute("max") or "0")
    replay = server.get(f"/api/tables/{finished[game]}/replay?count=1")
    assert total == replay["total"] - 1
    ann.page.get_by_label("Position" if language == "en" else "Position dans").first.fill("40")
    ann.page.get_by_text(re.compile(rf"^40 (of|sur) {total}$")).wait_for()
    ann.page.get_by_role("button", name="Check the dice" if language == "en" else "Vérifier les dés").click()
    ann.page.locator(".verdict.right").wait_for()
    look(ann, f"record-{game}", language)


def test_by_keyboard_alone_from_the_first_page_to_the_last_step(
    arrive: Arrive, server: Server, finished: dict[str, str]
) -> None:
    ann = arrive()
    with ann.page.expect_file_chooser() as asked:  # from here on: the browser takes a moment to mind it
        ann.page.get_by_role("link", name="Choose a record").focus()
        ann.page.keyboard.press("Enter")
        ann.page.get_by_label("Choose a record").focus()
        ann.page.keyboard.press("Enter")
    record = record_of(server, finished["ave-caesar"]).encode()
    asked.value.set_files({"name": "race.jsonl", "mimeType": "", "buffer": record})
    ann.page.get_by_text("Start of the game.").wait_for()
    assert ann.page.get_by_text("coin paid").count() == 0  # nobody has
    ann.page.keyboard.press("ArrowRight")
    ann.page.get_by_text(re.compile(r"^1 of \d+$")).wait_for()
    ann.page.keyboard.press("End")
    total = ann.page.locator(".scrub").get_attribute("max")
    ann.page.get_by_text(f"{total} of {total}", exact=True).wait_for()
    ann.page.locator(".log .lines p").nth(10).wait_for()
    ann.page.get_by_label("Seen by").select_option("1")
    ann.page.keyboard.press("Tab")
    ann.page.keyboard.press("Home")
    ann.page.get_by_label("Position in the game").fill("30")
    ann.page.get_by_text("Your cards: ").first.wait_for()


def test_a_dropped_record_is_reviewed(arrive: Arrive) -> None:
    game = find("ur")
    settled, seats = game.resolve_options({"rules": "blitz", "markers": 2}, None)
    match = random_match(game, settled, seats, 5, 1, SeededDice(5, 1))
    ann = arrive("/record")
    ann.page.get_by_label("Choose a record").wait_for()
    ann.page.evaluate(DROP, ["mine.jsonl", trace.dumps(match)])
    ann.page.get_by_text("The dice cannot be checked").wait_for()
    ann.page.get_by_role("button", name="Review the game").click()
    ann.page.locator(".review table").wait_for(timeout=LONG)
    slip = ann.page.locator("[data-slip-at]").first
    number = slip.get_attribute("data-slip-at")
    slip.click()
    assert ann.page.locator("input.scrub").input_value() == number
    ann.page.get_by_role("button", name="Open another record").click()
    ann.page.get_by_label("Choose a record").wait_for()


def test_a_bad_record_is_refused_with_its_line_and_the_next_is_read(
    arrive: Arrive, server: Server, finished: dict[str, str]
) -> None:
    lines = record_of(server, finished["ur"]).splitlines()
    number = next(i for i, line in enumerate(lines) if '"play"' in line)
    wrong = [*lines[:number], json.dumps({**json.loads(lines[number]), "play": "fly away"}), *lines[number + 1 :]]
    ann = arrive("/record", language="fr")
    told = ann.page.get_by_role("alert")
    chooses(ann, "\n".join(wrong), "fr")
    told.filter(has_text=f"ligne {number + 1}").filter(has_text="fly away").wait_for()
    look(ann, "record-bad", "fr")
    chooses(ann, "not a record at all", "fr", "notes.txt")
    told.filter(has_text="notes.txt").filter(has_text="ligne 1").wait_for()
    chooses(ann, b"\xff\xfe\x00", "fr")
    told.filter(has_text="UTF-8").wait_for()
    chooses(ann, "  \n", "fr")
    told.filter(has_text="est vide").wait_for()
    ann.page.evaluate(DROP, ["long.jsonl", 16 * 2**20 + 1])
    told.filter(has_text="Mo").wait_for()
    chooses(ann, "\n".join(lines[:number]), "fr")
    ann.page.get_by_text("s’arrête avant la fin").wait_for()
    ann.faults = [fault for fault in ann.faults if "400" not in fault]


def test_of_several_games_in_a_file_one_is_chosen(arrive: Arrive, server: Server, finished: dict[str, str]) -> None:
    both = record_of(server, finished["ur"]) + record_of(server, finished["ave-caesar"])
    ann = arrive("/record")
    chooses(ann, both)
    ann.page.wait_for_selector(".stage.ur")
    ann.page.get_by_label("Games in this file").select_option("1")
    ann.page.wait_for_selector(".stage.ave-caesar")
    ann.page.get_by_label("Games in this file").select_option("0")
    ann.page.wait_for_selector(".stage.ur")


def test_a_whole_long_series_is_stepped_through_to_its_end(arrive: Arrive, tmp_path: Path) -> None:
    game = find("ben-hvrt")
    settled, seats = game.resolve_options({"bribes": True}, 4)
    match = random_match(game, settled, seats, 5, 0, SeededDice(5, 0))
    total = len(match.entries)
    assert total > 8000
    ann = arrive("/record")
    chooses(ann, trace.dumps(match))
    ann.page.wait_for_selector(".scrub")
    ann.page.keyboard.press("End")
    ann.page.get_by_text(f"{total} of {total}", exact=True).wait_for()
    best = max(match.scores)
    ann.page.locator(".seats li", has_text=str(best)).first.wait_for()
    ann.page.keyboard.press("ArrowLeft")
    ann.page.get_by_text(f"{total - 1} of {total}", exact=True).wait_for()
    ann.page.get_by_label("Position in the game").fill("4321")
    ann.page.get_by_text(f"4321 of {total}", exact=True).wait_for()
    ann.page.wait_for_selector(".centre[aria-busy=false]")
    ann.page.get_by_label("Seen by").select_option("2")
    ann.page.wait_for_selector(".centre[aria-busy=false]")

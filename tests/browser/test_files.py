"""Custom decks, tracks and courses on the page; installing the page, and its QR code."""

from __future__ import annotations

import json
import struct
import urllib.request
from importlib.resources import files
from pathlib import Path

import pytest

from browser.conftest import Arrive
from browser.people import Person
from quadriga.games import find
from server.support.harness import Server

TRACK = "straights = [2, 4, 4]\ncurves = [3, 4, 6]\nsquare = 20\ncurve = 60\n"


def chooses(person: Person, label: str, name: str, text: str) -> None:
    """Choose a file with this content in the form."""
    person.page.get_by_label(label).set_input_files({"name": name, "mimeType": "", "buffer": text.encode()})


def own(game: str, name: str) -> str:
    return files(find(game).package).joinpath("data", name).read_text("utf-8")


def test_a_custom_deck_and_track_are_played(arrive: Arrive, server: Server) -> None:
    ann = arrive("/new/ben-hvrt")
    ann.page.get_by_text("More options").click()
    deck = own("ben-hvrt", "deck.toml")
    wrong = deck.replace('window = "RO"', 'window = "XX"', 1)
    line = wrong[: wrong.index("XX")].count("\n") + 1
    chooses(ann, "Your own deck file", "mine.toml", wrong)
    ann.page.get_by_role("alert").filter(has_text=f"mine.toml: line {line}").wait_for()
    chooses(ann, "Your own deck file", "mine.toml", deck)
    ann.page.get_by_role("status").filter(has_text="mine.toml is valid").wait_for()
    assert ann.page.get_by_role("alert").count() == 0
    chooses(ann, "Your own track file", "short.toml", TRACK)
    ann.page.get_by_role("status").filter(has_text="short.toml is valid").wait_for()
    ann.page.get_by_role("button", name="Start").click()
    ann.page.wait_for_selector("svg.board")
    options = server.get(f"/api/tables/{ann.table}")["options"]
    assert options["track"]["curves"] == [3, 4, 6]
    assert len(options["deck"]["card"]) > 20
    ann.faults = [fault for fault in ann.faults if "400" not in fault]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("short.toml", TRACK.replace("[3, 4, 6]", "[3, 4"), "short.toml, ligne 3"),
        ("short.toml", TRACK.replace("square", "sqare"), "ligne 3"),
        ("short.json", '{"straights": [2,', "short.json, ligne 1"),
    ],
)
def test_a_bad_file_is_refused_in_the_reader_s_language_with_its_line(
    arrive: Arrive, name: str, text: str, said: str
) -> None:
    ann = arrive("/new/ben-hvrt", language="fr")
    ann.page.get_by_text("Plus d’options").click()
    chooses(ann, "Votre propre piste", name, text)
    ann.page.get_by_role("alert").filter(has_text=said).wait_for()
    ann.faults = [fault for fault in ann.faults if "400" not in fault]


def test_custom_courses_are_played(arrive: Arrive, server: Server) -> None:
    document = json.loads(own("ave-caesar", "courses.json"))
    document["courses"] = {"mine": next(iter(document["courses"].values()))}
    ann = arrive("/new/ave-caesar")
    ann.page.get_by_text("More options").click()
    broken = {**document, "courses": {"mine": {**document["courses"]["mine"], "order": ["nowhere"] * 5}}}
    chooses(ann, "Your own course file", "mine.json", json.dumps(broken))
    ann.page.get_by_role("alert").filter(has_text="mine.json").filter(has_text="nowhere").wait_for()
    chooses(ann, "Your own course file", "mine.json", json.dumps(document))
    ann.page.get_by_role("status").filter(has_text="mine.json is valid").wait_for()
    ann.page.get_by_role("button", name="Start").click()
    ann.page.wait_for_selector("svg.board")
    assert server.get(f"/api/tables/{ann.table}")["options"]["courses"] == ["mine cw", "mine ccw"]
    ann.faults = [fault for fault in ann.faults if "400" not in fault]


def test_the_page_can_be_installed(arrive: Arrive, server: Server) -> None:
    ann = arrive()
    session = ann.context.new_cdp_session(ann.page)
    read = session.send("Page.getAppManifest")
    assert read["errors"] == []
    icons = json.loads(read["data"])["icons"]
    sizes = {(icon["sizes"], icon["purpose"]) for icon in icons if icon["type"] == "image/png"}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
    touch = ann.page.locator("link[rel=apple-touch-icon]").get_attribute("href") or ""
    for path, size in [(icon["src"], icon["sizes"]) for icon in icons] + [(touch, "180x180")]:
        with urllib.request.urlopen(server.address + path) as answer:
            content = answer.read()
        if path.endswith(".png"):
            assert "{}x{}".format(*struct.unpack(">II", content[16:24])) == size


def read_code(path: str, size: int) -> str:
    """Decode a QR code of error correction M from its dark modules, as the standard defines."""
    dark = {(int(y), int(x)) for x, y in (part.split("h")[0].split() for part in path.split("M")[1:])}
    version = (size - 17) // 4
    mask = sum(((8, x) in dark) << (4 - x) for x in (2, 3, 4)) ^ 0b101
    rules = [
        lambda y, x: (y + x) % 2,
        lambda y, x: y % 2,
        lambda y, x: x % 3,
        lambda y, x: (y + x) % 3,
        lambda y, x: (y // 2 + x // 3) % 2,
        lambda y, x: y * x % 2 + y * x % 3,
        lambda y, x: (y * x % 2 + y * x % 3) % 2,
        lambda y, x: ((y + x) % 2 + y * x % 3) % 2,
    ]
    far = size - 7

    def plain(y: int, x: int) -> bool:
        corner = (y < 9 and (x < 9 or x > size - 9)) or (y > size - 9 and x < 9)
        return not corner and 6 not in (y, x) and not (abs(y - far) < 3 and abs(x - far) < 3)

    bits: list[int] = []
    up = True
    for right in [x for x in range(size - 1, 0, -2) if x > 6] + [5, 3, 1]:
        for y in range(size - 1, -1, -1) if up else range(size):
            bits += [((y, x) in dark) ^ (rules[mask](y, x) == 0) for x in (right, right - 1) if plain(y, x)]
        up = not up
    words = [int("".join(str(int(bit)) for bit in bits[i : i + 8]), 2) for i in range(0, len(bits) - 7, 8)]
    blocks, each = {3: (1, 44), 4: (2, 32), 5: (2, 43), 6: (4, 27)}[version]
    whole = [words[i * blocks + block] for block in range(blocks) for i in range(each)]
    stream = "".join(f"{word:08b}" for word in whole)
    assert stream[:4] == "0100"  # bytes
    count = int(stream[4:12], 2)
    return bytes(int(stream[12 + 8 * i : 20 + 8 * i], 2) for i in range(count)).decode()


def shared_code(person: Person) -> tuple[str, str]:
    """Return the address on the page, and the one in the QR code."""
    code = person.page.locator("svg[aria-label^='QR code of']")
    code.wait_for()
    size = int(float((code.get_attribute("viewBox") or "").split()[2])) - 6
    path = code.locator("path").get_attribute("d") or ""
    return person.page.get_by_label("Link to the table").input_value(), read_code(path, size)


def test_the_code_holds_the_table_s_address(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ur", "me open")
    ann = arrive()
    ann.sits_at(table, token)
    address, code = shared_code(ann)
    assert address == code == f"{server.address}/t/{table}"
    ann.page.get_by_text("Only this computer can open the link").wait_for()


def test_on_the_home_network_others_are_given_an_address_that_they_can_reach(
    arrive: Arrive, page_built: None, tmp_path: Path
) -> None:
    shared = Server(tmp_path / "tables.sqlite", host="0.0.0.0").start()
    try:
        home = shared.get("/api/home")["addresses"]
        if not home:
            pytest.skip("this machine is on no network")
        table, token = shared.create("ur", "me open")
        ann = arrive(server=shared)
        ann.sits_at(table, token)
        ann.page.wait_for_function(
            "(home) => document.querySelector('#share-address')?.value.startsWith(home)", arg=home[0]
        )
        address, code = shared_code(ann)
        assert address == code == f"{home[0]}/t/{table}"
        with urllib.request.urlopen(address) as answer:
            assert answer.status == 200
        ann.leave()
    finally:
        shared.kill()

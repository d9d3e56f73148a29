"""Traces: every independent game replays, and a wrong trace is refused with its line."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadriga.engine.errors import FairnessError, TraceError
from quadriga.engine.match import trace, trace_reader
from quadriga.engine.match.dice import FairDice, SeededDice
from quadriga.games import find
from quadriga.lab.traces import random_match
from soak import count
from support import SETUPS, TRACES, played

FILES = sorted(TRACES.glob("*.jsonl"))
UR = find("ur")


def read(content: bytes) -> list[trace_reader.Reading]:
    return list(trace_reader.read(content.split(b"\n"), find))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_every_independent_trace_replays(path):
    for reading in read(path.read_bytes()):
        assert reading.match.over
        written = trace.dumps(reading.match).encode()
        found = [json.loads(line) for line in path.read_bytes().splitlines()[reading.first - 1 : reading.last]]
        found[0].setdefault("version", reading.match.game.version)
        if "series" in found[0]["options"]:  # these traces leave `penalty` to its default (BH-8.3)
            found[0]["options"].setdefault("penalty", found[0]["options"]["series"] == "caligula")
        assert [json.loads(line) for line in written.splitlines()] == found


def small() -> bytes:
    return trace.dumps(played(SETUPS[1], number=4)).encode()


def refusal(content: bytes) -> TraceError:
    with pytest.raises(TraceError) as caught:
        read(content)
    return caught.value


def changed(number: int, **values) -> bytes:
    lines = small().splitlines()
    line = json.loads(lines[number])
    for key, value in values.items():
        if value is None:
            del line[key]
        else:
            line[key] = value
    lines[number] = json.dumps(line).encode()
    return b"\n".join(lines)


def first_decision() -> int:
    return next(n for n, line in enumerate(small().splitlines()) if b"legal" in line)


HEADER = b'{"quadriga": 1, "game": "ur", "options": {"markers": 1}, "seats": 2}\n'


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"", "trace.empty", None),
        (b"\n\n  \n", "trace.empty", None),
        (b'{"chance": "roll 1", "seat": 0}', "trace.no-header", 1),
        (b"\xff\xfe", "trace.utf8", 1),
        (b"{", "trace.json", 1),
        (b'{"quadriga": 1} {"quadriga": 1}', "trace.json", 1),
        (b"[1]", "trace.not-an-object", 1),
        (b"17", "trace.not-an-object", 1),
        (b'{"quadriga": 1, "quadriga": 1}', "trace.not-plain", 1),
        (b'{"quadriga": NaN}', "trace.not-plain", 1),
        (b'{"quadriga": ' + b"9" * 5000 + b"}", "trace.not-plain", 1),
        (b'{"quadriga": ' + b"[" * 100000 + b"}", "trace.nested", 1),
        (b'{"quadriga": 2}', "trace.version", 1),
        (b'{"quadriga": true}', "trace.version", 1),
        (b'{"quadriga": 1.0}', "trace.version", 1),
        (b'{"quadriga": 1, "game": "ur"}', "trace.key-missing", 1),
        (HEADER.replace(b'"seats"', b'"x": 1, "seats"'), "trace.key-unknown", 1),
        (HEADER.replace(b'"ur"', b"5"), "trace.header", 1),
        (HEADER.replace(b'"ur"', b'"chess"'), "trace.refused", 1),
        (HEADER.replace(b'{"markers": 1}', b"[]"), "trace.header", 1),
        (HEADER.replace(b'{"markers": 1}', b'{"markers": 9}'), "trace.refused", 1),
        (HEADER.replace(b'{"markers": 1}', b'{"mark": 1}'), "trace.refused", 1),
        (HEADER.replace(b'"seats": 2', b'"seats": 3'), "trace.refused", 1),
        (HEADER.replace(b'"seats": 2', b'"seats": "2"'), "trace.refused", 1),
        (HEADER + b'{"chance": "roll 1", "seat": 1}', "trace.seat", 2),
        (HEADER + b'{"chance": "roll 1", "seat": null}', "trace.seat", 2),
        (HEADER + b'{"chance": "roll 1", "seat": false}', "trace.seat", 2),
        (HEADER + b'{"chance": "roll 1", "seat": 0.0}', "trace.seat", 2),
        (HEADER + b'{"chance": "roll 4", "seat": 0}', "trace.refused", 2),
        (HEADER + b'{"chance": 1, "seat": 0}', "trace.text", 2),
        (HEADER + b'{"chance": "roll 1"}', "trace.key-missing", 2),
        (HEADER + b'{"chance": "roll 1", "seat": 0, "x": 0}', "trace.key-unknown", 2),
        (HEADER + b'{"seat": 0, "legal": [], "play": "0-1"}', "trace.chance-due", 2),
        (HEADER + b'{"what": 1}', "trace.line", 2),
        (HEADER + b'{"result": {"scores": [1, 0]}}', "trace.not-over", 2),
        (HEADER + b'{"seed": "00"}', "trace.seed-stray", 2),
        (HEADER.replace(b"}\n", b', "fair": 1}\n'), "trace.fair", 1),
        (HEADER.replace(b"}\n", b', "fair": {"words": []}}\n'), "trace.key-missing", 1),
        (HEADER.replace(b"2}\n", b'2, "fair": {"commitment": "0", "words": ["", ""]}}\n'), "trace.fair", 1),
    ],
)
def test_an_unreadable_trace_is_refused_with_line_and_reason(content, code, line):
    fault = refusal(content)
    assert fault.code == code
    assert fault.parameters.get("line") == line
    assert str(fault)
    assert fault.text("fr") != str(fault)


def test_a_decision_that_is_not_legal_is_refused():
    number = first_decision()
    fault = refusal(changed(number, play="7-7"))
    assert fault.code == "trace.refused"
    assert fault.parameters["line"] == number + 1


def test_a_legal_list_that_is_not_exactly_right_is_refused():
    number = first_decision()
    right = json.loads(small().splitlines()[number])["legal"]
    for wrong in (right[:-1], [*right, "9-9"], right[::-1] if len(right) > 1 else [], "x", [1]):
        assert refusal(changed(number, legal=wrong)).code == "trace.legal"


def test_a_decision_of_the_wrong_seat_is_refused():
    number = first_decision()
    seat = json.loads(small().splitlines()[number])["seat"]
    assert refusal(changed(number, seat=1 - seat)).code == "trace.seat"


def test_chance_where_a_player_is_to_decide_is_refused():
    lines = small().splitlines()
    number = first_decision()
    lines[number] = b'{"chance": "roll 1", "seat": 0}'
    assert refusal(b"\n".join(lines)).code == "trace.no-chance"


def test_a_wrong_missing_or_followed_result_is_refused():
    lines = small().splitlines()
    assert refusal(b"\n".join(lines[:-1])).code == "trace.no-result"
    assert refusal(b"\n".join([*lines[:-1], *lines])).code == "trace.no-result"
    assert refusal(b"\n".join([*lines, lines[1]])).code == "trace.after-end"
    assert refusal(b"\n".join([*lines[:-1], lines[1]])).code == "trace.over"
    assert refusal(changed(-1, result={"scores": [1, 1]})).code == "trace.result"
    assert refusal(changed(-1, result={"scores": [0.0, 1.0]})).code == "trace.result"


def test_an_unfinished_game_reads_and_goes_on():
    lines = small().splitlines()
    (reading,) = read(b"\n".join(lines[: len(lines) // 2]))
    assert not reading.match.over


def test_several_traces_in_one_stream_are_several_games():
    content = b"".join(path.read_bytes() for path in FILES[:3])
    assert len(read(content)) == content.count(b'"quadriga"')


def test_headings_are_due_where_a_section_begins():
    content = trace.dumps(played(("highcard", {}, 3))).encode()
    lines = content.splitlines()
    heading = next(n for n, line in enumerate(lines) if b"trick" in line)
    assert refusal(b"\n".join(lines[:heading] + lines[heading + 1 :])).code == "trace.section"
    lines[heading] = b'{"trick": 2}'
    assert refusal(b"\n".join(lines)).code == "trace.section"
    lines[heading] = b'{"trick": 1.0}'
    assert refusal(b"\n".join(lines)).code == "trace.section"


@pytest.mark.parametrize("setup", [SETUPS[1], ("highcard", {}, 2)], ids=["ur", "highcard"])
def test_a_trace_with_any_one_byte_changed_is_refused_or_still_a_legal_game(setup):
    content = trace.dumps(played(setup, number=4)).encode()
    rng = random.Random(8)
    places = sorted(rng.sample(range(len(content)), min(count(600, 2500), len(content))))
    refused = 0
    for place in places:
        byte = rng.choice([b for b in range(256) if b != content[place]])
        mutant = content[:place] + bytes([byte]) + content[place + 1 :]
        try:
            for reading in read(mutant):
                assert read(trace.dumps(reading.match).encode())  # what was accepted is a game by the rules
        except TraceError as fault:
            refused += 1
            assert "line" in fault.parameters
            assert str(fault)
    assert refused > len(places) // 2


@given(st.binary(max_size=300))
def test_garbage_is_refused_without_a_traceback(content):
    with pytest.raises(TraceError):
        read(content)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
keys = st.sampled_from(
    ["quadriga", "game", "options", "seats", "chance", "seat", "legal", "play", "result", "seed", "fair", "x"]
)


@given(st.lists(st.dictionaries(keys, json_values, max_size=5), max_size=4))
def test_lines_with_the_right_keys_and_any_values_never_give_a_traceback(lines):
    content = HEADER + b"\n".join(json.dumps(line).encode() for line in lines)
    try:
        read(content)
    except TraceError as fault:
        assert str(fault)


def record(number: int = 1) -> bytes:
    dice = FairDice(["ave", "vale"], bytes([number]) * 32)
    options, _ = UR.resolve_options({"markers": 1}, 2)
    return trace.dumps(random_match(UR, options, 2, 1, number, dice)).encode()


def test_a_record_verifies_and_replays():
    (reading,) = read(record())
    assert trace_reader.verify(reading) == reading.match.chances > 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda r: r.replace(b"ave", b"eva"), "fair.outcome"),
        (lambda r: r.replace(b'"seed": "01', b'"seed": "02'), "fair.commitment"),
        (lambda r: b"\n".join(r.splitlines()[:-1]), "fair.no-seed"),
        (lambda r: trace.dumps(played(SETUPS[1])).encode(), "fair.not-a-record"),
    ],
)
def test_a_tampered_record_fails_with_the_reason(change, code):
    (reading,) = read(change(record()))
    with pytest.raises(FairnessError) as caught:
        trace_reader.verify(reading)
    assert caught.value.code == code
    line = caught.value.parameters["line"]
    assert isinstance(line, int)
    assert line > 0


def test_a_swapped_roll_is_found_at_its_line():
    lines = record().splitlines()
    for number, line in enumerate(lines):
        if b"chance" in line:
            for roll in range(4):
                other = [*lines[:number], json.dumps({**json.loads(line), "chance": f"roll {roll}"}).encode()]
                if other[number] == line:
                    continue
                seed = json.loads(lines[-1])["seed"]
                (reading,) = read(b"\n".join(other))
                reading.seed = bytes.fromhex(seed)
                with pytest.raises(FairnessError, match=f"line {number + 1}:"):
                    trace_reader.verify(reading)


@pytest.mark.parametrize(
    ("last", "code"),
    [
        (b'{"seed": "zz"}', "trace.seed"),
        (b'{"seed": 5}', "trace.seed"),
        (b'{"seed": "' + b"AB" * 32 + b'"}', "trace.seed"),
    ],
)
def test_an_invalid_seed_is_refused(last, code):
    assert refusal(b"\n".join([*record().splitlines()[:-1], last])).code == code


def test_a_seed_too_early_or_twice_is_refused():
    lines = record().splitlines()
    assert refusal(b"\n".join([*lines[:5], lines[-1]])).code == "trace.seed-early"
    assert refusal(b"\n".join([*lines, lines[-1]])).code == "trace.seed-stray"


def test_seeded_traces_are_reproducible():
    options, _ = UR.resolve_options({}, 2)
    one, two = (trace.dumps(random_match(UR, options, 2, 7, 3, SeededDice(7, 3))) for _ in range(2))
    assert one == two

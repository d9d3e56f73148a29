"""The version of a game's rules in a trace: written, read, and named when an older file does not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from quadriga.cli.terminal import saves
from quadriga.engine.errors import FairnessError, TraceError
from quadriga.engine.match import trace, trace_reader
from quadriga.engine.match.dice import FairDice, SeededDice
from quadriga.games import find, ids
from quadriga.lab.traces import random_match

OLD = Path(__file__).parents[2] / "fixtures" / "0.1.0"
GAME = find("ave-caesar")
NOW = GAME.version


def lines(fair: bool = False) -> list[dict[str, Any]]:
    options, seats = GAME.resolve_options({"courses": ["white cw"]}, 3)
    dice = FairDice([""] * seats, b"7" * 32) if fair else SeededDice(3)
    return [json.loads(line) for line in trace.dumps(random_match(GAME, options, seats, 3, 0, dice)).splitlines()]


def read(found: list[dict[str, Any]]) -> trace_reader.Reading:
    (reading,) = trace_reader.read([json.dumps(line).encode() for line in found], find)
    return reading


def refused(found: list[dict[str, Any]]) -> TraceError:
    with pytest.raises(TraceError) as caught:
        read(found)
    return caught.value


def unfitting(version: int | None) -> list[dict[str, Any]]:
    """Return a trace of a version in which a decision had another legal action, and the line of that decision."""
    found = lines()
    number = next(n for n, line in enumerate(found) if "play" in line and len(line["legal"]) > 1)
    found[number]["legal"] = [*found[number]["legal"], "9 nowhere"]
    if version is None:
        del found[0]["version"]
    else:
        found[0]["version"] = version
    return found


def test_the_rules_of_ave_caesar_and_ben_hvrt_have_a_second_version():
    assert (find("ave-caesar").version, find("ben-hvrt").version, find("ur").version) >= (2, 2, 1)


@pytest.mark.parametrize("id", ids())
def test_every_trace_says_the_version_of_its_rules_and_the_format_stays_1(id):
    game = find(id)
    options, seats = game.resolve_options({}, None)
    header = trace.header(random_match(game, options, seats, 1, 0, SeededDice(1)))
    assert (header["quadriga"], header["version"]) == (1, game.version)


@pytest.mark.parametrize("version", [None, 1, NOW, NOW + 1])
def test_a_file_that_fits_is_read_whatever_version_it_says(version):
    found = lines()
    if version is None:
        del found[0]["version"]
    else:
        found[0]["version"] = version
    assert read(found).match.over
    assert read(found).version == version


@pytest.mark.parametrize("version", [1, NOW + 1])
def test_a_file_of_another_version_that_does_not_fit_is_refused_with_that_reason_and_its_line(version):
    found = unfitting(version)
    fault = refused(found)
    line = 1 + next(n for n, each in enumerate(found) if "9 nowhere" in each.get("legal", []))
    assert fault.code == "trace.other-rules"
    assert f"line {line}: written under version {version} of Ave Caesar's rules; this is version {NOW}" in str(
        fault
    )
    assert f"ligne {line}" in fault.text("fr")
    assert f"version {version} des règles de Ave Caesar" in fault.text("fr")


def test_a_file_without_a_version_is_refused_and_the_missing_version_is_named():
    fault = refused(unfitting(None))
    assert fault.code == "trace.no-version"
    assert isinstance(fault.parameters["reason"], TraceError)
    assert fault.parameters["reason"].code == "trace.legal"
    assert f"this is version {NOW}" in str(fault)


def test_a_file_of_the_present_version_is_refused_by_its_rules_alone():
    assert refused(unfitting(NOW)).code == "trace.legal"


def test_errors_unrelated_to_rules_do_not_name_the_version():
    found = lines()
    found[0]["version"] = 1
    del found[5]["seat"]
    assert refused(found).code == "trace.key-missing"


def test_an_option_that_was_once_allowed_names_the_version():
    found = lines()
    found[0] |= {"version": 1, "options": {"laps": 4}}
    assert refused(found).code == "trace.other-rules"
    found[0]["game"] = "hippodrome"
    assert refused(found).code == "trace.refused"


@pytest.mark.parametrize("version", [0, -1, 1.0, True, "1", None, [1]])
def test_a_version_is_a_whole_number_from_1(version):
    found = lines()
    found[0]["version"] = version
    fault = refused(found)
    assert fault.code == "trace.game-version"
    assert fault.parameters["line"] == 1


def test_outcomes_that_do_not_fit_name_the_version_too():
    found = lines(fair=True)
    found[0]["version"] = 1
    found[-1] = {"seed": (b"8" * 32).hex()}
    with pytest.raises(FairnessError) as caught:
        trace_reader.verify(read(found))
    assert caught.value.code == "fair.commitment"  # a wrong seed is a wrong seed under any rules
    found = lines(fair=True)
    found[0] |= {"version": 1, "fair": found[0]["fair"] | {"words": ["other", "", ""]}}
    with pytest.raises(FairnessError, match="written under version 1"):
        trace_reader.verify(read(found))


# Files of version 0.1.0, which wrote no version.


def old(name: str) -> list[bytes]:
    return (OLD / name).read_bytes().splitlines()


def test_an_old_record_that_still_fits_is_read_and_verified():
    (reading,) = trace_reader.read(old("record-ur.jsonl"), find)
    assert trace_reader.verify(reading) > 0


def test_an_old_record_that_no_longer_fits_is_refused_with_line_and_version():
    with pytest.raises(TraceError, match=r"^line 95: .*does not say which version of Ave Caesar's rules") as caught:
        next(trace_reader.read(old("record-ave-caesar.jsonl"), find))
    assert caught.value.code == "trace.no-version"


def test_an_old_save_that_still_fits_goes_on():
    assert not saves.read(OLD / "save-ur.jsonl").match.over


def test_an_old_save_goes_on_or_is_refused_with_line_and_version(tmp_path: Path):
    assert saves.read(OLD / "save-ave-caesar.jsonl").match.entries
    content = old("save-ave-caesar.jsonl")
    number = next(n for n, line in enumerate(content) if b'"play"' in line)
    content[number] = content[number].replace(b'"legal": [', b'"legal": ["0 nowhere", ')
    (tmp_path / "game.jsonl").write_bytes(b"\n".join(content))
    with pytest.raises(TraceError, match=rf"^line {number + 1}: .*this is version {NOW}"):
        saves.read(tmp_path / "game.jsonl")

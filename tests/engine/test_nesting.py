"""A small file cannot exhaust the machine: size and depth are checked before parsing."""

from __future__ import annotations

import json
import tomllib
from importlib import resources
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quadriga.engine import files, nesting
from quadriga.engine.errors import FileError, TraceError
from quadriga.engine.match import trace_reader
from quadriga.games import find
from soak import count

ATTACKS = {
    "keys": "a." * 12_000 + "a=1",
    "spaced keys": 'a . "b" . ' * 5_000 + "a=1",
    "headers": "[" + "a." * 12_000 + "a]",
    "array of tables": "[[" + "a." * 12_000 + "a]]",
    "keys of an inline table": "x = {" + "a." * 12_000 + "a=1}",
    "arrays": "a = " + "[" * 12_000,
    "tables": "a = " + "{a=" * 8_000,
    "after a string": 'a = "#"\n' + "a." * 12_000 + "b=1",
    "after a quote": 'a = \'\'\'it\'\'\'\'\nb = """he said """""\n' + "a." * 12_000 + "b=1",
}


@pytest.mark.parametrize("name", ATTACKS)
def test_deep_toml_is_refused_with_its_line(name: str):
    with pytest.raises(FileError) as refused:
        files.parse_document("deck.toml", b"# first\n" + ATTACKS[name].encode())
    assert refused.value.code == "file.nested"
    assert refused.value.parameters["line"] == 2 + ATTACKS[name].count("\n", 0, ATTACKS[name].find("a.a.a"))


@pytest.mark.parametrize("text", ["[" * 12_000, '{"a":' * 12_000, '{"a": "\\"", "b": ' + "[" * 9_000])
def test_deep_json_is_refused_with_its_line(text: str):
    with pytest.raises(FileError) as refused:
        files.parse_document("deck.json", f"\n\n{text}".encode())
    assert (refused.value.code, refused.value.parameters["line"]) == ("file.nested", 3)


def test_a_large_file_is_refused_before_it_is_read_whole(tmp_path: Path):
    large = tmp_path / "deck.toml"
    large.write_bytes(b"# " + b"x" * 10 * nesting.MAX_FILE_BYTES)
    assert len(files.read_small(large)) == nesting.MAX_FILE_BYTES + 1
    with pytest.raises(FileError) as refused:
        files.read_document(large)
    assert refused.value.code == "file.large"


HEADER = b'{"quadriga": 1, "game": "ur", "options": {}, "seats": 2}'


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"play": "' + b"x" * nesting.MAX_LINE_BYTES + b'"}', "trace.long"),
        (b'{"play": ' + b"[" * 200_000, "trace.nested"),
        (b'{"play": ' + b'{"a":' * 100_000, "trace.nested"),
    ],
)
def test_a_giant_line_of_a_record_is_refused_with_its_number(tmp_path: Path, line: bytes, code: str):
    record = tmp_path / "record.jsonl"
    record.write_bytes(HEADER + b"\n" + line + b"\n")
    with pytest.raises(TraceError) as refused:
        list(trace_reader.read(files.read_lines(record), find))
    assert (refused.value.code, refused.value.parameters["line"]) == (code, 2)


def test_shipped_files_are_shallow():
    for package in ("quadriga.games.benhvrt", "quadriga.games.avecaesar"):
        for file in resources.files(package).joinpath("data").iterdir():
            assert nesting.find_too_deep(file.read_text("utf-8"), toml=file.name.endswith(".toml")) is None


def test_dots_and_brackets_in_strings_comments_and_numbers_do_not_count():
    dots, brackets = "." * 50, "[{" * 50
    text = f"""
a = "{dots}{brackets}\\"{dots}"  # {dots}{brackets}"
b = '{dots}{brackets}\\'
c = \"\"\"{dots}"{brackets}""{dots}\\\"\"\" {brackets}\"\"\"\"\"
d = '''{dots}'{brackets}''{dots}'''''
e = [{", ".join(["1.5"] * 50)}]
"{dots}{brackets}" = [{", ".join(["[1.0]"] * 50)}]
"""
    tomllib.loads(text)
    assert nesting.find_too_deep(text, toml=True) is None
    assert nesting.find_too_deep(json.dumps({"a": f'{brackets}\\"{brackets}', "b": [[]] * 50}), toml=False) is None


def _skip_string(text: str, start: int) -> int:
    """Return the end of a TOML string: its last quote, else the end of its line or of the file."""
    quote = text[start]
    if text.startswith(quote * 3, start):
        at = start + 3
        while at < len(text):
            if text[at] == "\\" and quote == '"':
                if at + 1 == len(text):
                    break
                at += 2
            elif text.startswith(quote * 3, at):
                return at + next(n for n in (5, 4, 3) if text.startswith(quote * n, at))
            else:
                at += 1
        else:
            return at
    at = start + 1  # also a long string whose last character would escape the next one
    while at < len(text) and text[at] != "\n":
        if text[at] == quote:
            return at + 1
        if text[at] == "\\" and quote == '"':
            if text[at + 1 : at + 2] in ("", "\n"):
                break
            at += 1
        at += 1
    return at


def _marks(text: str) -> list[int]:
    """Return where brackets, dots, commas, equal signs and line breaks stand outside of strings and comments."""
    found, at = [], 0
    while at < len(text):
        if text[at] in "\"'":
            at = _skip_string(text, at)
        elif text[at] == "#":
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
        else:
            if text[at] in "[]{}.,=\n":
                found.append(at)
            at += 1
    return found


@pytest.mark.parametrize("alphabet", ['"\\\n.', "\"'#\n", "'\\\n."])
def test_every_short_text_is_read_as_character_by_character(alphabet: str):
    for length in range(count(8, 10)):
        for text in map("".join, product(alphabet, repeat=length)):
            tokens = [match.start() for match in nesting._TOML.finditer(text) if match[0][0] not in "\"'#"]
            assert tokens == _marks(text), text


def test_an_escape_ends_no_string_of_json():
    for length in range(8):
        for inside in map("".join, product('"\\[', repeat=length)):
            text = json.dumps(inside) + "["
            assert [match.start() for match in nesting._JSON.finditer(text)] == [0, len(text) - 1]


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


PIECES = st.sampled_from(
    [
        "a",
        "b",
        ".",
        "=",
        "1",
        "\n",
        "[",
        "]",
        "{",
        "}",
        ",",
        '"',
        '"""',
        "'",
        "'''",
        "#",
        "\\",
        " ",
        "a.b.c",
        "a=[1]\n",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_a_file_that_is_refused_is_really_deep(text: str):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nesting, "MAX_DEPTH", 2)
        line = nesting.find_too_deep(text, toml=True)
        try:
            found = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            return
        assert line is None or _depth(found) > 2

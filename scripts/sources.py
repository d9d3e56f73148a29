"""Check docs/rules/sources.md against the rule sheets in a folder: `python scripts/sources.py FOLDER`.

The sheets are not part of this project. The tables name each sentence by its number, its first three words and a
hash, and the rules that carry it. With `--list` the sentences of the sheets are printed with their numbers.
"""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

TABLE = Path(__file__).parent.parent / "docs" / "rules" / "sources.md"
HASH = 12  # hex digits of a sentence's SHA-256
WORDS = 3

_SHEET = re.compile(r"^## .*\(`([\w-]+)`\)\n\nSHA-256 `([0-9a-f]{64})`, (\d+) sentences\.", re.M)
_NO_RULE = re.compile(r"^No rule: (.*)\.$", re.M)
_ROW = re.compile(r"^\| (\d+) \| (.*) \| `([0-9a-f]{12})` \| (.*) \|$", re.M)


@dataclass(frozen=True)
class Row:
    """A sentence that states a rule."""

    number: int
    words: str
    digest: str
    rules: list[str]


@dataclass
class Sheet:
    """A sheet: the hash of its file, the number of its sentences, those that state no rule, and those that do."""

    name: str
    sha256: str
    count: int
    no_rule: list[int] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


def sentences(text: str) -> list[str]:
    """Return the sentences of a sheet, with broken lines and words joined. A heading or a cell counts as one."""
    text = re.sub(r"<\|[^|]*\|>|\t", "\n\n", text)
    text = re.sub(r"[*_]", "", text).replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"')
    text = re.sub(r"-[ \t]*\n(?=[a-z\u00e0-\u00ff])", "", text)
    found = []
    for paragraph in re.split(r"\n\s*\n|\n(?= \S|- |\d\. )", text):
        joined = " ".join(paragraph.split())
        found += re.split(r"(?<=[.!?])[\"')]*\s+(?=[\"(]?[A-Z\u00c0-\u00dd0-9])", joined)
    return [sentence for sentence in found if re.search(r"\w", sentence)]


def hash_of(sentence: str) -> str:
    """Return the hash of a sentence."""
    return hashlib.sha256(sentence.encode()).hexdigest()[:HASH]


def first_words(sentence: str) -> str:
    """Return the first words of a sentence, without signs that a table cannot hold."""
    return " ".join(re.findall(r"[\w'/]+", sentence)[:WORDS])


def numbers(text: str) -> list[int]:
    """Return the numbers of a list such as `1, 4 to 6`."""
    found: list[int] = []
    for part in text.split(", "):
        first, _, last = part.partition(" to ")
        found += range(int(first), int(last or first) + 1)
    return found


def read_table(text: str) -> list[Sheet]:
    """Return the sheets of the table."""
    starts = [*_SHEET.finditer(text)]
    found = []
    for start, end in zip(starts, [*(each.start() for each in starts[1:]), len(text)], strict=True):
        part = text[start.start() : end]
        none = _NO_RULE.search(part)
        rows = [Row(int(n), words, digest, rules.split(", ")) for n, words, digest, rules in _ROW.findall(part)]
        found.append(Sheet(start[1], start[2], int(start[3]), numbers(none[1]) if none else [], rows))
    return found


def faults(sheet: Sheet, text: str) -> list[str]:
    """Return what the table says of a sheet that is not so."""
    found = sentences(text)
    if len(found) != sheet.count:
        return [f"{sheet.name}: {len(found)} sentences, not {sheet.count}"]
    wrong = []
    for row in sheet.rows:
        sentence = found[row.number - 1]
        if (row.words, row.digest) != (first_words(sentence), hash_of(sentence)):
            wrong.append(f"{sheet.name} {row.number}: {first_words(sentence)!r} {hash_of(sentence)}")
    return wrong


def main(folder: str, *flags: str) -> int:
    """Check every sheet that is in a folder; return the exit code."""
    texts = {}
    for path in sorted(Path(folder).iterdir()):
        content = path.read_bytes() if path.is_file() else b""
        texts[hashlib.sha256(content).hexdigest()] = content
    wrong, checked = [], 0
    for sheet in read_table(TABLE.read_text("utf-8")):
        if sheet.sha256 not in texts:
            print(f"{sheet.name}: not here")
            continue
        text = texts[sheet.sha256].decode()
        checked += 1
        wrong += faults(sheet, text)
        if "--list" in flags:
            print(f"{sheet.name}:", *(f"{n:>4} {each}" for n, each in enumerate(sentences(text), 1)), sep="\n")
    print(*wrong, f"{checked} sheets checked, {len(wrong)} faults", sep="\n")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

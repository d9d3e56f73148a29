"""Deck and track files of one's own: good, or everything that is wrong with them, a line each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import typer

from quadriga.cli.exits import REFUSED
from quadriga.cli.main import complain
from quadriga.engine import files
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words
from quadriga.games.benhvrt import board
from quadriga.games.benhvrt import deck as decks
from quadriga.games.benhvrt.deck.card_line import card_line
from quadriga.games.benhvrt.deck.operations import TYPES


def deck(path: str, as_json: bool, say: Words, listed: bool = False) -> None:
    """Check a deck file (BH-7.7): how many cards of which kinds, and which lack words for people; or list them."""
    document, text = files.read_document(path)
    cards, faults = decks.read(document, text)
    _refuse_all(path, faults, say)
    counts = Counter(dict.fromkeys(TYPES, 0))
    for card in cards:
        counts[TYPES[card.type]] += card.copies
    lacking = {
        "no-text": [card.name for card in cards if not card.texts["en"]],
        "no-french": [each["name"] for each in document["card"] if not {"name", "text"} <= set(each.get("fr", {}))],
    }
    if as_json:
        _print({"file": path, "cards": counts.total(), "names": len(cards), "kinds": counts, **lacking})
        return
    own = catalogues.of(say.language, "quadriga.cli", decks.PACKAGE)
    kinds = [f"{own(f'ben-hvrt.card.{name}')} {n}" for name, n in counts.items() if n]
    print(own("cli.check.deck", path=path, n=counts.total(), kinds=kinds))
    for card in cards if listed else []:
        print(f"  {card.copies}× {card_line(card, own)}")
    for lack, names in lacking.items():
        if names:
            print(own(f"cli.check.{lack}", names=sorted(names)))


def track(path: str, as_json: bool, say: Words) -> None:
    """Check a track file (BH-1.1): its lanes and the length of a lap."""
    document, text = files.read_document(path)
    found, faults = board.read(document, text)
    _refuse_all(path, faults, say)
    assert found is not None
    squares = [len(lane) for lane in found.lanes]
    lap = found.lap // found.scale
    ranks = found.rank(board.CHARIOTS - 1)
    if as_json:
        _print({"file": path, "lanes": squares, "squares": sum(squares), "lap": lap, "ranks": ranks})
        return
    print(say("cli.check.track", path=path, n=len(squares), lap=lap))
    print(say("cli.check.lanes", squares=squares, ranks=ranks))


def _print(content: dict[str, object]) -> None:
    print(json.dumps(content, ensure_ascii=False))


def _refuse_all(path: str, faults: Sequence[OptionError], say: Words) -> None:
    """Say everything that is wrong, and end the command if anything is."""
    for fault in faults:
        complain(FileError("file.refused", path=path, reason=fault).text(say.language))
    if faults:
        raise typer.Exit(REFUSED)

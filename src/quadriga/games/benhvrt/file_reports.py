"""What `quadriga deck check` and `quadriga track check` say about a file: all its faults, or what is in it."""

from __future__ import annotations

from collections import Counter

from quadriga.engine import files
from quadriga.engine.match.options import FileReport
from quadriga.engine.text.catalogues import Words
from quadriga.games.benhvrt import deck as decks
from quadriga.games.benhvrt import track_file
from quadriga.games.benhvrt.deck.card_line import card_line
from quadriga.games.benhvrt.deck.operations import TYPES


def report_deck(path: str) -> FileReport:
    """Check a deck file (BH-7.7): the numbers of cards, cards without a text, and the cards."""
    document, text = files.read_document(path)
    cards, faults = decks.read(document, text)
    if faults:
        return FileReport(faults)
    counts = Counter(dict.fromkeys(TYPES, 0))
    for card in cards:
        counts[TYPES[card.type]] += card.copies
    no_text = [card.name for card in cards if not card.texts["en"]]
    no_french = [each["name"] for each in document["card"] if not {"name", "text"} <= set(each.get("fr", {}))]

    def lines(say: Words, in_full: bool) -> list[str]:
        kinds = [f"{say(f'ben-hvrt.card.{name}')} {n}" for name, n in counts.items() if n]
        listed = [f"  {card.copies}× {card_line(card, say)}" for card in cards if in_full]
        missing = [say("ben-hvrt.file.no-text", names=sorted(no_text))] if no_text else []
        missing += [say("ben-hvrt.file.no-french", names=sorted(no_french))] if no_french else []
        return [say("ben-hvrt.file.deck", path=path, n=counts.total(), kinds=kinds), *listed, *missing]

    facts = {"cards": counts.total(), "names": len(cards), "kinds": counts}
    return FileReport(facts={**facts, "no-text": no_text, "no-french": no_french}, lines=lines)


def report_track(path: str) -> FileReport:
    """Check a track file (BH-1.5): its lanes and the length of a lap."""
    document, text = files.read_document(path)
    track, faults = track_file.read(document, text)
    if faults or track is None:
        return FileReport(faults)
    squares = [len(lane) for lane in track.lanes]
    lap = track.length
    ranks = track.places[-1][1]

    def lines(say: Words, in_full: bool) -> list[str]:
        return [
            say("ben-hvrt.file.track", path=path, n=len(squares), lap=lap),
            say("ben-hvrt.file.lanes", squares=squares, ranks=ranks),
        ]

    return FileReport(facts={"lanes": squares, "squares": sum(squares), "lap": lap, "ranks": ranks}, lines=lines)

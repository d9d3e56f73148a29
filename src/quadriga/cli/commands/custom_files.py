"""`quadriga deck check`, `track check`: check custom files for Ben Hvrt, and print all faults, a line each."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from click.exceptions import Exit

from quadriga.cli.commandline import CommandLine
from quadriga.cli.exits import REFUSED
from quadriga.cli.output import print_error, print_json
from quadriga.engine import files
from quadriga.engine.errors import FileError, OptionError
from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Words


def add(cli: CommandLine) -> None:
    """Add the commands."""

    @cli.check_command("deck")
    def check_deck(
        file: Annotated[str, cli.argument("deck-file")],
        list: Annotated[bool, cli.option("list")] = False,
        json: Annotated[bool, cli.option("json")] = False,
    ) -> None:
        _check_deck(file, json, list, cli.say)

    @cli.check_command("track")
    def check_track(
        file: Annotated[str, cli.argument("track-file")], json: Annotated[bool, cli.option("json")] = False
    ) -> None:
        _check_track(file, json, cli.say)


def _check_deck(path: str, as_json: bool, with_cards: bool, say: Words) -> None:
    """Check a deck file (BH-7.7); print the numbers of cards, cards without a text, and the cards if asked to."""
    from quadriga.games.benhvrt import deck as decks
    from quadriga.games.benhvrt.deck.card_line import card_line
    from quadriga.games.benhvrt.deck.operations import TYPES

    document, text = files.read_document(path)
    cards, faults = decks.read(document, text)
    _refuse(path, faults, say)
    counts = Counter(dict.fromkeys(TYPES, 0))
    for card in cards:
        counts[TYPES[card.type]] += card.copies
    lacking = {
        "no-text": [card.name for card in cards if not card.texts["en"]],
        "no-french": [each["name"] for each in document["card"] if not {"name", "text"} <= set(each.get("fr", {}))],
    }
    if as_json:
        print_json({"file": path, "cards": counts.total(), "names": len(cards), "kinds": counts, **lacking})
        return
    own = catalogues.of(say.language, "quadriga.cli", decks.PACKAGE)
    kinds = [f"{own(f'ben-hvrt.card.{name}')} {n}" for name, n in counts.items() if n]
    print(own("cli.check.deck", path=path, n=counts.total(), kinds=kinds))
    for card in cards if with_cards else []:
        print(f"  {card.copies}× {card_line(card, own)}")
    for lack, names in lacking.items():
        if names:
            print(own(f"cli.check.{lack}", names=sorted(names)))


def _check_track(path: str, as_json: bool, say: Words) -> None:
    """Check a track file (BH-1.1); print its lanes and the length of a lap."""
    from quadriga.games.benhvrt import board

    document, text = files.read_document(path)
    track, faults = board.read(document, text)
    _refuse(path, faults, say)
    assert track is not None
    squares = [len(lane) for lane in track.lanes]
    lap = track.lap // track.scale
    ranks = track.rank(board.CHARIOTS - 1)
    if as_json:
        print_json({"file": path, "lanes": squares, "squares": sum(squares), "lap": lap, "ranks": ranks})
        return
    print(say("cli.check.track", path=path, n=len(squares), lap=lap))
    print(say("cli.check.lanes", squares=squares, ranks=ranks))


def _refuse(path: str, faults: Sequence[OptionError], say: Words) -> None:
    """Print all faults, and end the command if there are any."""
    for fault in faults:
        print_error(FileError("file.refused", path=path, reason=fault).text(say.language))
    if faults:
        raise Exit(REFUSED)

"""Catalogues: English and French have the same messages, and every message of the code is in them."""

import pickle
import re
from pathlib import Path
from string import Formatter

import pytest

import quadriga
from quadriga.engine import errors
from quadriga.engine.text import catalogues
from quadriga.games.benhvrt.deck.operations import OPS

SOURCE = Path(quadriga.__file__).parent
PACKAGES = sorted(
    ".".join(("quadriga", *path.parent.parent.relative_to(SOURCE).parts)) for path in SOURCE.rglob("words/en.toml")
)
ASSEMBLED = re.compile(
    r"^([a-z-]+\.(why|seat|option|tally|title|about|status|card|window|place|lane|glossary|order|order-form)|cli\.(option|command|sim|check|page|play\.(key|how)|tournament\.(paired|random|order|best|repeats|starts|byes)|ratings\.sign|puzzles\.grade|solve\.(GB|MB))|error|ordinal|axis|finding|group|label|rule|section|verdict|public)\b"
)


def fields(message: catalogues.Template) -> set[str]:
    texts = [message] if isinstance(message, str) else list(message.values())
    return {name.split("!")[0] for text in texts for _, name, _, _ in Formatter().parse(text) if name}


def test_there_are_catalogues():
    assert {"quadriga.engine", "quadriga.cli", "quadriga.games.ur"} <= set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_english_and_french_have_the_same_messages_with_the_same_parameters(package):
    english, french = (catalogues.catalogue(package, language) for language in catalogues.LANGUAGES)
    assert list(english) == list(french)
    for id in english:
        assert fields(english[id]) == fields(french[id]), id
        assert isinstance(english[id], str) == isinstance(french[id], str), id


@pytest.mark.parametrize("package", PACKAGES)
def test_french_is_french(package):
    english, french = (catalogues.catalogue(package, language) for language in catalogues.LANGUAGES)
    parameters = re.compile(r"\{.*?\}")
    words = {id: parameters.sub("", str(text)) for id, text in english.items()}
    same = [id for id in english if english[id] == french[id] and re.search(r"[a-z]{4}", words[id])]
    named_alike = {f"ur.glossary.{name}.name" for name in ("rosette", "passage", "conversion", "rosette-finkel")}
    named_alike |= {
        "ur.glossary.rosette-masters.name",
        "ave-caesar.glossary.points.name",
        "ben-hvrt.glossary.veto.name",
    }
    assert set(same) <= named_alike | {
        "error.trace.refused",
        "cli.refused.other",
        "cli.play.hint",  # nothing but parameters
        "cli.play.how.exact",
        "ave-caesar.title",
        "ave-caesar.points",
        "report.options",
        "axis.ducats",
    }


def said_in_code() -> str:
    return "\n".join(path.read_text() for path in SOURCE.rglob("*.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_message_is_used(package):
    code = said_in_code()
    for id in catalogues.catalogue(package, "en"):
        assert ASSEMBLED.match(id) or re.search(rf"[\"']{re.escape(id)}[\"']", code), f"{id} is never said"


def said_errors() -> set[str]:
    ids = {id for package in PACKAGES for id in catalogues.catalogue(package, "en")}
    return {id.removeprefix("error.") for id in ids if id.startswith("error.")}


def test_every_error_raised_in_the_code_has_a_message():
    catalogue = {id for package in PACKAGES for id in catalogues.catalogue(package, "en")}
    code = said_in_code()
    raised = set(re.findall(r"(?:Error|type\(\w+\))\(\s*\"([a-z0-9.-]+)\"", code))
    raised |= set(re.findall(r"\"((?:action|chance|file|syntax)\.[a-z-]+)\"", code))
    raised |= {f"course.{end}" for end in re.findall(r"raise refuse\(\"([a-z-]+)\"", code)}
    prefixes = (
        ("deck/deck_file", "deck"),
        ("deck/card_reader", "deck"),
        ("track_file", "track"),
        ("notation", "notation"),
    )
    for file, prefix in prefixes:
        code = (SOURCE / "games" / "benhvrt" / f"{file}.py").read_text()
        raised |= {f"{prefix}.{end}" for end in re.findall(r"refuse\(\s*\"([a-z-]+)\"", code)}
    raised |= {
        f"deck.{total}"
        for total in re.findall(r"\"([a-z-]+)\": \(", (SOURCE / "games/benhvrt/deck/deck_file.py").read_text())
    }
    raised |= {f"deck.why.{reason}" for each in OPS.values() for reason in ("none", *each.refused.values())}
    raised |= set(re.findall(r"\"(wire\.[a-z-]+|table\.taken)\"", said_in_code()))
    raised |= set(re.findall(r"\.refuse\(\"(body\.[a-z]+)\"", said_in_code()))
    kinds = re.findall(r"Turns\(\"([a-z]+)\"", said_in_code())
    raised |= {f"{kind}.{end}" for kind in kinds for end in ("busy", "yours")}
    workers = ["upload", *re.findall(r"Workers\([^()]*, \"([a-z]+)\"", said_in_code())]  # the first is the default
    raised |= {f"{kind}.{end}" for kind in workers for end in ("busy", "yours", "heavy")}
    raised |= {f"table.{status}" for status in ("paused", "over", "ended")}
    storage = "".join(path.read_text() for path in (SOURCE / "server" / "storage").glob("*.py"))
    raised |= {f"store.{end}" for end in re.findall(r"raise \w+\(\"([a-z-]+)\"", storage)}
    raised |= set(re.findall(r"\"error\.(similar\.[a-z]+)\"", said_in_code())) | {"output.failed"}
    raised |= set(re.findall(r"\"((?:house|chat|table)\.[a-z-]+)\"", said_in_code())) & said_errors()
    raised |= {f"store.{end}" for end in re.findall(r"refused\(\"([a-z-]+)\"", said_in_code())}
    compounds = (SOURCE / "games" / "benhvrt" / "compounds.py").read_text()
    raised |= {f"parts.{name}" for name in re.findall(r"(?:_number|_side)\((?:t, )?['\"]([a-z]+)", compounds)}
    assert len(raised) > 60
    assert {f"error.{code}" for code in raised} <= catalogue
    said = {id.removeprefix("error.") for id in catalogue if id.startswith("error.")}
    assert said <= raised


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"QUADRIGA_LANG": "fr", "LANG": "en_GB"}, "fr"),
        ({"LC_ALL": "fr_CA", "LANG": "en_GB"}, "fr"),
    ],
)
def test_the_environment_chooses_the_language(environment, language):
    assert catalogues.preferred(environment) == language


def test_counts_take_their_form():
    english, french = (
        catalogues.Words(language, {"x": {"one": "one", "other": "many"}}) for language in ("en", "fr")
    )
    assert [english("x", n=n) for n in (0, 1, 2)] == ["many", "one", "many"]
    assert [french("x", n=n) for n in (0, 1, 2)] == ["one", "one", "many"]


def test_lists_are_written_as_people_write_them():
    assert catalogues.Words("en", {"x": "{things}"})("x", things=["a", "b"]) == "a, b"


def test_a_message_may_contain_another_and_texts_in_lists_are_translated():
    say = catalogues.Words("fr", {"x": "double {whom}", "y": "le char de {seat}", "z": "{cards}"})
    assert say("x", whom=catalogues.Message("y", {"seat": 2})) == "double le char de 2"
    cards = [
        catalogues.Localised((("en", "Owl"), ("fr", "Hibou"))),
        catalogues.Localised((("en", "Goat"), ("fr", "Chèvre"))),
    ]
    assert say("z", cards=cards) == "Hibou, Chèvre"


def test_an_error_has_both_languages_and_survives_a_pickle():
    fault = errors.TraceError("trace.refused", line=3, reason=errors.OptionError("undo.start"))
    assert str(fault) == "line 3: There is nothing to undo."
    assert fault.text("fr") == "ligne 3 : Il n'y a rien à annuler."
    assert str(pickle.loads(pickle.dumps(fault))) == str(fault)


def test_the_documented_tree_of_errors_is_current():
    drawn = set(re.findall(r"[├└│]── (\w+)", errors.__doc__ or ""))
    defined = {name for name, thing in vars(errors).items() if isinstance(thing, type)} - {"QuadrigaError"}
    assert drawn == defined

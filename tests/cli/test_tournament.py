"""The commands about tournaments."""

from __future__ import annotations

import json

import msgspec
import pytest

from quadriga.cli import main
from quadriga.lab.tournament import draw
from quadriga.lab.tournament.log import Begin, Enter, Event, Plan
from quadriga.lab.tournament.pairing import next_pairing
from quadriga.lab.tournament.published import PublishedLog
from quadriga.lab.tournament.state import state_of


@pytest.fixture
def quadriga(capsys):
    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        printed = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, printed.out, printed.err

    return run


def test_a_simulation_is_printed_in_words_and_in_json(quadriga):
    asked = ["tournament", "simulate", "--players", "12", "--rounds", "3", "--tournaments", "2", "--seed", "1"]
    code, out, _ = quadriga(*asked)
    assert code == 0
    assert "random" in out
    code, out, _ = quadriga(*asked, "--json")
    assert [each["method"] for each in json.loads(out)["qualities"]] == ["paired", "random"]


def test_pairings_are_verified(quadriga, tmp_path):
    plan, seed = Plan("swiss", 2, 2, 3), bytes(32)
    log: list[Event] = [*(Enter(number) for number in range(6)), Begin()]
    state = state_of(plan, log)
    log.append(next_pairing(state, draw.link(seed, 1)))
    file = tmp_path / "log.json"
    file.write_bytes(msgspec.json.encode(PublishedLog(plan, draw.link(seed, 0).hex(), log)))
    code, out, _ = quadriga("tournament", "verify", str(file))
    assert (code, out.strip()) == (0, "All 1 pairings are what the published draw makes them.")
    file.write_bytes(msgspec.json.encode(PublishedLog(plan, draw.link(seed, 1).hex(), log)))
    code, _, err = quadriga("tournament", "verify", str(file))
    assert code == 2
    assert "Event 8" in err


@pytest.mark.parametrize(
    "arguments",
    ["tournament", "tournament simulate --kind swim", "tournament simulate --seats 13", "tournament verify /none"],
)
def test_every_error_is_one_clear_line(quadriga, arguments):
    code, _, err = quadriga(*arguments.split())
    assert code == 2
    assert err.count("\n") == 1

"""The commands about bots: tables, JSON, interrupts that lose nothing, one clear line for an error."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time

import pytest

from lab.evolution.known import values_of
from quadriga.cli import main
from quadriga.lab.review.review import SLIP
from support import here


@pytest.fixture
def quadriga(capsys):
    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        printed = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, printed.out, printed.err

    return run


@pytest.mark.parametrize("command", ["arena", "solve", "review", "train"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_command_has_help_in_both_languages(quadriga, command, language):
    code, out, _ = quadriga(command, "--help", "--lang", language)
    assert code == 0
    assert f" {command} [OPTIONS]" in out
    assert ("Show this text" in out) == (language == "en")


def test_an_arena_in_words_and_in_json(quadriga, tmp_path):
    kept = str(tmp_path / "games.json")
    asked = ["arena", "ur", "--players", "greedy,easy", "--games", "200", "--seed", "1", "--keep", kept]
    code, out, _ = quadriga(*asked)
    assert code == 0
    assert "greedy is ahead of easy" in out
    assert "Settled" in out
    assert "devance" in quadriga(*asked, "--lang", "fr")[1]
    found = json.loads(quadriga(*asked, "--json")[1])
    assert found["settled"] is True
    assert found["standings"][0]["player"] == "greedy"
    assert found["pairs"][0]["ahead"]["low"] > 0.5
    code, _, err = quadriga("arena", "ur", "--players", "greedy,random", "--seed", "1", "--keep", kept)
    assert (code, err.count("\n")) == (2, 1)


def test_an_interrupted_arena_is_resumed(tmp_path):
    kept = tmp_path / "games.json"
    asked = ["arena", "ur", "--players", "greedy,normal", "--games", "2000000", "--seed", "1", "--keep", str(kept)]
    process = subprocess.Popen([sys.executable, "-m", "quadriga", *asked], stdout=subprocess.PIPE, env=here())
    while not (kept.exists() and json.loads(kept.read_text())["rows"]) and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    try:
        out, _ = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"Interrupted" in out
    rows = len(json.loads(kept.read_text())["rows"])
    assert rows > 0
    asked = [*asked[:4], "--games", str(rows // 2), "--keep", str(kept), "--json"]  # of its own it knows the seed
    done = subprocess.run(
        [sys.executable, "-m", "quadriga", *asked], stdout=subprocess.PIPE, check=True, env=here()
    )
    assert json.loads(done.stdout)["plan"]["seed"] == 1
    assert json.loads(done.stdout)["games"] == rows // 4 * 2


def test_solve_prints_its_forecast_and_its_result(quadriga, tmp_path):
    asked = ["solve", "ur", "--markers", "1", "--folder", str(tmp_path)]
    code, out, err = quadriga(*asked, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["positions"] == 601
    assert found["value"] == pytest.approx(0.5331736, abs=1e-6)
    assert found["residual"] < 1e-7
    assert found["seconds"] > 0
    assert "601 positions, 601 of them to solve" in err
    assert "0 of them to solve" in quadriga(*asked)[2]
    assert json.loads(quadriga(*asked, "--verify", "--json")[1])["residual"] < 1e-7
    table = tmp_path / "ur-ben-1-1.table"
    table.write_bytes(table.read_bytes()[:-2] + b"??")
    code, _, err = quadriga(*asked, "--verify")
    assert code == 2
    assert "damaged" in err


def test_a_review_in_words_in_json_and_as_a_chart(quadriga, tmp_path):
    record, chart = tmp_path / "game.jsonl", tmp_path / "chart.svg"
    record.write_text(quadriga("trace", "ur", "--option", "markers=1", "--seed", "3")[1])
    code, out, _ = quadriga("review", str(record), "--playouts", "20", "--chart", str(chart))
    assert code == 0
    assert "Black: start" in out
    assert "per move" in out
    assert "±" in out
    assert chart.read_text().startswith("<svg")
    pixels = tmp_path / "chart.png"
    assert quadriga("review", str(record), "--playouts", "20", "--chart", str(pixels))[0] == 0
    assert pixels.read_bytes().startswith(b"\x89PNG")
    found = json.loads(quadriga("review", str(record), "--playouts", "20", "--json")[1])
    assert found["moves"]
    told = [int(number) for number in re.findall(r"mistakes: (\d+)", out)]
    assert told == [side["slips"] for side in found["sides"]]
    assert sum(told) == sum(move["lost"] >= SLIP for move in found["moves"])
    assert "par coup" in quadriga("review", str(record), "--playouts", "20", "--lang", "fr")[1]


def test_training_writes_a_network_that_can_be_read(quadriga, tmp_path, monkeypatch):
    from quadriga.games.ur.bots import network as learned

    monkeypatch.setenv("QUADRIGA_TABLES", str(tmp_path))
    path = tmp_path / "net.json"
    asked = ["train", "ur", "--rules", "finkel", "--games", "6", "--rounds", "2", "-o", str(path)]
    code, out, _ = quadriga(*asked)
    assert code == 0
    assert "6 games" in out
    assert (learned.read(path).games, learned.read(path).rules) == (6, "finkel")


@pytest.mark.parametrize("game", ["ben-hvrt"])
def test_training_writes_the_values_of_rules_of_thumb(quadriga, tmp_path, game):
    path = tmp_path / "values.json"
    code, out, _ = quadriga("train", game, "--games", "16", "--rounds", "2", "-o", str(path))
    assert code == 0
    assert "16 games" in out
    assert json.loads(path.read_text())["values"].keys() == {*values_of(game).names}
    assert [file.name for file in tmp_path.iterdir()] == ["values.json"]


@pytest.mark.parametrize("seat", ["easy", "normal", "hard", "greedy:no-danger", "search:5", "search:5+no-net"])
def test_bots_are_chosen_by_level_and_parameters(quadriga, tmp_path, seat):
    record = tmp_path / "record.jsonl"
    asked = ["play", "ur", "--option", "markers=1", "--seat", seat, "--seat", seat, "--seed", "1", "--auto"]
    code, _, _ = quadriga(*asked, "--record", str(record))
    assert code == 0
    assert record.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        "arena ur",
        "arena ur --players greedy",
        "arena ur --players greedy,greedy",
        "arena ur --players greedy,nobody",
        "arena ur --players greedy,search:x",
        "arena ur --players greedy,greedy:no-hope",
        "arena ur --players greedy,random --seats 3",
        "arena ur --players greedy,random --keep /does/not/exist/file",
        "solve ave-caesar",
        "solve ur --rules chess",
        "solve ur --markers 8",
        "solve ur --markers 1 --verify --folder /does/not/exist",
        "review /does/not/exist",
        "review - --chart chart.jpg",
        "review - --chart chart",
        "review",
        "train ave-caesar",
        "train ben-hvrt --rules values2",
        "train ben-hvrt --rounds 0",
        "train ur --games 0",
        "train ur --rules nobody",
        "play ur --seat search:0",
        "play ur --seat greedy:x",
    ],
)
def test_every_error_is_one_clear_line_and_exit_code_2(quadriga, arguments):
    for language in ("en", "fr"):
        code, _, err = quadriga(*arguments.split(), "--lang", language)
        assert code == 2
        assert err.startswith("quadriga: ")
        assert err.count("\n") == 1

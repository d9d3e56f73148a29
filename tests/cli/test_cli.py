"""The command line: its output, and one clear line with exit code 2 for every error."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from quadriga import __version__
from quadriga.cli import main, progress
from quadriga.engine.text import catalogues
from support import TRACES, here


@pytest.fixture
def quadriga(capsys):
    """Run a command in this process; return exit code, standard output and standard error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        printed = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, printed.out, printed.err

    return run


def test_version(quadriga):
    assert quadriga("--version") == (0, f"quadriga {__version__}\n", "")


def test_help_names_every_command(quadriga):
    code, out, _ = quadriga("--help")
    assert code == 0
    for command in ("games", "play", "trace", "replay", "verify", "sim", "lab", "draw", "rules"):
        assert f"  {command}" in out
    assert quadriga()[1] == out


@pytest.mark.parametrize("command", ["games", "play", "trace", "replay", "verify", "sim", "lab", "draw", "rules"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_command_has_help_in_both_languages(quadriga, command, language):
    code, out, err = quadriga(command, "--help", "--lang", language)
    assert code == 0
    assert err == ""
    assert ("Montre ce texte" in out) == (language == "fr")


def test_games(quadriga):
    code, out, _ = quadriga("games")
    assert code == 0
    assert "ur " in out
    assert "highcard" in out  # the third party's
    assert "markers=1..7" in out
    assert "Le Jeu royal d'Ur" in quadriga("games", "--lang", "fr")[1]
    listed = json.loads(quadriga("games", "--json")[1])
    assert listed[0]["id"] == "ur"
    assert listed[0]["options"][0] == {
        "name": "rules",
        "takes": "ben | finkel | masters | blitz",
        "default": "ben",
    }
    options = {each["name"]: each for game in listed if game["id"] == "ben-hvrt" for each in game["options"]}
    assert (options["bribes"]["default"], options["bribes"]["with_people"]) == (False, True)  # BH-7.5
    assert "with_people" not in options["offers"]


def test_trace_is_reproducible_and_replays(quadriga, tmp_path):
    code, out, _ = quadriga("trace", "ur", "--seed", "7", "--games", "3", "--option", "markers=2")
    assert code == 0
    assert quadriga("trace", "ur", "--seed", "7", "--games", "3", "--option", "markers=2")[1] == out
    path = tmp_path / "f.jsonl"
    path.write_text(out)
    code, said, _ = quadriga("replay", str(path))
    assert code == 0
    assert "3 games, every line legal." in said
    results = [json.loads(line) for line in quadriga("replay", str(path), "--json")[1].splitlines()]
    assert len(results) == 3
    assert all(result["over"] and sum(result["scores"]) == 1 for result in results)


def test_replay_shows_every_position(quadriga, tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text(quadriga("trace", "ur", "--seed", "1", "--option", "markers=1")[1])
    code, out, _ = quadriga("replay", str(path), "--show")
    assert code == 0
    assert out.count("┌") >= len(path.read_text().splitlines()) - 2
    assert "Noir" in quadriga("replay", str(path), "--show", "--lang", "fr")[1]


@pytest.mark.parametrize("path", sorted(TRACES.glob("ur*.jsonl")), ids=lambda p: p.stem)
def test_replay_accepts_the_independent_traces(quadriga, path):
    assert quadriga("replay", str(path))[0] == 0


def test_replay_refuses_with_line_and_reason(quadriga, tmp_path):
    path = tmp_path / "f.jsonl"
    lines = quadriga("trace", "ur", "--seed", "1")[1].splitlines()
    lines[20] = lines[20].replace("-", "+", 1).replace("roll", "rowl")
    path.write_text("\n".join(lines))
    code, _, err = quadriga("replay", str(path))
    assert code == 2
    assert err.startswith("quadriga: line 21: ")
    assert err.count("\n") == 1


def test_verify_accepts_records_and_refuses_tampered_ones(quadriga, tmp_path):
    path = tmp_path / "record.jsonl"
    path.write_text(quadriga("trace", "ur", "--seed", "1", "--fair", "--option", "markers=1")[1])
    code, out, _ = quadriga("verify", str(path))
    assert code == 0
    assert out.startswith("Fair: all ")
    assert json.loads(quadriga("verify", str(path), "--json")[1])["events"] > 0
    path.write_text(path.read_text().replace('"words": ["", ""]', '"words": ["x", ""]'))
    code, _, err = quadriga("verify", str(path))
    assert code == 2
    assert "the seed gives" in err
    assert quadriga("verify", str(TRACES / "ur-ben.jsonl"))[0] == 2


def test_sim_reports_in_tables_and_json(quadriga):
    code, out, _ = quadriga("sim", "ur", "--games", "2_000", "--seed", "1", "--option", "rules=finkel")
    assert code == 0
    assert "Light" in out
    assert "captures" in out
    assert "Clair" in quadriga("sim", "ur", "--games", "10", "--option", "rules=finkel", "--lang", "fr")[1]
    one, two = (
        json.loads(quadriga("sim", "ur", "--games", "6000", "--seed", "1", "--workers", n, "--json")[1])
        for n in ("1", "2")
    )
    assert one.pop("timing") != two.pop("timing")
    assert one == two
    plain = json.loads(quadriga("sim", "highcard", "--games", "50", "--seed", "1", "--plain", "--json")[1])
    assert plain["timing"]["compiled"] is False


@pytest.mark.parametrize("name", ["games.parquet", "games.csv"])
def test_sim_writes_every_game_to_a_file(quadriga, tmp_path, name):
    polars = pytest.importorskip("polars")
    path = tmp_path / name
    code, out, _ = quadriga("sim", "ur", "--games", "50", "--seed", "1", "--out", str(path))
    assert (code, str(path) in out) == (0, True)
    table = polars.read_csv(path) if path.suffix == ".csv" else polars.read_parquet(path)
    assert table["game"].to_list() == list(range(50))
    assert set(table.columns) > {"winner", "decisions", "captures", "score_0", "score_1"}


def test_sim_refuses_a_file_that_it_cannot_write_before_it_plays(quadriga, tmp_path):
    code, _, err = quadriga("sim", "ur", "--games", "1_000_000_000_000", "--out", str(tmp_path / "games.xls"))
    assert (code, "FILE.parquet | FILE.csv" in err) == (2, True)
    missing = str(tmp_path / "missing" / "games.csv")
    assert quadriga("sim", "ur", "--games", "1_000_000_000_000", "--out", missing)[0] == 2


def test_rules_in_both_languages(quadriga):
    assert "Rolling 0: the jump" in quadriga("rules", "ur")[1]
    assert "Faire 0 : le saut" in quadriga("rules", "ur", "--lang=fr")[1]
    assert "has no rules text" in quadriga("rules", "nim")[1]


@pytest.mark.parametrize(
    "arguments",
    [
        "nonsense",
        "play chess",
        "play ur --option markers=9",
        "play ur --option markers",
        "play ur --seat alien",
        "play ur --seat human --seat random --seat random",
        "play ur --word a --word b --word c",
        "play ur --seed x",
        "play ur --seed -1",
        "play --resume /does/not/exist",
        "trace",
        "trace ur --games 0",
        "trace ur --games 1.5",
        "trace ur --seats 3",
        "trace ur --option rules=ben --option rules=ben",
        "replay",
        "replay /does/not/exist",
        "replay /",
        "verify /does/not/exist",
        "sim ur --games many",
        "sim ur --workers 0",
        "sim ur --workers 100000",
        "sim ur --gaems 5",
        "sim ur --games",
        "sim ur extra",
        "rules",
        "rules chess",
        "games --json=yes",
        "--lang de games",
        "--lang",
    ],
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_error_is_one_clear_line_and_exit_code_2(quadriga, monkeypatch, arguments, language):
    monkeypatch.setenv("QUADRIGA_LANG", language)
    code, out, err = quadriga(*arguments.split())
    assert code == 2
    assert out == ""
    assert err.startswith("quadriga: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def quadriga_process(*arguments: str, **keywords) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "quadriga", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **keywords,
    )


def test_standard_input_is_read_where_the_file_is_a_dash():
    process = quadriga_process("replay", "-", stdin=subprocess.PIPE)
    out, _ = process.communicate((TRACES / "ur-finkel.jsonl").read_bytes())
    assert process.returncode == 0
    assert b"2 games" in out


@pytest.mark.parametrize(
    ("arguments", "begun"),
    [
        (("sim", "ur", "--games", "1_000_000_000", "--seed", "1"), rb"[1-9]\d*/1000000000"),
        (("lab", "ur", "--games", "10_000_000", "--out", "FOLDER"), rb"[1-9]\d*/10000010"),
        (("review", "RECORD", "--playouts", "100000"), rb"[1-9]\d*/\d+"),  # hours, and seconds for a move
    ],
    ids=["sim", "lab", "review"],
)
def test_a_long_command_can_be_interrupted_and_says_what_it_has(arguments, begun, tmp_path):
    screen, terminal = os.openpty()  # the progress bar appears on terminals only
    files = {"RECORD": str(TRACES / "ur-ben.jsonl"), "FOLDER": str(tmp_path)}
    named = [files.get(each, each) for each in arguments]
    command = [sys.executable, "-m", "quadriga", *named, "--json"]
    with os.fdopen(screen, "rb", buffering=0) as shown:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=terminal, env={**os.environ, "TERM": "xterm"}
        )
        os.close(terminal)
        seen = b""
        while not re.search(begun, seen):
            seen += shown.read(4096)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=300)
        with suppress(OSError):  # how Linux says that the terminal's other end is closed
            while part := shown.read(4096):
                seen += part
    result = json.loads(out)
    assert result["interrupted"]
    assert 0 < result.get("games", 1) < 10**9
    assert process.returncode == 130
    assert b"Traceback" not in seen


def test_a_reader_that_stops_reading_gets_no_traceback():
    process = quadriga_process("trace", "ur", "--seed", "1", "--games", "100")
    assert process.stdout is not None
    process.stdout.read(100)
    process.stdout.close()
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait(timeout=60)


def test_starting_up_loads_nothing_heavy():
    script = (
        "import sys\nfrom quadriga.cli import main\n"
        "try: main(['games'])\nexcept SystemExit: pass\n"
        "print('numba' in sys.modules, 'llvmlite' in sys.modules, 'rich.console' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.splitlines()[-1] == "False False False"


@pytest.mark.parametrize("course", ["white", "blue ccw", "yellow", "red ccw"])
def test_a_course_is_drawn_as_svg(quadriga, tmp_path, course):
    from xml.etree import ElementTree

    path = tmp_path / "course.svg"
    code, out, _ = quadriga("draw", "ave-caesar", "--course", course, "-o", str(path))
    assert code == 0
    assert str(path) in out
    root = ElementTree.parse(path).getroot()
    assert root.tag.endswith("svg")
    assert quadriga("draw", "ave-caesar", "--course", course)[1] == path.read_text()


def test_courses_by_flag(quadriga, tmp_path):
    def header(*arguments: str) -> dict[str, Any]:
        return json.loads(quadriga("trace", "ave-caesar", "--seed", "1", *arguments)[1].splitlines()[0])

    assert header("--course", "blue")["options"]["courses"] == ["blue cw"]
    assert header("--course", "blue ccw,white")["options"]["courses"] == ["blue ccw", "white cw"]
    own = json.loads((TRACES.parent.parent / "src/quadriga/games/avecaesar/data/courses.json").read_text())
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"segments": own["segments"], "courses": {"mine": own["courses"]["red"]}}))
    found = header("--course", str(path), "--seats", "5")["options"]
    assert found["courses"] == ["mine cw", "mine ccw"]
    assert list(found["course"]["courses"]) == ["mine"]


@pytest.mark.parametrize(
    "arguments",
    [
        "draw highcard",
        "draw ave-caesar --course /does/not/exist",
        "draw ave-caesar --course blue -o /does/not/exist/x.svg",
        "trace ur --course blue",
        "trace ave-caesar --seats 5 --course white",
        "trace ave-caesar --option courses=",
        "trace ave-caesar --option courses=purple",
        "trace ave-caesar --option variants=fast",
        "play ave-caesar --seat human --seat random",
    ],
)
def test_wrong_courses_and_variants_are_one_clear_line(quadriga, arguments):
    code, _, err = quadriga(*arguments.split())
    assert code == 2
    assert err.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[]", b"{}", b"[" * 100000])
def test_a_broken_course_file_is_one_clear_line(quadriga, tmp_path, content):
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    code, _, err = quadriga("trace", "ave-caesar", "--course", str(path))
    assert code == 2
    assert err.count("\n") == 1


def test_serve_has_the_hidden_alias_table(quadriga):
    listed = quadriga("--help")[1]
    assert "\n  serve " in listed
    assert "\n  table " not in listed
    assert "table" not in quadriga("nothing")[2]
    code, out, _ = quadriga("table", "--help")
    assert code == 0
    assert out.replace(" table [", " serve [") == quadriga("serve", "--help")[1]
    for command in ("serve", "table"):
        assert quadriga(command, "--port", "x")[0] == 2


@pytest.mark.parametrize("arguments", [["serve"], ["backup", "b.sqlite"], ["restore", "b.sqlite"], ["check"]])
def test_a_missing_module_of_the_server_names_the_extra(arguments, tmp_path):
    """A child process hides SQLAlchemy and uvicorn."""
    script = (
        "import sys\n"
        "sys.modules['sqlalchemy'] = sys.modules['uvicorn'] = None\n"
        "from quadriga.cli import main\n"
        "main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, cwd=tmp_path, env=here()
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "quadriga[server]" in done.stderr


def command(*arguments: str, env: dict[str, str] | None = None, **keywords) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "quadriga", *arguments],
        env={**os.environ, **(env or {})},
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
        **keywords,
    )


@pytest.mark.parametrize("arguments", [("games",), ("rules", "ur"), ("draw", "ur"), ("trace", "ur", "--seed", "1")])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_standard_output_is_one_clear_line(arguments):
    with Path("/dev/full").open("w") as full:
        done = command(*arguments, stdout=full)
    assert done.returncode not in (0, 120)  # 120: Python could not write at its end
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_home_that_cannot_be_written_does_not_stop_a_simulation(tmp_path):
    """A file in place of the cache folder, because a superuser may write into any folder."""
    home = tmp_path / "home"
    home.write_text("not a folder")
    places = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "QUADRIGA_CACHE": ""}
    options = ("--games", "3", "--seed", "1", "--json")
    done = command("sim", "highcard", *options, env=places, stdout=subprocess.PIPE)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 3


def test_a_shell_completes_commands_games_bots_and_options_of_the_game():
    def completed(line: str) -> set[str]:
        asked = {"_QUADRIGA_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        answer = command(env=asked, stdout=subprocess.PIPE).stdout.split()
        return {each.removeprefix("plain,") for each in answer}

    assert completed("quadriga si") == {"sim"}
    assert "ave-caesar" in completed("quadriga sim av")
    assert {"ur", "ave-caesar", "ben-hvrt"} <= completed("quadriga play ")
    assert completed("quadriga sim ur --option rules=f") == {"rules=finkel"}
    assert {"bribes=true", "bribes=false"} <= completed("quadriga trace ben-hvrt --option ")
    assert completed("quadriga lab ur --against rules=f") == {"rules=finkel"}
    assert completed("quadriga sim no-such-game --option ") == set()


def test_without_numba_a_simulation_says_what_it_would_bring(tmp_path):
    """A module search path on which Numba cannot be found, as after an installation without the extra."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as util\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'numba' else find(name, *rest)\n"
    )
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    options = ("--games", "3", "--seed", "1")
    done = command("sim", "ur", *options, env={"PYTHONPATH": path}, stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stderr
    assert "quadriga[fast]" in done.stderr


@pytest.mark.parametrize(("total", "said"), [(3000, "Playing (3,000); this can take a while.\n"), (None, "")])
def test_long_work_says_what_it_does_before_it_has_anything_to_count(total, said, capsys, monkeypatch):
    monkeypatch.setattr(progress, "_SAID_AFTER_S", 0.0)
    with progress.WorkBar(catalogues.of("en", "quadriga.cli"), total) as bar:
        if total is not None:
            bar._sentence.join()
    assert capsys.readouterr().err == said


def test_short_work_says_nothing(capsys):
    with progress.WorkBar(catalogues.of("en", "quadriga.cli"), 3000) as bar:
        pass
    bar._sentence.join()
    assert capsys.readouterr().err == ""

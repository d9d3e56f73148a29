"""Run the benchmarks and write docs/benchmarks.md: `python benchmarks/run.py [--anew] [SECTION ...]`.

Every section is a module of this folder with a TITLE, an ABOUT and a function `rows()`, and runs in a process of
its own. A section that fails does not stop the others. Sections that are not run, or fail, keep the figures of
their last run, which are in results.json. Without names, all sections are run, as one round: a round that was
interrupted, or in which some failed, goes on with those that are not done. `--anew` begins another round.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SECTIONS = {  # and the seconds that each takes on two cores with nothing else to do
    "ur": 80,
    "solver": 80,
    "avecaesar": 30,
    "benhvrt": 50,
    "bots": 110,
    "environments": 105,
    "table": 130,
    "people": 480,
    "collector": 270,
    "memory": 60,
    "processes": 140,
    "startup": 50,
    "cluster": 140,
}
RESULTS = HERE / "results.json"
ROUND = HERE / ".round.json"  # the sections that are done in a round that is not finished
REPORT = HERE.parent / "docs" / "benchmarks.md"

sys.path.insert(0, str(HERE))

from progress import Progress, SectionError, run  # noqa: E402


def main(asked: list[str]) -> int:
    """Run sections; return 1 if one has failed."""
    if asked[:1] == ["--rows"]:
        return measured(asked[1])
    if anew := "--anew" in asked:
        ROUND.unlink(missing_ok=True)
    names = [each for each in asked if each != "--anew"]
    if unknown := set(names) - set(SECTIONS):
        print(
            f"There is no section {', '.join(sorted(unknown))}. There are: {', '.join(SECTIONS)}.", file=sys.stderr
        )
        return 2
    done: list[str] = [] if names or anew or not ROUND.exists() else json.loads(ROUND.read_text())
    if done:
        print(
            f"Going on with a round: {', '.join(done)} are done. `make bench ANEW=1` begins anew.", file=sys.stderr
        )
    progress = Progress({name: SECTIONS[name] for name in names or SECTIONS if name not in done})
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    failed = {}
    with progress:
        for name in progress.expected:
            try:
                results[name] = run([sys.executable, __file__, "--rows", name], name, progress)
            except SectionError as fault:
                failed[name] = str(fault)
                continue
            done.append(name)
            RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
            REPORT.write_text(report(results))
            if not names:
                ROUND.write_text(json.dumps(done))
    for name, reason in failed.items():
        print(f"{name} failed and keeps its figures: {reason}", file=sys.stderr)
    if not names and not failed:
        ROUND.unlink(missing_ok=True)
    return 1 if failed else 0


def measured(name: str) -> int:
    """Measure one section: on standard output a line of JSON for each row, and one with the rest."""
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no row
    from measure import machine

    section = importlib.import_module(name)
    for row in section.rows():
        print(json.dumps(row, ensure_ascii=False), file=lines, flush=True)
    about = " ".join(section.ABOUT.split())
    found = {"title": section.TITLE, "about": about, "date": time.strftime("%Y-%m-%d"), "machine": machine()}
    print(json.dumps(found, ensure_ascii=False), file=lines, flush=True)
    return 0


def report(results: dict[str, Any]) -> str:
    """Return the figures as a page."""
    parts = [
        "# Compare the speed\n",
        "For researchers and hosts. `make bench` writes this page. It measures both sides of a ratio in one run.\n",
        "Rates of one process are per second of processor time, so that other programs change them little.\n",
    ]
    for name in (name for name in SECTIONS if name in results):
        found = results[name]
        parts += [f"## {found['title']}\n", f"{found['about']}\n", f"*{found['date']}, {found['machine']}*\n"]
        parts += ["| | Quadriga | peer | ratio |", "|---|---:|---:|---:|"]
        parts += ["| " + " | ".join(row) + " |" for row in found["rows"]]
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("Interrupted. `make bench` goes on with the sections that are not done.")

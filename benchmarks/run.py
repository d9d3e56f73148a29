"""Run the benchmarks and write docs/benchmarks.md: `python benchmarks/run.py [SECTION ...]`.

Every section is a module of this folder with a TITLE, an ABOUT and a function `rows()`. Sections that are
not run keep the figures of their last run, which are in results.json.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SECTIONS = [
    "ur",
    "solver",
    "avecaesar",
    "benhvrt",
    "bots",
    "environments",
    "table",
    "people",
    "collector",
    "memory",
    "processes",
    "startup",
    "cluster",
]
RESULTS = HERE / "results.json"
REPORT = HERE.parent / "docs" / "benchmarks.md"

sys.path.insert(0, str(HERE))


def main(asked: list[str]) -> None:
    if asked[:1] == ["--rows"]:
        return measured(asked[1])
    unknown = set(asked) - set(SECTIONS)
    if unknown:
        sys.exit(f"There is no section {', '.join(sorted(unknown))}. There are: {', '.join(SECTIONS)}.")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for name in asked or SECTIONS:
        print(f"{name} ...", flush=True)
        # Each section runs in its own process, so that the modules it loads do not affect the next.
        done = subprocess.run([sys.executable, __file__, "--rows", name], stdout=subprocess.PIPE, check=True)
        results[name] = json.loads(done.stdout.splitlines()[-1])
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
        REPORT.write_text(report(results))
    return None


def measured(name: str) -> None:
    """Measure one section: progress on standard error, the figures as JSON on standard output."""
    from measure import machine

    section = importlib.import_module(name)
    rows = []
    for row in section.rows():
        print("   ", *row, sep="  ", file=sys.stderr, flush=True)
        rows.append(list(row))
    found = {
        "title": section.TITLE,
        "about": " ".join(section.ABOUT.split()),
        "date": time.strftime("%Y-%m-%d"),
        "machine": machine(),
        "rows": rows,
    }
    print(json.dumps(found, ensure_ascii=False))


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
    main(sys.argv[1:])

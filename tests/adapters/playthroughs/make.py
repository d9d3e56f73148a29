"""Playthroughs by OpenSpiel's generator, one of each game, kept to be compared.

`python -m adapters.playthroughs.make` in `tests` writes them anew. Lines that would be longer than a few hundred
characters (histories, what was seen from the beginning, tensors) keep their beginning and a digest of the whole.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

HERE = Path(__file__).parent
PLAYED = {
    "ur": "quadriga_ur(markers=1)",
    "ave_caesar": "quadriga_ave_caesar(courses=white cw/)",
    "ben_hvrt": "quadriga_ben_hvrt(offers=0,series=1/)",
}
LONG, KEPT = 300, 120


def condensed(text: str) -> str:
    """Return a playthrough with its long lines cut; each keeps a digest of the whole."""
    return "".join(
        line + "\n"
        if len(line) <= LONG
        else f"{line[:KEPT]} ... {len(line)} characters, SHA-256 {hashlib.sha256(line.encode()).hexdigest()[:16]}\n"
        for line in text.splitlines()
    )


if __name__ == "__main__":
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    import quadriga.adapters.openspiel  # noqa: F401

    for name, game in PLAYED.items():
        (HERE / f"{name}.txt").write_text(condensed(playthrough(game, None, seed=1)), encoding="utf-8")

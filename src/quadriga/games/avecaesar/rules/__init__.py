"""The rules of Ave Caesar: `cards`, `paths`, `six` (AC-4), `moves` (AC-3, AC-5), `race` (AC-2, AC-6), `turn`."""

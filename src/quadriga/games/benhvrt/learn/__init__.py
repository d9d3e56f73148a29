"""The coach, and positions, facts, lessons, glossary and puzzles of the game."""

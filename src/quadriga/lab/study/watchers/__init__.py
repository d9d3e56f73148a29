"""Watchers: kernels that count what happens in one game, and the tables made of their counts."""

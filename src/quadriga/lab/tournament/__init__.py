"""Tournaments: who plays whom and where, and how they stand. Plain functions of a log and a draw."""

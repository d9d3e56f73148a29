"""Tournaments on this server: entries, rounds, tables and results."""

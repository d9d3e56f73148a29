"""Changes that rooms report to the lobby, for its lists. By default nobody listens."""

from __future__ import annotations


class Observer:
    """Learns of changes that lists of rooms show."""

    def table_changed(self, table_id: str) -> None:
        """Note that the summary of a room is stored: its status, its people, or whose turn it is."""

    def table_listed(self) -> None:
        """Note that a room was added to the list of open ones, or removed from it."""

    def part_taken(self, person_id: str, table_id: str) -> None:
        """Note that a person has a part in a room."""

    def tournament_changed(self, tournament_id: str) -> None:
        """Note that something has happened in a tournament."""

    def draining(self) -> None:
        """Note that the server is about to stop: clients are to connect to another."""

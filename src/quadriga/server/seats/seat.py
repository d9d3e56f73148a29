"""A seat of a room: the person or the bot that plays it, and its vacancy after a vote has emptied it."""

from __future__ import annotations

from dataclasses import dataclass, field

from quadriga.engine.parts.orders import Given
from quadriga.server.protocol.fields import When


@dataclass
class Vacancy:
    """A seat that a vote has emptied: its former holder, their wish to return, and the host's invitation."""

    holder: str
    name: str
    asks: bool = False  # whether the former holder asks to return
    invite: str = ""  # the code of the host's invitation
    invited_by: str = ""  # the host who made it


@dataclass
class SeatInfo:
    """A seat of a room."""

    kind: str = "open"  # open, person, bot
    name: str = ""
    holder: str = ""
    bot: str | None = None
    client_seed: str = ""
    bot_controlled: bool = False
    is_absent: bool = False  # a bot plays because the person was away
    asked_windows: frozenset[str] = field(default_factory=frozenset)
    asked_when: When | None = None  # None: whenever it could play, as clients expect that know no choice
    wants_to_react: bool = False  # whether it is asked in the next window in which it might play something
    announces_deal: bool = False  # whether it is asked in the next window in which it can make a deal
    orders: dict[int, Given] = field(default_factory=dict)  # standing orders by number, the oldest first
    vacancy: Vacancy | None = None
    vacation_until: int = 0  # the latest end of the person's vacation, in milliseconds since 1970; 0: none

    @property
    def played_by_bot(self) -> bool:
        """True if a bot decides for this seat."""
        return self.kind != "person" or self.bot_controlled

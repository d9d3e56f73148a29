"""Answers about the server, its games and its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from quadriga.server.protocol.fields import one_of
from quadriga.server.protocol.parts import Table, Texts


class Health(Struct, omit_defaults=True):
    """The state of the server. While nothing can be stored, or while it stops, the status is 503."""

    status: Annotated[str, one_of("ok", "failing", "draining")]
    version: str
    tables: int
    """Rooms in memory."""
    sockets: int
    """Open sockets."""
    code: str | UnsetType = UNSET
    """The error while nothing can be stored: `store.full` or `store.failing`."""
    parameters: dict[str, Any] | UnsetType = msgspec.field(default=UNSET, name="with")
    text: Texts | UnsetType = UNSET


class NumberList(Struct):
    """The allowed lists of whole numbers: from `least` to `most` numbers, each from `low` to `high`."""

    low: int
    high: int
    least: int
    most: int


class Option(Struct, omit_defaults=True):
    """An option of a game."""

    name: str
    type: Annotated[str, one_of("choice", "whole", "flag", "several", "other", "document")]
    default: Any
    """The default for the least number of seats."""
    allowed: Any
    """The allowed values in words, for error messages."""
    defaults: list[Any] | UnsetType = UNSET
    """The defaults by number of seats, from the least, if they differ."""
    defaults_with: dict[str, dict[str, Any]] | UnsetType = UNSET
    """The defaults that differ with a choice of another option, by its name and the choice."""
    with_people: Any | UnsetType = UNSET
    """The default if a person sits at the table when the game starts; it is fixed then."""
    choices: list[str] | UnsetType = UNSET
    low: int | UnsetType = UNSET
    high: int | UnsetType = UNSET
    least: int | UnsetType = UNSET
    """Of type `several`: the least number of values."""
    most: int | UnsetType | None = UNSET
    repeats: bool | UnsetType = UNSET
    """Of type `several`: true if a value may occur twice."""
    numbers: NumberList | UnsetType = UNSET
    """Of type `other`: a list of whole numbers is allowed as well as one of `choices`."""


class Game(Struct):
    """A game, and how it can be set up."""

    id: str
    title: Texts
    about: Texts
    least: int
    """The least number of seats."""
    most: int
    usual: int
    """The default number of seats of a new table."""
    hidden: bool
    """True if the game has hidden information."""
    windows: list[str]
    """The reaction windows that can be named in `stops`."""
    bots: list[str]
    """The kinds of bots, weakest first."""
    tempers: list[str]
    """The tempers that a bot of a level can have, as in `normal:thrifty`; they are of equal strength."""
    rules: bool
    """True if there is a page of rules."""
    coach: bool
    """True if the game has a coach."""
    orders: bool
    """True if players can give standing orders."""
    lessons: bool
    """True if the game has lessons."""
    puzzles: bool
    """True if the game has puzzles."""
    options: list[Option]


class Games(Struct):
    """All games."""

    games: list[Game]


class Geometry(Struct):
    """The boards and cards of a game. Further fields depend on the game."""

    game: str


class Document(Struct):
    """A custom file, read: send `document` as the option's value."""

    document: Any


class Rules(Struct):
    """The rules of a game."""

    markdown: str


class Words(Struct):
    """The texts of all messages in one language."""

    messages: Mapping[str, Any]
    """By id: a string, or `{"one": …, "other": …}` chosen by the parameter `n`."""


class Home(Struct):
    """The addresses of the server on the home network."""

    addresses: list[str]
    shared: bool
    """True if the server listens there."""


class Tables(Struct):
    """Public tables that are waiting or playing."""

    tables: list[Table]


class Seated(Struct):
    """A table, and the token for it."""

    table: Table
    token: str | None
    """Null if the server knows whose device this is (`POST /api/me`): then no token is needed."""


class Joined(Struct):
    """The token for a table, and the seats that it holds."""

    token: str | None
    """Null if the server knows whose device this is (`POST /api/me`): then no token is needed."""
    seats: list[int]
    table: Table


class Invitation(Struct):
    """The code of an invitation; null after it was withdrawn."""

    invite: str | None
    table: Table

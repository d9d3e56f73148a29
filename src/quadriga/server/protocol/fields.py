"""Sizes and constrained types of the fields that clients send."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

MOST_SEATS = 12
MESSAGE_BYTES = 8 * 1024  # of a message on the socket
SOCKET_BYTES = 64 * 1024  # a larger websocket message ends the connection
BODY_BYTES = 256 * 1024  # of a request; a custom deck fits
RECORD_BYTES = 16 * 2**20  # of a request with a record; a long series of twelve players fits
STEPS = 200  # of one replay request
LONGEST_NAME = 40  # characters

Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Word = Annotated[str, Meta(max_length=200)]
BotKind = Annotated[str, Meta(max_length=40)]
Seat = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Ref = Annotated[str, Meta(max_length=64)]
Pace = Annotated[int, Meta(ge=0, le=5000)]
Beat = Annotated[int, Meta(ge=0, le=10_000)]
When = Literal["concerns", "could", "always"]  # the windows in which a seat wants to be asked


def one_of(*values: str) -> Meta:
    """Describe a string that the server sends as one of these values."""
    return Meta(extra_json_schema={"enum": list(values)})


def encoded_as(name: str) -> Meta:
    """Describe raw JSON, encoded earlier, as the type of this name."""
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{name}"})

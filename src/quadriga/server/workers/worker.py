"""The process that reads what strangers send: decks, tracks, courses, options and records.

`python -m quadriga.server.workers.worker MEGABYTES SECONDS` takes tasks from standard input and answers on standard
output, each with its length in four bytes before it. It gets so much memory, and so many seconds of the processor
for each task; where that is not enough it ends, which the server tells whoever sent the task. It ends with the
server too.
"""

from __future__ import annotations

import os
import struct
import sys
from collections import OrderedDict
from typing import Any, BinaryIO

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.match import options as opts
from quadriga.engine.match.options import Document
from quadriga.games import find
from quadriga.server.present import game_catalogue
from quadriga.server.present.uploaded_records import KEPT, Brought
from quadriga.server.protocol import texts
from quadriga.server.protocol.errors import status_of
from quadriga.server.workers import confine

LENGTH = struct.Struct(">I")


class ReadFile(msgspec.Struct, tag="file"):
    """A file for an option of a game."""

    game: str
    option: str
    name: str
    text: str


class Settle(msgspec.Struct, tag="settle"):
    """Options of a new table."""

    game: str
    options: dict[str, Any]
    seats: int | None


class Draw(Settle, tag="draw"):
    """The boards under these options."""


class ReadRecord(msgspec.Struct, tag="record"):
    """Something about a record; its text is left out where the worker has read it before."""

    key: str
    record: str | None
    what: str  # shown, replay or fairness
    seat: int = -1
    first: int = 0
    count: int = 0


class Answer(msgspec.Struct, omit_defaults=True):
    """What came of a task: something, or a refusal with its status; and the records that are remembered."""

    found: msgspec.Raw = msgspec.Raw()
    refusal: msgspec.Raw = msgspec.Raw()
    code: str = ""
    status: int = 200
    kept: list[str] = []


Task = ReadFile | Settle | Draw | ReadRecord
TASKS = msgspec.json.Decoder(Task)
ANSWERS = msgspec.json.Decoder(Answer)
_records: OrderedDict[str, Brought] = OrderedDict()


def _done(task: Task) -> bytes:
    """The answer to a task, as JSON."""
    match task:
        case ReadFile():
            option = next(o for o in find(task.game).options if o.name == task.option)
            assert isinstance(option, Document)
            return msgspec.json.encode({"document": option.read(task.name, task.text.encode("utf-8"))})
        case Draw():
            game = find(task.game)
            return game_catalogue.geometry(game, *game.settle(task.options, task.seats))
        case Settle():
            game = find(task.game)
            options, seats = game.settle(task.options, task.seats)
            game.new(options, seats)
            return msgspec.json.encode(opts.written(game.options, options, seats))
        case ReadRecord():
            return msgspec.json.encode(_told(task, _read(task)))


def _read(task: ReadRecord) -> Brought:
    if task.record is not None:
        _records.pop(task.key, None)
        _records[task.key] = Brought(task.record)
        while len(_records) > KEPT:
            _records.popitem(last=False)
    _records.move_to_end(task.key)
    return _records[task.key]


def _told(task: ReadRecord, brought: Brought) -> dict[str, Any]:
    match task.what:
        case "replay":
            return brought.replay(task.seat, task.first, task.count)
        case "fairness":
            return brought.fairness()
    return brought.shown()


def answer(task: Task) -> Answer:
    """Do a task, or refuse it."""
    try:
        made = Answer(found=msgspec.Raw(_done(task)))
    except QuadrigaError as fault:
        refusal = msgspec.json.encode(texts.refusal(fault))
        made = Answer(refusal=msgspec.Raw(refusal), code=fault.code, status=status_of(fault))
    made.kept = list(_records)
    return made


def _message(source: BinaryIO) -> bytes | None:
    head = source.read(LENGTH.size)
    return source.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def main() -> None:
    """Do one task after the other until the server has no more."""
    if hasattr(os, "nice"):
        os.nice(5)
    confine.limit_memory(int(sys.argv[1]))
    while (raw := _message(sys.stdin.buffer)) is not None:
        confine.limit_time(float(sys.argv[2]))
        try:
            made = msgspec.json.encode(answer(TASKS.decode(raw)))
        except (MemoryError, RecursionError):
            os._exit(3)
        sys.stdout.buffer.write(LENGTH.pack(len(made)) + made)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

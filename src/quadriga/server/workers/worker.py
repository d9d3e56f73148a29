"""The program of a worker process: read decks, tracks, courses, options and records that strangers send, and draw.

`python -m quadriga.server.workers.worker MEGABYTES SECONDS` reads tasks from standard input and writes answers to
standard output, each with its length in four bytes before it. After a task comes a second message: an uploaded
record, or nothing. The arguments limit its memory, and its processor time for each task. A task that needs more
ends the process, and the server refuses the task. The process also ends with the server.
"""

from __future__ import annotations

import os
import struct
import sys
from collections import OrderedDict
from typing import Annotated, Any, BinaryIO

import msgspec

from quadriga.engine.errors import QuadrigaError
from quadriga.engine.match import options as opts
from quadriga.engine.match.options import Document
from quadriga.games import find, ids
from quadriga.server.messages import game_catalogue
from quadriga.server.messages.uploaded_records import REMEMBERED, UploadedRecord
from quadriga.server.protocol import texts
from quadriga.server.protocol.answers import Document as DocumentAnswer
from quadriga.server.protocol.errors import RoomError, status_of
from quadriga.server.protocol.fields import RECORD_BYTES
from quadriga.server.protocol.replay_answers import Fairness, RecordSummary, Replay
from quadriga.server.workers import confine
from quadriga.server.workers.pictures import picture

LENGTH = struct.Struct(">I")


class ReadFile(msgspec.Struct, tag="file"):
    """Read a custom file for an option of a game."""

    game: str
    option: str
    name: str
    text: str


class CheckOptions(msgspec.Struct, tag="options"):
    """Check the options of a new table."""

    game: str
    options: dict[str, Any]
    seats: int | None


class ReadGeometry(CheckOptions, tag="geometry"):
    """Return the boards under these options."""


class ReadRecord(msgspec.Struct, tag="record"):
    """Return something about a record. It comes after the task, unless the worker remembers it."""

    key: str
    what: str  # summary, replay or fairness
    seat: int = -1
    first: int = 0
    count: int = 0


class Draw(msgspec.Struct, tag="draw"):
    """Return a picture of a drawing, or an animated one of several, as bytes."""

    svgs: list[str]


class Answer(msgspec.Struct, omit_defaults=True):
    """The result of a task, or an error with its status; and the records that the worker remembers."""

    found: msgspec.Raw = msgspec.Raw()
    refusal: msgspec.Raw = msgspec.Raw()
    code: str = ""
    status: int = 200
    remembered: list[str] = []


Task = ReadFile | CheckOptions | ReadGeometry | ReadRecord | Draw
TASKS = msgspec.json.Decoder(Task)
ANSWERS = msgspec.json.Decoder(Answer)
_TEXTS = msgspec.json.Decoder(Annotated[str, msgspec.Meta(min_length=1, max_length=RECORD_BYTES)])
_records: OrderedDict[str, UploadedRecord] = OrderedDict()


def _perform(task: Task, record: bytes) -> bytes:
    """Return the result of a task as JSON."""
    match task:
        case ReadFile():
            option = next(o for o in find(task.game).options if o.name == task.option)
            assert isinstance(option, Document)
            document = option.read(task.name, task.text.encode("utf-8"))
            return msgspec.json.encode(DocumentAnswer(document))
        case ReadGeometry():
            game = find(task.game)
            return game_catalogue.geometry(game, *game.resolve_options(task.options, task.seats))
        case CheckOptions():
            game = find(task.game)
            options, seats = game.resolve_options(task.options, task.seats)
            game.rules.new(options, seats)
            return msgspec.json.encode(opts.for_header(game.options, options, seats))
        case Draw():
            return msgspec.json.encode(picture(task.svgs))
        case ReadRecord():
            return msgspec.json.encode(_about_record(task, _read_record(task, record)))


def _read_record(task: ReadRecord, record: bytes) -> UploadedRecord:
    if task.key not in _records:
        _records[task.key] = UploadedRecord(check_record(record))
        while len(_records) > REMEMBERED:
            _records.popitem(last=False)
    _records.move_to_end(task.key)
    return _records[task.key]


def check_record(raw: bytes | memoryview) -> str:
    """Return the text of a record from JSON. Raises RoomError if it is not a text."""
    try:
        text: str = _TEXTS.decode(raw)
        return text
    except msgspec.ValidationError as fault:
        raise RoomError("wire.field", 422, reason=f"{fault} - at `$.record`") from None
    except (msgspec.DecodeError, UnicodeError) as fault:
        raise RoomError("wire.json", 400, reason=str(fault)[:200]) from None


def _about_record(task: ReadRecord, record: UploadedRecord) -> RecordSummary | Replay | Fairness:
    match task.what:
        case "replay":
            return record.replay(task.seat, task.first, task.count)
        case "fairness":
            return record.fairness()
    return record.summary()


def answer(task: Task, record: bytes) -> Answer:
    """Perform a task, or refuse it."""
    try:
        made = Answer(found=msgspec.Raw(_perform(task, record)))
    except QuadrigaError as fault:
        refusal = msgspec.json.encode(texts.refusal(fault))
        made = Answer(refusal=msgspec.Raw(refusal), code=fault.code, status=status_of(fault))
    made.remembered = list(_records)
    return made


def _read_message(source: BinaryIO) -> bytes | None:
    head = source.read(LENGTH.size)
    return source.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def _load() -> None:
    """Load the games and the texts of refusals, so that the limit counts only what a task needs."""
    for game in ids():
        find(game)
    texts.refusal(RoomError("wire.json", 400, reason=""))


def main() -> None:
    """Perform one task after the other until standard input is closed."""
    if hasattr(os, "nice"):
        os.nice(5)
    _load()
    confine.limit_memory(int(sys.argv[1]))
    while (raw := _read_message(sys.stdin.buffer)) is not None:
        record = _read_message(sys.stdin.buffer)
        confine.limit_time(float(sys.argv[2]))
        try:
            made = msgspec.json.encode(answer(TASKS.decode(raw), record or b""))
        except (MemoryError, RecursionError):
            os._exit(3)
        sys.stdout.buffer.write(LENGTH.pack(len(made)) + made)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

"""A record is a fixed number of small integers in one piece of memory.

A game's state and its tables are records. Compiled code sees the NumPy dtype; plain Python sees this
view class on the same bytes, which gives and takes Python integers and refuses one that does not fit.
All integers are signed: Numba makes a float of a signed and an unsigned one.

    class State(Record):
        turn = i8()         # whose move it is
        purse = i16s(12)    # per seat, in Ducats
        owed = i16grid(12, 12)

A class may also name attributes in `plain`: things that plain code hangs on to a record and no kernel sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

Structured = npt.NDArray[np.void]


class Row(Protocol):
    """A row of integers: `row[i]`."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...


class Grid(Protocol):
    """A table of integers: `grid[i, j]`."""

    def __getitem__(self, index: tuple[int, int], /) -> int: ...
    def __setitem__(self, index: tuple[int, int], value: int, /) -> None: ...


class Field:
    """One field of a record, as declared: the format letter of its integers, and its shape."""

    __slots__ = ("letter", "shape")

    def __init__(self, letter: str, shape: tuple[int, ...]) -> None:
        self.letter = letter
        self.shape = shape


def i8() -> int:
    """A field for one integer of 8 bits."""
    return cast("int", Field("b", ()))


def i16() -> int:
    """A field for one integer of 16 bits."""
    return cast("int", Field("h", ()))


def i32() -> int:
    """A field for one integer of 32 bits."""
    return cast("int", Field("i", ()))


def i64() -> int:
    """A field for one integer of 64 bits."""
    return cast("int", Field("q", ()))


def i8s(count: int) -> Row:
    """A field for a row of 8-bit integers."""
    return cast("Row", Field("b", (count,)))


def i16s(count: int) -> Row:
    """A field for a row of 16-bit integers."""
    return cast("Row", Field("h", (count,)))


def i32s(count: int) -> Row:
    """A field for a row of 32-bit integers."""
    return cast("Row", Field("i", (count,)))


def i64s(count: int) -> Row:
    """A field for a row of 64-bit integers."""
    return cast("Row", Field("q", (count,)))


def i8grid(rows: int, columns: int) -> Grid:
    """A field for a table of 8-bit integers."""
    return cast("Grid", Field("b", (rows, columns)))


def i16grid(rows: int, columns: int) -> Grid:
    """A field for a table of 16-bit integers."""
    return cast("Grid", Field("h", (rows, columns)))


def i32grid(rows: int, columns: int) -> Grid:
    """A field for a table of 32-bit integers."""
    return cast("Grid", Field("i", (rows, columns)))


def i64grid(rows: int, columns: int) -> Grid:
    """A field for a table of 64-bit integers."""
    return cast("Grid", Field("q", (rows, columns)))


_ALIGNMENT = 8
_SCALAR = """
def get(self): return self._{letter}[{index}]
def put(self, value): self._{letter}[{index}] = value
"""


def _layout(fields: dict[str, Field]) -> np.dtype[np.void]:
    """The aligned dtype of the fields, its size rounded up so that every integer width divides it."""
    packed = np.dtype([(name, f.letter, f.shape) for name, f in fields.items()], align=True)
    offsets = [packed.fields[name][1] for name in fields] if packed.fields else []
    return np.dtype(
        {
            "names": list(fields),
            "formats": [(f.letter, f.shape) for f in fields.values()],
            "offsets": offsets,
            "itemsize": -(-packed.itemsize // _ALIGNMENT) * _ALIGNMENT,
        },
        align=True,
    )


def _scalar(letter: str, offset: int) -> property:
    """A property that reads and writes one integer at a byte offset of the record."""
    scope: dict[str, Any] = {}
    exec(_SCALAR.format(letter=letter, index=offset // np.dtype(letter).itemsize), scope)
    return property(scope["get"], scope["put"])


class RecordType(type):
    """Turns the declared fields of a record class into a dtype and into accessors."""

    dtype: np.dtype[np.void]
    pieces: dict[str, tuple[int, int, str, tuple[int, ...]]]  # by name: where, of what integers, in what shape

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> RecordType:
        """Build the view class."""
        fields = {key: value for key, value in namespace.items() if isinstance(value, Field)}
        if not fields:
            return super().__new__(cls, name, bases, {"__slots__": (), **namespace})
        dtype = _layout(fields)
        body = {key: value for key, value in namespace.items() if key not in fields}
        size = dtype.itemsize
        pieces: dict[str, tuple[int, int, str, tuple[int, ...]]] = {
            f"_{each}": (0, size, each, (size // np.dtype(each).itemsize,)) for each in "bhiq"
        }
        rows = []
        for key, field in fields.items():
            kind, offset = dtype.fields[key][:2]  # type: ignore[index]
            if field.shape:
                rows.append(key)
                pieces[key] = (offset, offset + kind.itemsize, field.letter, field.shape)
            else:
                body[key] = _scalar(field.letter, offset)
        body |= {"__slots__": (*rows, *namespace.get("plain", ())), "dtype": dtype, "pieces": pieces}
        return super().__new__(cls, name, bases, body)


class Record(metaclass=RecordType):
    """Plain Python's view of one record: integers out, integers that fit in."""

    __slots__ = ("_b", "_h", "_i", "_q", "raw")

    raw: memoryview

    def __init__(self, raw: memoryview | None = None) -> None:
        self.raw = memoryview(bytearray(type(self).dtype.itemsize)) if raw is None else raw

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> memoryview:
            """A row, or all bytes as integers of one width: made when first asked for, so copies are cheap."""
            found = type(self).pieces.get(name)
            if found is None:
                raise AttributeError(f"{type(self).__name__} has no field {name!r}")
            start, stop, letter, shape = found
            piece = self.raw[start:stop].cast(letter, shape)
            setattr(self, name, piece)
            return piece

    def copy(self) -> Self:
        """A second record with the same bytes."""
        return type(self)(memoryview(bytearray(self.raw)))

    def assign(self, other: Self | bytes) -> None:
        """Take over another record's bytes."""
        self.raw[:] = other if isinstance(other, bytes) else other.raw

    def tobytes(self) -> bytes:
        """The record as bytes: equal positions are equal bytes."""
        return self.raw.tobytes()

    def array(self) -> Structured:
        """The record as a NumPy array of one element on the same memory."""
        return np.frombuffer(self.raw, dtype=type(self).dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(other) is type(self) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.tobytes())

    def __repr__(self) -> str:
        names = type(self).dtype.names or ()
        return f"{type(self).__name__}({', '.join(f'{n}={self._shown(n)}' for n in names)})"

    def _shown(self, name: str) -> object:
        value = getattr(self, name)
        return value.tolist() if isinstance(value, memoryview) else value


R = TypeVar("R", bound=Record)


class Batch(Generic[R]):
    """Plain Python's view of an array of records: `batch[i]` is a view, `batch[i] = record` a copy."""

    __slots__ = ("_kind", "_raw", "_seen")

    def __init__(self, kind: type[R], array: Structured) -> None:
        if array.dtype != kind.dtype:
            raise TypeError(f"an array of {kind.__name__} records was expected")
        self._kind = kind
        self._raw = array.view(np.uint8).reshape(-1).data
        self._seen: dict[int, R] = {}

    def __getitem__(self, index: int) -> R:
        record = self._seen.get(index)
        if record is None:
            size = self._kind.dtype.itemsize
            if not 0 <= index < len(self):
                raise IndexError(index)
            record = self._seen[index] = self._kind(self._raw[index * size : (index + 1) * size])
        return record

    def __setitem__(self, index: int, record: R) -> None:
        self[index].assign(record)

    def __len__(self) -> int:
        return len(self._raw) // self._kind.dtype.itemsize

    def __iter__(self) -> Iterator[R]:
        return (self[index] for index in range(len(self)))

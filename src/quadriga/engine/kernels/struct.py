"""Structs: a fixed number of small integers in one block of memory.

A game's state and its tables are structs. Compiled code uses the NumPy dtype. Plain Python uses a view class on
the same bytes, which returns and takes Python integers and refuses those that do not fit. All integers are signed,
since Numba computes with floats where a signed and an unsigned integer meet.

    class State(Struct):
        turn = i8()         # whose move it is
        purse = i16s(12)    # per seat, in Ducats
        owed = i16grid(12, 12)

A class may also name attributes in `plain`, for objects that plain code attaches to a struct and no kernel uses.
"""

from __future__ import annotations

import threading
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
    """The declaration of a field: the format letter of its integers, and its shape."""

    __slots__ = ("letter", "shape")

    def __init__(self, letter: str, shape: tuple[int, ...]) -> None:
        self.letter = letter
        self.shape = shape


def i8() -> int:
    """Declare a field for one 8-bit integer."""
    return cast("int", Field("b", ()))


def i16() -> int:
    """Declare a field for one 16-bit integer."""
    return cast("int", Field("h", ()))


def i32() -> int:
    """Declare a field for one 32-bit integer."""
    return cast("int", Field("i", ()))


def i64() -> int:
    """Declare a field for one 64-bit integer."""
    return cast("int", Field("q", ()))


def i8s(count: int) -> Row:
    """Declare a field for a row of 8-bit integers."""
    return cast("Row", Field("b", (count,)))


def i16s(count: int) -> Row:
    """Declare a field for a row of 16-bit integers."""
    return cast("Row", Field("h", (count,)))


def i32s(count: int) -> Row:
    """Declare a field for a row of 32-bit integers."""
    return cast("Row", Field("i", (count,)))


def i64s(count: int) -> Row:
    """Declare a field for a row of 64-bit integers."""
    return cast("Row", Field("q", (count,)))


def i8grid(rows: int, columns: int) -> Grid:
    """Declare a field for a table of 8-bit integers."""
    return cast("Grid", Field("b", (rows, columns)))


def i16grid(rows: int, columns: int) -> Grid:
    """Declare a field for a table of 16-bit integers."""
    return cast("Grid", Field("h", (rows, columns)))


def i32grid(rows: int, columns: int) -> Grid:
    """Declare a field for a table of 32-bit integers."""
    return cast("Grid", Field("i", (rows, columns)))


def i64grid(rows: int, columns: int) -> Grid:
    """Declare a field for a table of 64-bit integers."""
    return cast("Grid", Field("q", (rows, columns)))


_ALIGNMENT = 8
_SCALAR = """
def get(self): return self._{letter}[{index}]
def put(self, value): self._{letter}[{index}] = value
"""


def _layout(fields: dict[str, Field]) -> np.dtype[np.void]:
    """Return the aligned dtype of the fields, with its size rounded up to a multiple of every integer width."""
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
    """Return a property that reads and writes one integer at a byte offset of the struct."""
    scope: dict[str, Any] = {}
    exec(_SCALAR.format(letter=letter, index=offset // np.dtype(letter).itemsize), scope)
    return property(scope["get"], scope["put"])


class StructType(type):
    """Turn the declared fields of a struct class into a dtype and accessors."""

    dtype: np.dtype[np.void]
    pieces: dict[str, tuple[int, int, str, tuple[int, ...]]]  # by name: first byte, end, format letter, shape

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> StructType:
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


class _Scratch(threading.local):
    """The structs of a thread for `Struct.scratch`, by class and number."""

    def __init__(self) -> None:
        self.structs: dict[tuple[type, int], Any] = {}


_SCRATCH = _Scratch()


class Struct(metaclass=StructType):
    """The view of one struct in plain Python. An integer that does not fit its field raises ValueError."""

    __slots__ = ("_b", "_h", "_i", "_q", "raw")

    raw: memoryview

    def __init__(self, raw: memoryview | None = None) -> None:
        self.raw = memoryview(bytearray(type(self).dtype.itemsize)) if raw is None else raw

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> memoryview:
            """Return a row, or all bytes as integers of one width; made on first use, so copies are cheap."""
            found = type(self).pieces.get(name)
            if found is None:
                raise AttributeError(f"{type(self).__name__} has no field {name!r}")
            start, stop, letter, shape = found
            piece = self.raw[start:stop].cast(letter, shape)
            setattr(self, name, piece)
            return piece

    def copy(self) -> Self:
        """Return a second struct with the same bytes."""
        return type(self)(memoryview(bytearray(self.raw)))

    @classmethod
    def scratch(cls, source: Self | bytes, number: int = 0) -> Self:
        """Return a temporary copy: the next call in this thread with the same number overwrites it.

        It is several times as fast as `copy`, since its rows are made only once.
        """
        structs = _SCRATCH.structs
        found: Self | None = structs.get((cls, number))
        if found is None:
            found = structs[cls, number] = cls()
        found.assign(source)
        return found

    def assign(self, other: Self | bytes) -> None:
        """Overwrite this struct with the bytes of another."""
        self.raw[:] = other if isinstance(other, bytes) else other.raw

    def tobytes(self) -> bytes:
        """Return the bytes; equal positions have equal bytes."""
        return self.raw.tobytes()

    def array(self) -> Structured:
        """Return a NumPy array of one element on the same memory."""
        return np.frombuffer(self.raw, dtype=type(self).dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct) and type(other) is type(self) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.tobytes())

    def __repr__(self) -> str:
        names = type(self).dtype.names or ()
        return f"{type(self).__name__}({', '.join(f'{n}={self._shown(n)}' for n in names)})"

    def _shown(self, name: str) -> object:
        value = getattr(self, name)
        return value.tolist() if isinstance(value, memoryview) else value


R = TypeVar("R", bound=Struct)


class Batch(Generic[R]):
    """The view of an array of structs in plain Python: `batch[i]` is a view, `batch[i] = struct` a copy."""

    __slots__ = ("_kind", "_raw", "_views")

    def __init__(self, kind: type[R], array: Structured) -> None:
        if array.dtype != kind.dtype:
            raise TypeError(f"an array of {kind.__name__} structs was expected")
        self._kind = kind
        self._raw = array.view(np.uint8).reshape(-1).data
        self._views: dict[int, R] = {}

    def __getitem__(self, index: int) -> R:
        struct = self._views.get(index)
        if struct is None:
            size = self._kind.dtype.itemsize
            if not 0 <= index < len(self):
                raise IndexError(index)
            struct = self._views[index] = self._kind(self._raw[index * size : (index + 1) * size])
        return struct

    def __setitem__(self, index: int, struct: R) -> None:
        self[index].assign(struct)

    def __len__(self) -> int:
        return len(self._raw) // self._kind.dtype.itemsize

    def __iter__(self) -> Iterator[R]:
        return (self[index] for index in range(len(self)))

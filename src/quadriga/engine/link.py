"""Linking: from a driver and a game's kernels to something that runs, plain or compiled.

`resolve` reads a kernel's bytecode for the globals that it uses, fills slots, and goes on through the
kernels that it calls. What comes out names everything that can change the machine code, so its digest is
the key of the disk cache: an edit anywhere below a kernel gives another key, and a stale copy is never run.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast, get_args, get_origin

import numpy as np

from quadriga.engine.kernel import FlagRows, Flags, Function, IntRows, Ints, ShortRows, Shorts, Values, kind
from quadriga.engine.record import Batch, Record

Filling = Mapping[object, object]

_BUILTINS = frozenset({"range", "min", "max", "abs", "len", "int", "bool"})
_ROWS = (IntRows, ShortRows, FlagRows)
_ARRAYS = (Ints, Shorts, Values, Flags)


class LinkError(TypeError):
    """A kernel breaks a rule of kernels; this is a fault in the program, not in its input."""


@dataclass(frozen=True, eq=False)
class Node:
    """A kernel with all that it refers to."""

    function: FunctionType
    mark: str
    parameters: tuple[object, ...]
    callees: dict[str, Node]
    calls: dict[str, int]  # how often each callee is named
    constants: dict[str, object]
    bound: bool
    digest: str

    @property
    def name(self) -> str:
        """Where the kernel stands, for people."""
        return f"{self.function.__module__}.{self.function.__qualname__}"


def resolve(function: Function, filling: Filling, seen: dict[object, Node | None] | None = None) -> Node:
    """Read a kernel and everything below it, with slots filled."""
    seen = {} if seen is None else seen
    target = cast("FunctionType", filling.get(function, function))
    mark = kind(target)
    if mark is None or mark == "slot":
        raise LinkError(f"{function.__qualname__} is not a kernel" + (" and its slot is empty" if mark else ""))
    if target in seen:
        known = seen[target]
        if known is None:
            raise LinkError(f"{target.__qualname__} calls itself; kernels keep a stack in the record instead")
        return known
    seen[target] = None
    callees: dict[str, Node] = {}
    constants: dict[str, object] = {}
    if mark == "kernel":
        for name in sorted(set(_globals_used(target.__code__))):
            value = target.__globals__.get(name, getattr(builtins, name, None))
            if kind(value):
                callees[name] = resolve(cast("Function", value), filling, seen)
            else:
                constants[name] = _constant(target, name, value)
    parameters = tuple(_filled(a, filling) for a in _annotations(target))
    bound = any(c.bound or c.function is not target.__globals__[n] for n, c in callees.items())
    digest = _digest(target, mark, parameters, callees, constants)
    used = _globals_used(target.__code__) if callees else []
    calls = {name: used.count(name) for name in callees}
    node = Node(target, mark, parameters, callees, calls, constants, bound, digest)
    seen[target] = node
    return node


def plain(function: Function, filling: Filling) -> Callable[..., Any]:
    """The kernel as plain Python, slots filled, taking the same NumPy arrays as the compiled one."""
    node = resolve(function, filling)
    body = _rebound(node)
    lenders = [_lender(parameter) for parameter in node.parameters]

    def call(*arguments: Any) -> Any:
        return body(*[lend(a) if lend else a for lend, a in zip(lenders, arguments, strict=True)])

    return call


def _globals_used(code: CodeType) -> list[str]:
    if any(isinstance(constant, CodeType) for constant in code.co_consts):
        raise LinkError(f"{code.co_qualname} has an inner function or comprehension")
    if code.co_freevars:
        raise LinkError(f"{code.co_qualname} is a closure")
    return [str(i.argval) for i in dis.get_instructions(code) if i.opname in {"LOAD_GLOBAL", "LOAD_NAME"}]


def _constant(function: FunctionType, name: str, value: object) -> object:
    """Only what is frozen into the machine code by value may be a global of a kernel."""
    if name in _BUILTINS and value is getattr(builtins, name):
        return name
    if isinstance(value, bool | int | float) or (
        isinstance(value, tuple) and all(isinstance(v, int | float) for v in value)
    ):
        return value
    what = "a module" if isinstance(value, ModuleType) else f"a {type(value).__name__}"
    raise LinkError(f"{function.__qualname__} refers to {name}, {what}; kernels know kernels and numbers only")


def _annotations(function: FunctionType) -> list[object]:
    notes = inspect.get_annotations(function, eval_str=True)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    missing = [name for name in names if name not in notes]
    if missing:
        raise LinkError(f"{function.__qualname__} has parameters without a type: {', '.join(missing)}")
    return [notes[name] for name in names]


def _filled(annotation: object, filling: Filling) -> object:
    if get_origin(annotation) is Batch:
        generic: Any = Batch
        return generic[_filled(get_args(annotation)[0], filling)]
    return filling.get(annotation, annotation)


def _digest(
    function: FunctionType,
    mark: str,
    parameters: tuple[object, ...],
    callees: dict[str, Node],
    constants: dict[str, object],
) -> str:
    code = function.__code__
    content = [
        mark,
        function.__qualname__,
        code.co_code.hex(),
        repr((code.co_consts, code.co_names, code.co_varnames)),
        repr([describe(parameter) for parameter in parameters]),
        repr(sorted((name, repr(value)) for name, value in constants.items())),
        repr(sorted((name, callee.digest) for name, callee in callees.items())),
    ]
    return hashlib.sha256("\0".join(content).encode()).hexdigest()


def describe(parameter: object) -> str:
    """A parameter's type in full: for records, every field and offset."""
    if get_origin(parameter) is Batch:
        return f"Batch[{describe(get_args(parameter)[0])}]"
    if isinstance(parameter, type) and issubclass(parameter, Record):
        return f"{parameter.__name__}{parameter.dtype.fields}{parameter.dtype.itemsize}"
    return getattr(parameter, "__name__", repr(parameter))


def _rebound(node: Node) -> Function:
    """The plain function itself, or a copy of it whose globals are the filled ones."""
    if not node.bound:
        return node.function
    scope = dict(node.function.__globals__)
    scope |= {name: _rebound(callee) for name, callee in node.callees.items()}
    return FunctionType(node.function.__code__, scope, node.function.__name__)


def _lender(parameter: object) -> Callable[[Any], Any] | None:
    """How a NumPy array becomes what plain code indexes: Python integers out, no wrap-around."""
    if get_origin(parameter) is Batch:
        record = get_args(parameter)[0]
        return lambda array: Batch(record, array)
    if parameter in _ROWS:
        return lambda array: [row.data for row in array]
    if parameter in _ARRAYS:
        return lambda array: array.data if isinstance(array, np.ndarray) else array
    return None

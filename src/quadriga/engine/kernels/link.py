"""Link an entry point with a game's kernels, to run plain or compiled.

`resolve` reads the globals that a kernel's bytecode uses, binds slots, and continues through the kernels that it
calls. The result names everything that can change the machine code, and its digest is the key of the disk cache.
An edit anywhere below a kernel changes the key, so a stale copy is never run.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast, get_args, get_origin, get_type_hints

import numpy as np

from quadriga.engine.kernels.kernel import FlagRows, Flags, Function, IntRows, Ints, ShortRows, Shorts, Values, kind
from quadriga.engine.kernels.struct import Batch, Struct

Bindings = Mapping[object, object]
"""The kernel for each slot, and the struct for each type that stands for a game's own."""

_BUILTINS = frozenset({"range", "min", "max", "abs", "len", "int", "bool"})
_ROWS = (IntRows, ShortRows, FlagRows)
_LOAD_GLOBAL = dis.opmap["LOAD_GLOBAL"]
_ARRAYS = (Ints, Shorts, Values, Flags)


class LinkError(TypeError):
    """A kernel breaks a rule of kernels: a fault in the program, not in its input."""


@dataclass(frozen=True)
class BoundWorkspace:
    """A NamedTuple of arrays that kernels take as one argument, with the types of its fields bound."""

    kind: type[Any]
    fields: tuple[object, ...]


@dataclass(frozen=True, eq=False)
class Node:
    """A kernel with everything that it refers to."""

    function: FunctionType
    mark: str
    parameters: tuple[object, ...]
    callees: dict[str, Node]
    calls: dict[str, int]  # how often the code names each callee
    constants: dict[str, object]
    bound: bool
    digest: str

    @property
    def name(self) -> str:
        """Return the module and name of the kernel, for messages."""
        return f"{self.function.__module__}.{self.function.__qualname__}"


def resolve(function: Function, bindings: Bindings, seen: dict[object, Node | None] | None = None) -> Node:
    """Return the call graph below a kernel, with slots bound. Raise LinkError for what is no kernel."""
    seen = {} if seen is None else seen
    target = cast("FunctionType", bindings.get(function, function))
    mark = kind(target)
    if mark is None or mark == "slot":
        raise LinkError(f"{function.__qualname__} is not a kernel" + (" and its slot is empty" if mark else ""))
    if target in seen:
        known = seen[target]
        if known is None:
            raise LinkError(f"{target.__qualname__} calls itself; kernels keep a stack in the struct instead")
        return known
    seen[target] = None
    callees: dict[str, Node] = {}
    constants: dict[str, object] = {}
    if mark == "kernel":
        for name in sorted(set(_globals_used(target.__code__))):
            value = target.__globals__.get(name, getattr(builtins, name, None))
            if kind(value):
                callees[name] = resolve(cast("Function", value), bindings, seen)
            else:
                constants[name] = _constant(target, name, value)
    parameters = tuple(_bound(a, bindings) for a in _annotations(target))
    bound = any(c.bound or c.function is not target.__globals__[n] for n, c in callees.items())
    digest = _digest(target, mark, parameters, callees, constants)
    used = _globals_used(target.__code__) if callees else ()
    calls = {name: used.count(name) for name in callees}
    node = Node(target, mark, parameters, callees, calls, constants, bound, digest)
    seen[target] = node
    return node


def parts(node: Node) -> int:
    """Return the estimated cost of compiling a kernel, in parts (see `compiler.Report`)."""
    return 1 + len(node.function.__code__.co_code) // 100


def entry_parts(node: Node) -> int:
    """Return the estimated cost of an entry point, in parts. It is optimized together with all kernels below it."""
    return 1 + sum(map(parts, callees_first(node))) // 3


def callees_first(node: Node) -> list[Node]:
    """Return every kernel below a node once, callees before callers."""
    order: dict[str, Node] = {}

    def visit(each: Node) -> None:
        for callee in each.callees.values():
            if callee.digest not in order:
                visit(callee)
                order[callee.digest] = callee

    visit(node)
    return list(order.values())


def plain(function: Function, bindings: Bindings) -> Callable[..., Any]:
    """Return the kernel as plain Python with its slots bound; it takes the same arrays as the compiled one."""
    node = resolve(function, bindings)
    body = _bind(node)
    views = [_view(parameter) for parameter in node.parameters]

    def call(*arguments: Any) -> Any:
        return body(*[view(a) for view, a in zip(views, arguments, strict=True)])

    return call


@cache
def _globals_used(code: CodeType) -> tuple[str, ...]:
    if any(isinstance(constant, CodeType) for constant in code.co_consts):
        raise LinkError(f"{code.co_qualname} has an inner function or comprehension")
    if code.co_freevars:
        raise LinkError(f"{code.co_qualname} is a closure")
    found, extended = [], 0
    for operation, argument in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        number = extended | argument
        extended = number << 8 if operation == dis.EXTENDED_ARG else 0
        if operation == _LOAD_GLOBAL:  # `dis.get_instructions` finds them, too, in ten times the time
            found.append(code.co_names[number >> 1])
    return tuple(found)


def _constant(function: FunctionType, name: str, value: object) -> object:
    """Return a global that is frozen into the machine code by value; refuse any other."""
    if name in _BUILTINS and value is getattr(builtins, name):
        return name
    if isinstance(value, bool | int | float) or (
        isinstance(value, tuple) and all(isinstance(v, int | float) for v in value)
    ):
        return value
    what = "a module" if isinstance(value, ModuleType) else f"a {type(value).__name__}"
    raise LinkError(f"{function.__qualname__} refers to {name}, {what}; kernels know kernels and numbers only")


def _annotations(function: FunctionType) -> tuple[object, ...]:
    notes = inspect.get_annotations(function, eval_str=True)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    missing = [name for name in names if name not in notes]
    if missing:
        raise LinkError(f"{function.__qualname__} has parameters without a type: {', '.join(missing)}")
    return tuple(notes[name] for name in names)


def _bound(annotation: object, bindings: Bindings) -> object:
    """Return a parameter's type with the game's own structs in it."""
    if get_origin(annotation) is Batch:
        generic: Any = Batch
        return generic[_bound(get_args(annotation)[0], bindings)]
    if isinstance(annotation, type) and issubclass(annotation, tuple):
        return BoundWorkspace(
            annotation, tuple(_bound(each, bindings) for each in get_type_hints(annotation).values())
        )
    return bindings.get(annotation, annotation)


def _digest(
    function: FunctionType,
    mark: str,
    parameters: tuple[object, ...],
    callees: dict[str, Node],
    constants: dict[str, object],
) -> str:
    code = function.__code__
    constants_used = tuple(each for each in code.co_consts if each != function.__doc__)  # words change no code
    content = [
        mark,
        function.__qualname__,
        code.co_code.hex(),
        repr((constants_used, code.co_names, code.co_varnames)),
        repr([describe(parameter) for parameter in parameters]),
        repr(sorted((name, repr(value)) for name, value in constants.items())),
        repr(sorted((name, callee.digest) for name, callee in callees.items())),
    ]
    return hashlib.sha256("\0".join(content).encode()).hexdigest()


@cache
def describe(parameter: object) -> str:
    """Return a parameter's type in full: of a struct, every field and offset."""
    if isinstance(parameter, BoundWorkspace):
        fields = zip(parameter.kind._fields, map(describe, parameter.fields), strict=True)
        return f"{parameter.kind.__module__}.{parameter.kind.__qualname__}{list(fields)}"
    if get_origin(parameter) is Batch:
        return f"Batch[{describe(get_args(parameter)[0])}]"
    if isinstance(parameter, type) and issubclass(parameter, Struct):
        return f"{parameter.__name__}{parameter.dtype.fields}{parameter.dtype.itemsize}"
    return getattr(parameter, "__name__", repr(parameter))


def _bind(node: Node) -> Function:
    """Return the plain function itself, or a copy whose globals are the bound kernels."""
    if not node.bound:
        return node.function
    scope = dict(node.function.__globals__)
    scope |= {name: _bind(callee) for name, callee in node.callees.items()}
    return FunctionType(node.function.__code__, scope, node.function.__name__)


def _view(parameter: object) -> Callable[[Any], Any]:
    """Return the function that turns a NumPy array into a view for plain code.

    Plain code reads Python integers from it, which do not wrap around.
    """
    if isinstance(parameter, BoundWorkspace):
        kind, views = parameter.kind, [_view(field) for field in parameter.fields]
        return lambda arrays: kind(*[view(array) for view, array in zip(views, arrays, strict=True)])
    if get_origin(parameter) is Batch:
        struct = get_args(parameter)[0]
        return lambda array: Batch(struct, array)
    if parameter in _ROWS:
        return lambda array: [row.data for row in array]
    if parameter in _ARRAYS:
        return lambda array: array.data if isinstance(array, np.ndarray) else array
    return lambda value: value

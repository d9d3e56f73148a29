"""Compile linked kernels with Numba, once for this machine, and keep the result. Only this package imports Numba.

Numba has no public API for a cache with other keys than its own. Therefore this module uses private parts of it:
`Dispatcher._cache` with `load_overload` and `save_overload`, `CompileResult._reduce` and `_rebuild`, the
`entry_point` of a compile result, the option `_nrt`, and `codegen().magic_tuple()`; `callees.py` uses parts of
`JITCodeLibrary`. This is why pyproject.toml has an upper bound for Numba's version.
"""

from __future__ import annotations

import importlib.util
import pickle
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from types import FunctionType
from typing import Any, get_args, get_origin

from quadriga.engine.errors import MissingExtraError
from quadriga.engine.kernels.callees import link_compiler
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.kernels.kernel import FlagRows, Flags, Function, IntRows, Ints, ShortRows, Shorts, Values
from quadriga.engine.kernels.link import Bindings, BoundWorkspace, LinkError, Node, resolve
from quadriga.engine.kernels.record import Batch, Record
from quadriga.engine.text import catalogues

Report = Callable[[int, int, float], None]
"""A function that is called after each kernel with the number done, the number of all, and the seconds so far."""

_NOTICE_AFTER_S = 1.0
_MAX_INLINED = 12_000  # bytes of bytecode up to which a kernel is inlined; more compiles slowly
_lock = threading.RLock()
_inner: dict[str, Any] = {}  # compiled kernels that only kernels call; they have no wrapper for Python
_entries: dict[str, Any] = {}  # compiled kernels that Python calls


def is_available() -> bool:
    """Return whether Numba is installed."""
    return importlib.util.find_spec("numba") is not None


def compile_kernel(
    function: Function,
    bindings: Bindings,
    *,
    boundscheck: bool = False,
    disk: DiskCache | None = None,
    report: Report | None = None,
) -> Callable[..., Any]:
    """Return the kernel as machine code: from the disk cache, or compiled now and stored there.

    Raises MissingExtraError if Numba is not installed.
    """
    if not is_available():
        raise MissingExtraError("extra.missing", extra="fast", what="Numba")
    node = _resolved(function, frozenset(bindings.items()))
    with _lock:
        name = _label(node, boundscheck)
        if name not in _entries:
            _entries[name] = _entry_point(node, boundscheck, disk or DiskCache(), report)
        return _entries[name]  # type: ignore[no-any-return]


@cache
def _resolved(function: Function, bindings: frozenset[tuple[object, object]]) -> Node:
    """Resolve a kernel once in a process: a large game takes a quarter of a second."""
    return resolve(function, dict(bindings))


def unchecked(entry: Any) -> Callable[..., Any]:
    """Return the function that Numba calls after it has checked the argument types: three times as fast to call."""
    (only,) = entry.overloads.values()
    return only.entry_point  # type: ignore[no-any-return]


def _entry_point(node: Node, boundscheck: bool, disk: DiskCache, report: Report | None) -> Any:
    name, key = node.function.__name__, _key(node, boundscheck)
    cached = _CachedKernel(disk, key, name)
    if cached.load():
        return _load_or_compile(node, boundscheck, cached)
    report = report or CompileNotice()
    total = len(_callees_first(node)) + 1
    with disk.locked(name, key, lambda seconds: report(0, total, seconds)):
        if not cached.load():  # no other process has made it meanwhile
            _compile_callees(node, boundscheck, report)
        return _load_or_compile(node, boundscheck, cached)


def _load_or_compile(node: Node, boundscheck: bool, cached: _CachedKernel) -> Any:
    """Return the entry point. Numba asks `cached` first, and compiles if it is empty."""
    entry = _dispatcher(node, boundscheck, nogil=True)
    entry._cache = cached
    entry.compile(_signature(node))
    entry.disable_compile()
    (result,) = entry.overloads.values()
    for env in result._find_referenced_environments():  # as Numba does for code from its cache
        result.library.codegen.set_env(env.env_name, env)
    return entry


def _compile_callees(node: Node, boundscheck: bool, report: Report) -> None:
    """Compile the kernels that the entry point calls, callees first, each with the signature of its annotations."""
    order = _callees_first(node)
    began = time.monotonic()
    for done, each in enumerate(order, 1):
        name = _label(each, boundscheck)
        if name not in _inner:
            if each.mark == "kernel":
                compiled = _dispatcher(
                    each,
                    boundscheck,
                    no_cpython_wrapper=True,
                    no_cfunc_wrapper=True,
                    forceinline=_inlined_size(each) <= _MAX_INLINED,
                    pipeline_class=link_compiler(),
                )
                compiled.compile(_signature(each))
                compiled.disable_compile()
                _check_types(each, compiled)
            else:
                compiled = _instruction(each.mark.split()[1])
            _inner[name] = compiled
        report(done, len(order) + 1, time.monotonic() - began)


def _inlined_size(node: Node) -> int:
    """Return the bytes of bytecode of a kernel, with the callees that are inlined."""
    if node.mark != "kernel":
        return 0
    size = len(node.function.__code__.co_code)
    for name, times in node.calls.items():
        inner = _inlined_size(node.callees[name])
        size += times * (inner if inner <= _MAX_INLINED else 0)
    return size


def _check_types(node: Node, dispatcher: Any) -> None:
    """Refuse unsigned integers and floats, since plain code would compute other results than compiled code."""
    (result,) = dispatcher.overloads.values()
    for name, kind in result.type_annotation.typemap.items():
        if str(kind) in {"uint64", "float64"} and float not in node.parameters:
            raise LinkError(f"{node.name}: {name.split('.')[0]} becomes {kind} in compiled code")


def _callees_first(node: Node) -> list[Node]:
    """Return every kernel below a node once, callees before callers."""
    order: dict[str, Node] = {}

    def visit(each: Node) -> None:
        for callee in each.callees.values():
            if callee.digest not in order:
                visit(callee)
                order[callee.digest] = callee

    visit(node)
    return list(order.values())


def _dispatcher(node: Node, boundscheck: bool, **options: Any) -> Any:
    import numba

    scope = dict(node.function.__globals__)
    for name, callee in node.callees.items():
        scope[name] = _inner.get(_label(callee, boundscheck))
    copy = FunctionType(node.function.__code__, scope, node.function.__name__)
    # The digest keeps symbols of different content apart, also those that other processes compiled.
    copy.__qualname__ = f"{node.function.__qualname__}_{node.digest[:16]}{'b' if boundscheck else ''}"
    njit: Any = numba.njit  # kernels allocate nothing, so they need no reference counts (_nrt)
    return njit(boundscheck=boundscheck, _nrt=False, error_model="numpy", **options)(copy)


def _label(node: Node, boundscheck: bool) -> str:
    return f"{node.digest} {boundscheck}"


def _key(node: Node, boundscheck: bool) -> str:
    """Return everything that the machine code depends on: the kernels, the tools and the processor."""
    from numba.core.registry import cpu_target

    machine = cpu_target.target_context.codegen().magic_tuple()
    tools = [version(name) for name in ("numba", "llvmlite", "numpy")]
    return repr((_label(node, boundscheck), _MAX_INLINED, machine, tools, sys.implementation.cache_tag))


def _signature(node: Node) -> tuple[Any, ...]:
    return tuple(_numba_type(parameter) for parameter in node.parameters)


@cache
def _numba_type(parameter: object) -> Any:
    import numba
    from numba import types

    if isinstance(parameter, BoundWorkspace):
        return types.BaseTuple.from_types([_numba_type(each) for each in parameter.fields], parameter.kind)
    if get_origin(parameter) is Batch:
        return types.Array(_numba_type(get_args(parameter)[0]), 1, "C")
    if isinstance(parameter, type) and issubclass(parameter, Record):
        return numba.from_dtype(parameter.dtype)
    known = {
        int: types.int64,
        bool: types.boolean,
        float: types.float64,
        Ints: types.Array(types.int64, 1, "C"),
        Shorts: types.Array(types.int16, 1, "C"),
        Values: types.Array(types.int32, 1, "C"),
        Flags: types.Array(types.int8, 1, "C"),
        IntRows: types.Array(types.int64, 2, "C"),
        ShortRows: types.Array(types.int16, 2, "C"),
        FlagRows: types.Array(types.int8, 2, "C"),
    }
    return known[parameter]  # type: ignore[index]


@cache
def _instruction(name: str) -> Any:
    """Return a function of one argument that Numba has no name for (see `kernel.native`)."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def copy(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (record,) = arguments
        place = cgutils.alloca_once(builder, record.type.pointee)
        cgutils.raw_memcpy(builder, place, record, context.get_constant(types.intp, signature.return_type.size), 1)
        return place

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if name == "cttz":
            return builder.cttz(arguments[0], context.get_constant(types.boolean, False))
        return builder.ctpop(arguments[0])

    def typed(typing: Any, argument: Any) -> Any:
        if name == "copy":
            return argument(argument), copy
        return types.int64(types.int64), generate

    return intrinsic(typed)


class CompileNotice:
    """Print one sentence, by default on standard error, if compiling takes more than a second."""

    def __init__(self, write: Callable[[str], object] | None = None, say: catalogues.Words | None = None) -> None:
        self._write = write or (lambda sentence: print(sentence, file=sys.stderr, flush=True))
        self._say = say or catalogues.of(catalogues.preferred())
        self._is_written = False

    def __call__(self, done: int, total: int, seconds: float) -> None:
        """Print the sentence once a second has passed."""
        if seconds > _NOTICE_AFTER_S and not self._is_written:
            self._is_written = True
            self._write(self._say("compile.started", done=done, total=total))


class _CachedKernel:
    """Numba's cache interface for one entry point: one file, whose key names everything that went into it."""

    def __init__(self, disk: DiskCache, key: str, name: str) -> None:
        self._disk = disk
        self._key = key
        self._name = name
        self._result: Any = None

    def load(self) -> bool:
        """Load the machine code from disk; return whether that worked."""
        from numba.core.compiler import CompileResult
        from numba.core.registry import cpu_target

        stored = self._disk.read(self._name, self._key)
        if stored is None:
            return False
        cpu_target.target_context.refresh()
        try:
            self._result = CompileResult._rebuild(cpu_target.target_context, *pickle.loads(stored))
        except Exception:  # a file that cannot be loaded for any reason is compiled again
            return False
        return True

    def load_overload(self, _signature: Any, _context: Any) -> Any:
        """Return the loaded machine code to Numba, if any."""
        return self._result

    def save_overload(self, _signature: Any, result: Any) -> None:
        """Store what Numba has compiled."""
        from numba.core.serialize import dumps

        self._disk.write(self._name, self._key, dumps(result._reduce()))

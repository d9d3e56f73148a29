"""Compile linked kernels with Numba, once for this machine, and keep the result. Only this package imports Numba.

Numba has no public API for a cache with other keys than its own. `numba_private` has the private parts that do it,
and `numba_public` compiles without them where a version of Numba does not have them.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from types import FunctionType
from typing import Any, NamedTuple

from quadriga.engine.errors import MissingExtraError
from quadriga.engine.kernels import numba_private, numba_public
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.kernels.kernel import Function
from quadriga.engine.kernels.link import Bindings, LinkError, Node, resolve
from quadriga.engine.kernels.numba_types import instruction, numba_type
from quadriga.engine.text import catalogues

Report = Callable[[int, int, float], None]
"""A function that is called after each kernel with the parts done, the parts of all, and the seconds so far.

A part is a hundred bytes of bytecode, which takes about the same time everywhere.
"""

_NOTICE_AFTER_S = 1.0
_START_S = 5.0  # for compiling processes to start
_lock = threading.RLock()
_inner: dict[str, Any] = {}  # compiled kernels that only kernels call; they have no wrapper for Python
_entries: dict[str, Any] = {}  # compiled kernels that Python calls


class Request(NamedTuple):
    """An entry point to compile."""

    function: Function
    bindings: Bindings
    boundscheck: bool = False


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
            request = Request(function, bindings, boundscheck)
            _entries[name] = _entry_point(node, request, disk or DiskCache(), report)
        return _entries[name]  # type: ignore[no-any-return]


def compile_all(
    requests: Sequence[Request], *, disk: DiskCache | None = None, report: Report | None = None
) -> None:
    """Compile entry points into the disk cache, all that is missing at once, on all cores."""
    from quadriga.engine.kernels import compile_pool

    is_usable = numba_private.is_usable()
    if not (is_usable and compile_pool.compile_missing(requests, disk or DiskCache(), report or CompileNotice())):
        for each in requests:
            compile_kernel(each.function, each.bindings, boundscheck=each.boundscheck, disk=disk, report=report)


def is_cached(
    function: Function, bindings: Bindings, *, boundscheck: bool = False, disk: DiskCache | None = None
) -> bool:
    """Return whether the kernel is in memory or on disk, so that it need not be compiled."""
    node = _resolved(function, frozenset(bindings.items()))
    if _label(node, boundscheck) in _entries:
        return True
    disk, key = disk or DiskCache(), entry_key(node, boundscheck)
    if not numba_private.is_usable():
        return numba_public.source_file(disk, node, key).exists()
    return numba_private.StoredEntry(disk, key, node.function.__name__).load()


@cache
def _resolved(function: Function, bindings: frozenset[tuple[object, object]]) -> Node:
    """Return the resolved kernel, cached per process: it takes a quarter of a second in a large game."""
    return resolve(function, dict(bindings))


def unchecked(entry: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that Numba calls after it has checked the argument types: three times as fast to call."""
    return numba_private.unchecked(entry) if numba_private.is_usable() else entry


def _entry_point(node: Node, request: Request, disk: DiskCache, report: Report | None) -> Any:
    from quadriga.engine.kernels import compile_pool

    name, key, boundscheck = node.function.__name__, entry_key(node, request.boundscheck), request.boundscheck
    if not numba_private.is_usable():
        return numba_public.compiled(node, boundscheck, disk, key)
    cached = numba_private.StoredEntry(disk, key, name)
    if cached.load():
        return _load_or_compile(node, boundscheck, cached)
    report = report or CompileNotice()
    with disk.locked(name, key, lambda seconds: report(0, 1, seconds)):
        if not cached.load():  # no other process has made it meanwhile
            compile_pool.compile_missing([request], disk, report)
            if not cached.load():  # it could not be compiled in other processes, or not be stored
                with _without_gc():
                    _compile_callees(node, boundscheck, disk, report)
                    return _load_or_compile(node, boundscheck, cached)
        return _load_or_compile(node, boundscheck, cached)


@contextmanager
def _without_gc() -> Iterator[None]:
    """Pause the garbage collector, which takes a fifth of the time of compiling."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()


def store_entry(node: Node, boundscheck: bool, disk: DiskCache) -> None:
    """Compile an entry point into the disk cache, with callees from there."""
    for callee in node.callees.values():
        load_or_compile_callee(callee, boundscheck, disk)
    stored = numba_private.StoredEntry(disk, entry_key(node, boundscheck), node.function.__name__)
    _load_or_compile(node, boundscheck, stored)


def _load_or_compile(node: Node, boundscheck: bool, cached: numba_private.StoredEntry) -> Any:
    """Return the entry point. Numba asks `cached` first, and compiles if it is empty."""
    entry = _dispatcher(node, boundscheck, nogil=True)
    numba_private.compile_with(entry, cached, _signature(node))
    numba_private.set_environments(entry)
    return entry


def _compile_callees(node: Node, boundscheck: bool, disk: DiskCache, report: Report) -> None:
    """Compile the kernels that the entry point calls, callees first, each with the signature of its annotations."""
    order = callees_first(node)
    total, done = sum(map(parts, order)) + entry_parts(node), 0
    began = time.monotonic()
    for each in order:
        load_or_compile_callee(each, boundscheck, disk)
        done += parts(each)
        report(done, total, time.monotonic() - began)


def load_or_compile_callee(node: Node, boundscheck: bool, disk: DiskCache) -> None:
    """Load a kernel that only other kernels call, or compile it after its own callees."""
    name = _label(node, boundscheck)
    if name in _inner:
        return
    if node.mark != "kernel":
        _inner[name] = instruction(node.mark.split()[1])
        return
    key, file = entry_key(node, boundscheck), callee_file(node)
    if not disk.path(file, key).exists():
        for callee in node.callees.values():
            load_or_compile_callee(callee, boundscheck, disk)
    compiled = _dispatcher(
        node,
        boundscheck,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        forceinline=_inlined_size(node) <= _max_inlined(),
        pipeline_class=numba_private.link_compiler(),
    )
    stored = numba_private.StoredCallee(disk, key, file, lambda result: _check_types(node, result))
    numba_private.compile_with(compiled, stored, _signature(node))
    _inner[name] = compiled


def _inlined_size(node: Node) -> int:
    """Return the bytes of bytecode of a kernel, with the callees that are inlined."""
    if node.mark != "kernel":
        return 0
    size = len(node.function.__code__.co_code)
    for name, times in node.calls.items():
        inner = _inlined_size(node.callees[name])
        size += times * (inner if inner <= _max_inlined() else 0)
    return size


@cache
def _max_inlined() -> int:
    """Return the bytes of bytecode up to which a kernel is inlined; more compiles slowly. NUMBA_OPT=1 is quick."""
    import numba

    return 12_000 if numba.config.OPT > 1 else 500


def _check_types(node: Node, result: Any) -> None:
    """Refuse unsigned integers and floats, since plain code would compute other results than compiled code."""
    for name, kind in numba_private.inferred_types(result).items():
        if kind in {"uint64", "float64"} and float not in node.parameters:
            raise LinkError(f"{node.name}: {name.split('.')[0]} becomes {kind} in compiled code")


def callee_file(node: Node) -> str:
    """Return the name under which the disk cache holds a kernel that only other kernels call."""
    return f"part-{node.function.__name__}"


def parts(node: Node) -> int:
    """Return the estimated cost of compiling a kernel, in parts (see `Report`)."""
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


def _dispatcher(node: Node, boundscheck: bool, **options: Any) -> Any:
    import numba

    scope = dict(node.function.__globals__)
    for name, callee in node.callees.items():
        scope[name] = _inner.get(_label(callee, boundscheck))
    copy = FunctionType(node.function.__code__, scope, node.function.__name__)
    # The digest keeps symbols of different content apart, also those that other processes compiled.
    copy.__qualname__ = f"{node.function.__qualname__}_{node.digest[:16]}{'b' if boundscheck else ''}"
    njit: Any = numba.njit
    return njit(boundscheck=boundscheck, error_model="numpy", **numba_private.JIT_OPTIONS, **options)(copy)


def _label(node: Node, boundscheck: bool) -> str:
    return f"{node.digest} {boundscheck}"


def entry_key(node: Node, boundscheck: bool) -> str:
    """Return the cache key of an entry point: all that its machine code depends on."""
    return repr((_label(node, boundscheck), *_environment()))


@cache
def _environment() -> tuple[object, ...]:
    """Return the part of a cache key that all kernels share: Numba's settings, the processor, and versions."""
    import numba
    from llvmlite import binding

    config = numba.config
    machine = (
        binding.get_process_triple(),
        config.CPU_NAME or binding.get_host_cpu_name(),
        config.CPU_FEATURES or binding.get_host_cpu_features().flatten(),
        *(() if config.ENABLE_AVX else ("without AVX",)),
    )
    tools = [version(name) for name in ("numba", "llvmlite", "numpy")]
    how = _max_inlined(), int(config.OPT), int(config.LOOP_VECTORIZE), "indices as they are"
    return how, machine, tools, sys.implementation.cache_tag


def _signature(node: Node) -> tuple[Any, ...]:
    return tuple(numba_type(parameter) for parameter in node.parameters)


class CompileNotice:
    """Print one sentence, by default on standard error, if compiling takes more than a second."""

    def __init__(self, write: Callable[[str], object] | None = None, say: catalogues.Words | None = None) -> None:
        self._write = write or (lambda sentence: print(sentence, file=sys.stderr, flush=True))
        self._say = say or catalogues.of(catalogues.preferred())
        self._is_written = False
        self._first = 0, 0.0  # parts and seconds at the first report that had any

    def __call__(self, done: int, total: int, seconds: float) -> None:
        """Print the sentence once a second has passed and the time left is known, or else after some seconds."""
        if done and not self._first[0]:
            self._first = done, seconds
        is_known = done > self._first[0] and seconds > self._first[1]
        if seconds > (_NOTICE_AFTER_S if is_known else _START_S) and not self._is_written:
            self._is_written = True
            if not is_known:
                self._write(self._say("compile.started"))
                return
            rate = (done - self._first[0]) / (seconds - self._first[1])
            left = max((total - done) / rate, 1)
            self._write(self._say("compile.left", share=self._say.percent(done / total), seconds=round(left)))

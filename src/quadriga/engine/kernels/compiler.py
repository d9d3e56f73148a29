"""Compile linked kernels with Numba, once for this machine, and keep the result. Only this package imports Numba.

Numba has no public API for a cache with other keys than its own. `numba_private` has the private parts that do it,
and `numba_public` compiles without them where a version of Numba does not have them.
"""

from __future__ import annotations

import gc
import importlib.util
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from quadriga.engine.errors import MissingExtraError
from quadriga.engine.kernels import numba_private, numba_public, object_code
from quadriga.engine.kernels.compile_notice import CompileNotice
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.kernels.kernel import Function
from quadriga.engine.kernels.link import Bindings, LinkError, Node, callees_first, entry_parts, parts, resolve
from quadriga.engine.kernels.numba_types import instruction, numba_type

Report = Callable[[int, int, float], None]
"""A function that is called after each kernel with the parts done, the parts of all, and the seconds so far.

A part is a hundred bytes of bytecode, which takes about the same time everywhere.
"""

MOST_INLINED = 12_000
HOW = MOST_INLINED, "indices as they are"  # the part of cache keys for what this package tells Numba

_lock = threading.RLock()
_inner: dict[str, Any] = {}  # compiled kernels that only kernels call; they have no wrapper for Python
_entries: dict[str, Any] = {}  # compiled kernels that Python calls


class Request(NamedTuple):
    """An entry point to compile."""

    function: Function
    bindings: Bindings
    boundscheck: bool = False
    is_object: bool = False  # as object code, for `load_object`


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
            if each.is_object:
                store_object(
                    _resolved(each.function, frozenset(each.bindings.items())), disk or DiskCache(), report
                )
            else:
                compile_kernel(each.function, each.bindings, boundscheck=each.boundscheck, disk=disk, report=report)


def load_object(
    function: Function, bindings: Bindings, *, disk: DiskCache | None = None, report: Report | None = None
) -> Callable[..., Any] | None:
    """Return the kernel for a few long calls, loaded without Numba; None if that is not possible here.

    If it is not in the disk cache, it is compiled first.
    """
    node, disk = _resolved(function, frozenset(bindings.items())), disk or DiskCache()
    try:
        if not (numba_private.is_usable() and object_code.is_possible(node)):
            return None
        name, key, report = object_code.file_name(node), object_code.key(node, HOW), report or CompileNotice()
        stored = disk.read(name, key)
        if stored is None and disk.is_writable():
            with disk.locked(name, key, lambda seconds: report(0, 1, seconds)):
                compile_all([Request(function, bindings, is_object=True)], disk=disk, report=report)
                if disk.read(name, key) is None:  # there is a file, but it is damaged
                    store_object(node, disk, report)
            stored = disk.read(name, key)
        return None if stored is None else object_code.load(node, stored)
    except Exception:  # whatever the reason, `compile_kernel` does without
        return None


def store_object(node: Node, disk: DiskCache, report: Report | None = None) -> None:
    """Compile an entry point into the disk cache as object code, with callees from there."""
    with _without_gc():
        _compile_callees(node, False, disk, report or (lambda *_: None))
        entry = _dispatcher(node, False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
        found = numba_private.object_code(numba_private.compiled(entry, _signature(node)))
    if found is not None:
        disk.write(object_code.file_name(node), object_code.key(node, HOW), pickle.dumps(found))


def entry_path(node: Node, request: Request, disk: DiskCache) -> Path:
    """Return the file in the disk cache for an entry point."""
    if request.is_object:
        return disk.path(object_code.file_name(node), object_code.key(node, HOW))
    return disk.path(node.function.__name__, entry_key(node, request.boundscheck))


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

    return MOST_INLINED if numba.config.OPT > 1 else 500


def _check_types(node: Node, result: Any) -> None:
    """Refuse unsigned integers and floats, since plain code would compute other results than compiled code."""
    for name, kind in numba_private.inferred_types(result).items():
        if kind in {"uint64", "float64"} and float not in node.parameters:
            raise LinkError(f"{node.name}: {name.split('.')[0]} becomes {kind} in compiled code")


def callee_file(node: Node) -> str:
    """Return the name under which the disk cache holds a kernel that only other kernels call."""
    return f"part-{node.function.__name__}"


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
    how = _max_inlined(), int(config.OPT), int(config.LOOP_VECTORIZE), HOW
    return how, machine, tools, sys.implementation.cache_tag


def _signature(node: Node) -> tuple[Any, ...]:
    return tuple(numba_type(parameter) for parameter in node.parameters)

"""What Quadriga uses of Numba that Numba does not document, all in this file. pyproject.toml bounds its version.

- `JITCodeLibrary`, `Compiler`: a kernel that only kernels call is not optimized on its own, which takes twice the
  time for a first `sim`, and four times for a first `arena`.
- `Dispatcher._cache`, `CompileResult`: results on disk by content, checked for damage, shared by processes.
- `_nrt`: code without reference counts, so that playouts are half again as fast.
- `arrayobj.fix_integer_index`: indices without a test whether they are negative, so that races are a tenth faster.
- `CompileResult.entry_point`: calls that do not check argument types, three times as fast.
- `JITCodeLibrary._get_compiled_object`, and how compiled functions call each other: object code that runs without
  Numba (`object_code`), so that a second `sim` starts in a third of the time.
- The type map: a check that no integer has become a float.

`faults` says what of it a version of Numba lacks. Where there is anything, `numba_public` compiles instead.
"""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from typing import Any

from quadriga.engine.inherited import members, missing_members
from quadriga.engine.kernels.disk_cache import DiskCache

BOUND = (0, 69)  # of pyproject.toml: below it the tests have run
JIT_OPTIONS = {"_nrt": False}  # kernels allocate nothing, so they need no reference counts


@cache
def is_usable() -> bool:
    """Return whether this module works with the installed Numba: a tested version, or one without `faults`."""
    return tuple(int(part) for part in version("numba").split(".")[:2]) < BOUND or not faults()


def faults() -> list[str]:
    """Return the private members that this version of Numba lacks, or the failed import."""
    try:
        from numba.core.codegen import JITCodeLibrary
        from numba.core.compiler import CompileResult
        from numba.core.dispatcher import Dispatcher
        from numba.core.options import DefaultOptions
        from numba.np.arrayobj import fix_integer_index
    except ImportError as fault:
        return [str(fault)]
    found = missing_members(linked_library(), JITCodeLibrary, own=["set_env"])
    for kind, names in (
        (Dispatcher, {"_cache", "compile", "disable_compile", "overloads"}),
        (CompileResult, {"_reduce", "_rebuild", "_find_referenced_environments", *_RESULT}),
        (JITCodeLibrary, {"serialize_using_bitcode", "_final_module", "_get_compiled_object"}),
        (DefaultOptions, set(JIT_OPTIONS)),
    ):
        found += [f"{kind.__name__}.{name}" for name in sorted(names - members(kind))]
    if list(inspect.signature(fix_integer_index).parameters) != list(inspect.signature(_index).parameters):
        found.append("fix_integer_index with the same parameters")
    return found


_RESULT = (
    "entry_point",
    "environment",
    "fndesc",
    "library",
    "lifted",
    "reload_init",
    "signature",
    "type_annotation",
)


@cache
def linked_library() -> Any:
    """Return the class of code libraries for kernels that only other kernels call: they have no machine code.

    Such a kernel is linked into an entry point as LLVM code and fully optimized there. Numba would fully optimize
    every callee on the way as well, which takes more than half of the time and makes nothing faster.
    """
    from numba.core.codegen import JITCodeLibrary

    class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
        """LLVM code of one kernel, with its callees inlined."""

        @property
        def codegen(self) -> LinkedLibrary:
            """Return the receiver of `set_env`: this library, which has no machine code that could use it."""
            return self

        def set_env(self, name: str, env: object) -> None:
            """Ignore the environment; the entry point sets those of its callees."""

        def get_pointer_to_function(self, name: str) -> int:
            """Return 0: there is no machine code."""
            self._ensure_finalized()
            return 0

        def _optimize_final_module(self) -> None:
            passes, builder = self._codegen._module_pass_manager(
                loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
            )
            passes.add_global_dead_code_eliminate_pass()
            passes.run(self._final_module, builder)

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

    return LinkedLibrary


@cache
def link_compiler() -> Any:
    """Return Numba's compiler with libraries of this kind."""
    from numba.core.compiler import Compiler

    class LinkCompiler(Compiler):  # type: ignore[misc]
        """Numba's compiler for a kernel that is linked into others."""

        def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
            super().__init__(typing, target, library or linked_library()(target.codegen(), "linked"), *rest)

    return LinkCompiler


def compile_with(dispatcher: Any, stored: StoredCallee | StoredEntry, signature: tuple[Any, ...]) -> None:
    """Compile a function for one signature, unless it is stored."""
    dispatcher._cache = stored
    with _indices_as_they_are():
        dispatcher.compile(signature)
    dispatcher.disable_compile()


@contextmanager
def _indices_as_they_are() -> Iterator[None]:
    """Compile indices as they are in the block: Numba takes negative ones from the end, and no kernel has any.

    No other thread compiles meanwhile.
    """
    from numba.core.compiler_lock import global_compiler_lock
    from numba.np import arrayobj

    with global_compiler_lock:
        usual = arrayobj.fix_integer_index
        arrayobj.fix_integer_index = _index
        try:
            yield
        finally:
            arrayobj.fix_integer_index = usual


def _index(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
    """Return an index as a machine integer."""
    from numba import types

    return context.cast(builder, idx, idxty, types.intp if idxty.signed else types.uintp)


def set_environments(entry: Any) -> None:
    """Give loaded code the environments that it refers to, as Numba does for code from its cache."""
    (result,) = entry.overloads.values()
    for env in result._find_referenced_environments():
        result.library.codegen.set_env(env.env_name, env)


def unchecked(entry: Any) -> Callable[..., Any]:
    """Return the function that Numba calls after it has checked the argument types."""
    (only,) = entry.overloads.values()
    return only.entry_point  # type: ignore[no-any-return]


def object_code(result: Any) -> tuple[str, bytes] | None:
    """Return the symbol and the object code of a function; None if it has a wrapper or calls Numba."""
    library = result.library
    declared = {each.name for each in library._final_module.functions if each.is_declaration}
    if any(not name.startswith("llvm.") and name not in _OF_THE_SYSTEM for name in declared):
        return None
    return result.fndesc.llvm_func_name, library._get_compiled_object()


_OF_THE_SYSTEM = {"memcpy", "memmove", "memset"}


def compiled(dispatcher: Any, signature: tuple[Any, ...]) -> Any:
    """Compile a function for one signature; return Numba's result."""
    with _indices_as_they_are():
        dispatcher.compile(signature)
    (result,) = dispatcher.overloads.values()
    return result


def inferred_types(result: Any) -> dict[str, str]:
    """Return the type that Numba has found for each variable."""
    return {name: str(kind) for name, kind in result.type_annotation.typemap.items()}


class StoredEntry:
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


class StoredCallee:
    """Numba's cache interface for one kernel that only other kernels call: its LLVM code in the disk cache.

    So a second entry point, another process or an interrupted compile need not begin anew.
    """

    def __init__(self, disk: DiskCache, key: str, name: str, check: Callable[[Any], None]) -> None:
        self._disk = disk
        self._key = key
        self._name = name
        self._check = check  # raises LinkError for a result that may not be used

    def load_overload(self, _signature: Any, context: Any) -> Any:
        """Return the stored result to Numba, or None."""
        from llvmlite import binding
        from numba.core.compiler import CompileResult

        stored = self._disk.read(self._name, self._key)
        if stored is None:
            return None
        context.refresh()
        try:
            bitcode, fndesc, env, signature, lifted, typeann, reload_init, envs = pickle.loads(stored)
            library = linked_library()(context.codegen(), "linked")
            library._final_module = binding.parse_bitcode(bitcode)
            library._finalize_final_module()
            return CompileResult(
                target_context=context,
                typing_context=context.typing_context,
                library=library,
                environment=env,
                entry_point=context.get_executable(library, fndesc, env),
                fndesc=fndesc,
                type_annotation=typeann,
                signature=signature,
                objectmode=False,
                lifted=lifted,
                typing_error=None,
                call_helper=None,
                metadata=None,
                reload_init=reload_init,
                referenced_envs=envs,
            )
        except Exception:  # a file that cannot be loaded for any reason is compiled again
            return None

    def save_overload(self, _signature: Any, result: Any) -> None:
        """Store what Numba has compiled."""
        from numba.core.serialize import dumps

        self._check(result)
        fndesc = result.fndesc
        fndesc.typemap = fndesc.calltypes = None  # not needed any more, and some cannot be pickled
        _, _, bitcode = result.library.serialize_using_bitcode()
        parts = (bitcode, fndesc, result.environment, result.signature, result.lifted, str(result.type_annotation))
        more = (result.reload_init, tuple(result._find_referenced_environments()))
        self._disk.write(self._name, self._key, dumps((*parts, *more)))

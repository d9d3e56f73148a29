"""Numba's compiler for kernels that only other kernels call."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

from quadriga.engine.kernels.disk_cache import DiskCache


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

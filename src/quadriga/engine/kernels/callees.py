"""Numba's compiler for kernels that only other kernels call."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def link_compiler() -> Any:
    """Return Numba's compiler for kernels that only other kernels call: it makes no machine code for them.

    Such a kernel is linked into an entry point as LLVM code and fully optimized there. Numba would fully optimize
    every callee on the way as well, which takes more than half of the time and makes nothing faster.
    """
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler

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

    class LinkCompiler(Compiler):  # type: ignore[misc]
        """Numba's compiler, with a library of this kind."""

        def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
            super().__init__(typing, target, library or LinkedLibrary(target.codegen(), "linked"), *rest)

    return LinkCompiler

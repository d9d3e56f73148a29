"""Object code of an entry point, loaded with llvmlite and called with ctypes.

Neither needs Numba, whose import takes most of the time of a short command. A call takes some microseconds for
every array, so this is for entry points that do much in one call. The function takes the arguments that compiled
functions of Numba pass each other: a pointer to the result, a pointer for errors, then every array as seven words
or, with two dimensions, nine.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import platform
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from inspect import get_annotations
from pathlib import Path
from typing import Any, get_args, get_origin

import numpy as np

from quadriga.engine.kernels.kernel import FlagRows, Flags, IntRows, Ints, ShortRows, Shorts, Values
from quadriga.engine.kernels.link import BoundWorkspace, Node
from quadriga.engine.kernels.struct import Batch

_SUCCESS = (0, -2)  # what a function of Numba returns: a value, or None
_ARRAYS: dict[object, tuple[str, int]] = {
    Ints: ("q", 1),
    Shorts: ("h", 1),
    Values: ("i", 1),
    Flags: ("b", 1),
    IntRows: ("q", 2),
    ShortRows: ("h", 2),
    FlagRows: ("b", 2),
}
_engines: list[Any] = []  # they own the machine code


def is_possible(node: Node) -> bool:
    """Return whether an entry point can be loaded: on this processor, with integers and arrays as parameters."""
    return (
        platform.machine() in {"x86_64", "AMD64"}
        and not Path(".numba_config.yaml").exists()  # only Numba reads it
        and get_annotations(node.function, eval_str=True).get("return") in (int, None)
        and all(map(_is_passed, node.parameters))
    )


def _is_passed(parameter: object) -> bool:
    if isinstance(parameter, BoundWorkspace):
        return all(map(_is_passed, parameter.fields))
    return parameter is int or parameter in _ARRAYS or get_origin(parameter) is Batch


def file_name(node: Node) -> str:
    """Return the name under which the disk cache holds the object code."""
    return f"object-{node.function.__name__}"


def key(node: Node, how: object) -> str:
    """Return the cache key: all that the object code depends on. `how` are the compiler's own settings."""
    return repr((node.digest, how, *_environment()))


@cache
def _environment() -> tuple[object, ...]:
    """Return the part of the key that all object code shares: the processor, versions, and Numba's settings."""
    from llvmlite import binding

    machine = binding.get_process_triple(), binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    tools = [version(name) for name in ("numba", "llvmlite", "numpy")]
    settings = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    return machine, tools, sys.implementation.cache_tag, settings


def load(node: Node, stored: bytes) -> Callable[..., Any]:
    """Return the function in object code, given with the name of its symbol as `pickle` writes the pair."""
    from llvmlite import binding

    symbol, code = pickle.loads(stored)
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple().create_target_machine(codemodel="jitdefault", jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), target)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return _caller(node, engine.get_function_address(symbol))


def _caller(node: Node, address: int) -> Callable[..., Any]:
    """Return a Python function that passes its arguments to the function at an address."""
    returns = get_annotations(node.function, eval_str=True).get("return")

    def call(*arguments: Any) -> Any:
        words = [
            word
            for each, argument in zip(node.parameters, arguments, strict=True)
            for word in _words(each, argument)
        ]
        result, error = ctypes.c_int64(), ctypes.c_void_p()
        integers = [ctypes.c_int64] * len(words)
        function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *integers)(address)
        status = function(ctypes.addressof(result), ctypes.addressof(error), *words)
        if status not in _SUCCESS:
            raise SystemError(f"{node.name} failed with status {status}")
        return result.value if returns is int else None

    return call


def _words(parameter: object, argument: Any) -> Iterator[int]:
    """Return an argument as Numba passes it. Raise TypeError for an array of another kind than the parameter's."""
    if isinstance(parameter, BoundWorkspace):
        for each, value in zip(parameter.fields, argument, strict=True):
            yield from _words(each, value)
        return
    if parameter is int:
        yield int(argument)
        return
    is_batch = get_origin(parameter) is Batch
    kind, dimensions = (get_args(parameter)[0].dtype, 1) if is_batch else _ARRAYS[parameter]
    if argument.dtype != np.dtype(kind) or argument.ndim != dimensions or not argument.flags.c_contiguous:
        raise TypeError(f"an array like {parameter} was expected, not {argument.dtype} of shape {argument.shape}")
    yield from (0, 0, argument.size, argument.itemsize, argument.ctypes.data, *argument.shape, *argument.strides)

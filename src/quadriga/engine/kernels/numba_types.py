"""Numba's types for the parameters of kernels, and functions that Numba has no name for."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args, get_origin

from quadriga.engine.kernels.kernel import FlagRows, Flags, IntRows, Ints, ShortRows, Shorts, Values
from quadriga.engine.kernels.link import BoundWorkspace
from quadriga.engine.kernels.struct import Batch, Struct


@cache
def numba_type(parameter: object) -> Any:
    """Return Numba's type for the type of a kernel's parameter."""
    import numba
    from numba import types

    if isinstance(parameter, BoundWorkspace):
        return types.BaseTuple.from_types([numba_type(each) for each in parameter.fields], parameter.kind)
    if get_origin(parameter) is Batch:
        return types.Array(numba_type(get_args(parameter)[0]), 1, "C")
    if isinstance(parameter, type) and issubclass(parameter, Struct):
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
def instruction(name: str) -> Any:
    """Return a function of one argument that Numba has no name for (see `kernel.native`)."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def copy(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (struct,) = arguments
        place = cgutils.alloca_once(builder, struct.type.pointee)
        cgutils.raw_memcpy(builder, place, struct, context.get_constant(types.intp, signature.return_type.size), 1)
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

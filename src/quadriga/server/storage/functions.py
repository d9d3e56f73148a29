"""Functions of SQL that databases write differently."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class _Position(FunctionElement[int]):
    inherit_cache = True
    type = sa.Integer()


def position(content: sa.ColumnElement[bytes], part: bytes) -> sa.ColumnElement[int]:
    """Return where bytes stand in a column of bytes, from 1; 0 if they do not."""
    return _Position(content, sa.literal(part, sa.LargeBinary))


@compiles(_Position)
def _in_general(element: _Position, compiler: SQLCompiler, **more: Any) -> str:
    content, part = element.clauses
    return f"position({compiler.process(part, **more)} IN {compiler.process(content, **more)})"


@compiles(_Position, "sqlite")
def _in_sqlite(element: _Position, compiler: SQLCompiler, **more: Any) -> str:
    return f"instr({compiler.process(element.clauses, **more)})"

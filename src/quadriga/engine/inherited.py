"""Find out whether a class of another library still has what a class of ours inherits or calls.

Some classes of ours override private methods of a library, and read attributes that it does not document. A new
version may drop or rename them without notice. `missing_members` reads the source of both classes and lists what is
gone, so that a program can do without such a class, and a test can say what has changed.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence


def missing_members(
    kind: type, base: type, *, own: Sequence[str] = (), parts: Mapping[str, type] | None = None
) -> list[str]:
    """Return what a class uses or overrides of its base, and the base does not have, as `Base.member`.

    A name is the class's own if its body defines it. A method that no other method of the class calls has to
    override one of the base, with as many parameters, unless it is among `own`. `parts` are classes of attributes
    whose members are used: `self.attribute.member`.
    """
    tree = _class_tree(kind)
    defined = set(_defined(tree))
    used = {each.attr for each in _attributes(tree) if _is_self(each.value)}
    inherited = {each.attr for each in _attributes(tree) if _is_super(each.value)}
    methods = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
    overrides = {name for name in methods - used if not name.startswith("__")} - set(own)
    known = members(base)
    gone = ((used - defined) | inherited | overrides) - known
    found = [f"{base.__name__}.{name}" for name in sorted(gone)]
    for name in sorted(overrides & known):
        if _parameters(kind, name) != _parameters(base, name):
            found.append(f"{base.__name__}.{name} with the same parameters")
    for attribute, part in (parts or {}).items():
        read = {each.attr for each in _attributes(tree) if _is_part(each.value, attribute)}
        found += [f"{part.__name__}.{name}" for name in sorted(read - members(part))]
    return found


def members(kind: type) -> set[str]:
    """Return the names of the methods and attributes of a class, with those that its methods assign."""
    found = set(dir(kind))
    for each in kind.__mro__:
        with contextlib.suppress(TypeError, OSError):  # a class of C has no source, and assigns nothing
            tree = _class_tree(each)
            found |= {x.attr for x in _attributes(tree) if isinstance(x.ctx, ast.Store) and _is_self(x.value)}
    return found


def _class_tree(kind: type) -> ast.ClassDef:
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(tree, ast.ClassDef)
    return tree


def _attributes(tree: ast.AST) -> Iterator[ast.Attribute]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))


def _defined(tree: ast.ClassDef) -> Iterator[str]:
    """Yield the names that the body of a class defines."""
    for each in tree.body:
        match each:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets):
                yield from (
                    node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)
                )


def _parameters(kind: type, name: str) -> int | None:
    """Return the number of parameters of a method; None for what is no method."""
    found = getattr(kind, name)
    return len(inspect.signature(found).parameters) if inspect.isfunction(found) else None


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _is_part(node: ast.expr, attribute: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == attribute and _is_self(node.value)

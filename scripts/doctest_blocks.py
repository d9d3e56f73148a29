"""Show the examples of docstrings as code blocks: an extension of Griffe, with which `make docs` reads them."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


def fence_examples(text: str) -> str:
    """Return a docstring with each group of examples, which ends with an empty line, in a fenced block."""
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)


class DoctestBlocks(griffe.Extension):
    """Fences the examples of every object that Griffe reads."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Change the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = fence_examples(obj.docstring.value)

"""The check list of a public server and the configuration of its proxy, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quadriga.engine.text.catalogues import Words
from quadriga.server.public.configuration import File
from quadriga.server.public.steps import Step


def checklist(name: str, steps: Sequence[Step], say: Words) -> Iterator[str]:
    """Give the lines of the check list: each step, and what to do next where it is not done."""
    yield say("public.title", name=name, done=sum(step.is_done for step in steps), all=len(steps))
    for number, step in enumerate(steps, 1):
        yield f"{number:2}. [{'x' if step.is_done else ' '}] {say(f'public.{step.key}', **step.values)}"
        if not step.is_done:
            yield f"        → {say(f'public.{step.key}-next', **step.values)}"


def configuration(proxy: str, name: str, files: Sequence[File], say: Words) -> Iterator[str]:
    """Give the lines of the files of a proxy, each below a comment that says where it belongs."""
    yield f"# {say(f'public.{proxy}', name=name)}"
    for file in files:
        yield f"# ---- {file.path}"
        yield from file.text.splitlines()
    yield "# ----"

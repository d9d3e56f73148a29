"""Tasks that parts of the server run in the background."""

from __future__ import annotations

import asyncio

from quadriga.server.background import BackgroundTask


async def test_a_task_runs_until_it_is_ended_and_can_be_started_again():
    steps: list[str] = []

    async def work(name: str) -> None:
        steps.append(name)
        try:
            await asyncio.Event().wait()
        finally:
            steps.append(f"end of {name}")

    task = BackgroundTask("work")
    assert not await task.end()  # was never started
    for name in ("one", "two"):
        task.start(work(name))
        await asyncio.sleep(0)
        assert await task.end()
        assert not await task.end()
    assert steps == ["one", "end of one", "two", "end of two"]


async def test_a_task_that_failed_can_be_ended():
    async def work() -> None:
        raise OSError

    task = BackgroundTask("work")
    task.start(work())
    await asyncio.sleep(0)
    assert await task.end()

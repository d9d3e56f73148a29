"""Set up all tests: a third party's game on the path, a compile cache of their own, the number of examples.

A test that hangs fails after PYTEST_TIMEOUT seconds (pytest-timeout), and the run goes on. If it does not come back
to the interpreter, as in compiled code, its process is ended a little later, and another one runs the other tests.
"""

import faulthandler
import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import programs
from lanes import dealt
from quadriga.cli import progress
from soak import SOAK, count

THIRD_PARTY = Path(__file__).parent / "thirdparty"
sys.path.insert(0, str(THIRD_PARTY))
os.environ["PYTHONPATH"] = os.pathsep.join([str(THIRD_PARTY), str(Path(__file__).parent.parent / "src")])
os.environ["QUADRIGA_LANG"] = "en"
os.environ.setdefault("QUADRIGA_JOBS", "0")  # the workers of pytest keep all cores busy already
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script: tests interrupt processes
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.setdefault("PYTEST_TIMEOUT", str(count(1200, 5 * 3600)))
_STDERR = pytest.StashKey[int]()
_END_S = 1.25 * float(os.environ["PYTEST_TIMEOUT"])

settings.register_profile(
    "quadriga",
    deadline=None,
    max_examples=count(60, 1000),
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
settings.load_profile("quadriga")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep compiled code in a folder that all workers of this run share, or in the one that is named."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    os.environ["QUADRIGA_CACHE"] = os.environ.get("QUADRIGA_TEST_CACHE") or str(shared / "cache")


@pytest.fixture(scope="session", autouse=True)
def _no_sentence_while_busy() -> None:
    """Let no command that runs in this process say after a second that it is still at work: the machine is busy."""
    progress._SAID_AFTER_S = 3600.0


def pytest_collection_finish() -> None:
    """Leave all that was read so far, half a million objects, out of every later collection of garbage."""
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Keep standard error as it is before pytest captures it, for the stacks of a test that hangs."""
    config.stash[_STDERR] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close what `pytest_configure` has opened."""
    os.close(config.stash[_STDERR])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """End this process, with the stacks of all threads, if a test does not end and cannot be interrupted."""
    if _END_S:
        faulthandler.dump_traceback_later(_END_S, exit=True, file=item.config.stash[_STDERR])
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that only a soak runs, and let several workers begin with long tests."""
    if not SOAK:
        long = [item for item in items if item.get_closest_marker("soak")]
        items[:] = [item for item in items if not item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=long)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = dealt(items, workers)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one block how many tests did not run, why, and which command would make them run."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section(f"tests that did not run: {len(skipped)}", yellow=True)
        for line in programs.block(report.longrepr[2].removeprefix("Skipped: ") for report in skipped):
            terminalreporter.write_line(line)

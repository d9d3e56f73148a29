"""What all tests share: a third party's game on the path, caches of their own, and thrifty examples."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from lanes import dealt

THIRD_PARTY = Path(__file__).parent / "thirdparty"
sys.path.insert(0, str(THIRD_PARTY))
os.environ["PYTHONPATH"] = os.pathsep.join([str(THIRD_PARTY), str(Path(__file__).parent.parent / "src")])
os.environ["QUADRIGA_LANG"] = "en"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script: tests interrupt processes
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "quadriga", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("quadriga")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compiled code goes to a folder of this run, which its workers share, or to one that is named to be kept."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    os.environ["QUADRIGA_CACHE"] = os.environ.get("QUADRIGA_TEST_CACHE") or str(shared / "cache")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Several workers begin with what takes long."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = dealt(items, workers)

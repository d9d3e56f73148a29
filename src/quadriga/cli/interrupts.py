"""Ctrl-C: stop within a second, also while compiled code keeps the main thread busy."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from quadriga.cli.exits import INTERRUPTED

WAKE = getattr(signal, "SIGURG", 0)  # interrupts a read where it has a handler, and does nothing elsewhere
_WAKE_S = 0.2  # for the main thread to notice by itself
_BUSY_S = 0.7  # for the main thread to notice
_CLEANUP_S = 5.0  # for a command to print what it has, after it noticed


class _Guard:
    """A thread that ends the process if the main thread does not stop in time after an interrupt.

    Python's own handler runs between two instructions of the main thread, which may be in compiled code for long.
    The wake-up file descriptor is written to at once.
    """

    def __init__(self) -> None:
        self._noticed = threading.Event()
        self._is_armed = True

    def disarm(self) -> None:
        """Leave interrupts to the command, which handles them by itself."""
        self._is_armed = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt in the main thread."""
        self._noticed.set()
        raise KeyboardInterrupt

    def wait(self, signals: int) -> None:
        """Wait for interrupts; end the process after one that takes too long, or after the second."""
        count = 0
        while received := os.read(signals, 1):
            if received[0] == WAKE:
                continue
            if received[0] != signal.SIGINT or not self._is_armed:
                self._wake_main_thread()
                continue
            count += 1
            if count == 1:
                threading.Thread(target=self._end_late, daemon=True).start()
            else:
                leave(INTERRUPTED)

    def _wake_main_thread(self) -> None:
        """Interrupt what the main thread reads: a signal just before it begins to read does not."""
        threading.Event().wait(_WAKE_S)
        signal.pthread_kill(threading.main_thread().ident or 0, WAKE)

    def _end_late(self) -> None:
        if self._noticed.wait(_BUSY_S):
            threading.Event().wait(_CLEANUP_S)
        if self._is_armed:
            leave(INTERRUPTED)


_guard = _Guard()


def disarm() -> None:
    """Leave interrupts to the command."""
    _guard.disarm()


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Watch for interrupts during the block, unless this process ignores them or is part of another program."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler or os.name != "posix":
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, _guard.handle)
    watcher = threading.Thread(target=_guard.wait, args=(reading,), name="interrupts", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.close(writing)
        watcher.join(1.0)
        os.close(reading)


def end_children() -> None:
    """End the processes of pools, which ignore interrupts and would wait for more work."""
    if "multiprocessing" in sys.modules:
        import multiprocessing

        for child in multiprocessing.active_children():
            child.kill()


def has_other_threads() -> bool:
    """Return whether threads are still at work that Python would wait for."""
    return any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread())


def leave(code: int) -> None:
    """End the process now, with what was printed so far."""
    end_children()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)

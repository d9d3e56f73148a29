"""Leave a game by Ctrl-C, by closing the terminal, or when the system ends the program: it is saved first."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from types import FrameType, TracebackType
from typing import Self, TypeVar

from quadriga.cli import interrupts
from quadriga.cli.terminal.prompt import PlayerLeftError

T = TypeVar("T")
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Departure:
    """Turns signals into a PlayerLeftError, but only where nothing is half done: while the game waits."""

    def __init__(self) -> None:
        self.number = 0  # of the signal that ends the game
        self._is_waiting = False
        self._before: dict[int, object] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            interrupts.disarm()
            for each in _SIGNALS:
                if signal.getsignal(each) is not signal.SIG_IGN:  # as `nohup` and background jobs have it
                    self._before[each] = signal.signal(each, self._handle)
            if interrupts.WAKE:
                self._before[interrupts.WAKE] = signal.signal(interrupts.WAKE, lambda number, frame: None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler if callable(handler) else signal.SIG_DFL)

    def check(self) -> None:
        """Raise PlayerLeftError if a signal has come."""
        if self.number:
            raise PlayerLeftError

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Let signals end the block at once."""
        self._is_waiting = True
        try:
            self.check()
            yield
        finally:
            self._is_waiting = False

    def wait_for(self, work: Callable[[], T]) -> T:
        """Return the result of long work, which a thread does, so that signals are noticed meanwhile."""
        result: Future[T] = Future()

        def run() -> None:
            try:
                result.set_result(work())
            except BaseException as fault:
                result.set_exception(fault)

        threading.Thread(target=run, name="bot", daemon=True).start()
        with self.waiting():
            return result.result()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.number:
            return  # the game is being saved
        self.number = number
        if self._is_waiting:
            self._is_waiting = False
            raise PlayerLeftError

"""The sentence that a person reads while kernels are compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable

from quadriga.engine.text import catalogues

_NOTICE_AFTER_S = 1.0
_START_S = 5.0  # for compiling processes to start


class CompileNotice:
    """Print one sentence, by default on standard error, if compiling takes more than a second."""

    def __init__(self, write: Callable[[str], object] | None = None, say: catalogues.Words | None = None) -> None:
        self._write = write or (lambda sentence: print(sentence, file=sys.stderr, flush=True))
        self._say = say or catalogues.of(catalogues.preferred())
        self._is_written = False
        self._first = 0, 0.0  # parts and seconds at the first report that had any

    def __call__(self, done: int, total: int, seconds: float) -> None:
        """Print the sentence once a second has passed and the time left is known, or else after some seconds."""
        if done and not self._first[0]:
            self._first = done, seconds
        is_known = done > self._first[0] and seconds > self._first[1]
        if seconds > (_NOTICE_AFTER_S if is_known else _START_S) and not self._is_written:
            self._is_written = True
            if not is_known:
                self._write(self._say("compile.started"))
                return
            rate = (done - self._first[0]) / (seconds - self._first[1])
            left = max((total - done) / rate, 1)
            self._write(self._say("compile.left", share=self._say.percent(done / total), seconds=round(left)))

"""The option `--cluster`: connect to a Ray cluster for the time of a command, and report what failed there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from click.exceptions import Exit

from quadriga.cli.exits import REFUSED
from quadriga.cli.output import print_error, print_notice
from quadriga.engine.errors import OptionError
from quadriga.engine.text.catalogues import Words

if TYPE_CHECKING:
    from quadriga.lab.executors.chunks import Executor, Failure


@contextlib.contextmanager
def connected(address: str, say: Words, *, workers: bool = False) -> Iterator[Executor | None]:
    """Yield the executor of a cluster, or None without an address. Workers of this machine exclude a cluster."""
    if not address:
        yield None
        return
    if workers:
        raise OptionError("cluster.workers")
    from quadriga.lab.executors.cluster import ClusterExecutor

    executor = ClusterExecutor(address)
    try:
        yield executor
    finally:
        executor.close()
        if executor.repeated:
            print_notice(say("cli.cluster.repeated", n=executor.repeated))


def report_failures(failed: Sequence[Failure], message: str, say: Words, *, as_json: bool) -> None:
    """Print a message for each chunk that is missing in the results; exit with an error if there are any."""
    for each in failed:
        sentence = say(message, first=each.first, last=each.last, tries=each.tries, reason=each.reason)
        print_error(sentence, "cluster.failed", as_json)
    if failed:
        raise Exit(REFUSED)

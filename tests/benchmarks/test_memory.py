"""The variants of the server that `memory` and `collector` measure."""

from __future__ import annotations

import subprocess
import sys

import collector
import memory
from served import SERVE


def test_the_variants_of_the_server_replace_what_there_is():
    policies = [collector.OURS, *collector.POLICIES.values(), memory.BEFORE, memory.CYCLES]
    changed = "print(GcTuning.start, GcTuning.collect_lingering, Transport.connection_lost)"
    done = subprocess.run(
        [sys.executable, "-c", "\n".join([collector.PROBE, *policies, changed])],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "<function start" in done.stdout
    assert "<function connection_lost" in done.stdout


def test_rooms_are_left_soon_in_the_servers_of_both_sections():
    assert SERVE.replace(*memory.IDLE_S) != SERVE

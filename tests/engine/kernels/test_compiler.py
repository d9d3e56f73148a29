"""Compiling: cached after the first time, never stale, and repeated when a file is damaged."""

import os
import subprocess
import sys

import numpy as np
import pytest

from quadriga.engine.errors import MissingExtraError
from quadriga.engine.kernels import compiler
from quadriga.engine.kernels.bits import count, lowest
from quadriga.engine.kernels.compile_notice import CompileNotice
from quadriga.engine.kernels.compiler import compile_kernel
from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.kernels.kernel import Ints, kernel
from quadriga.engine.kernels.link import LinkError
from support import here

HOLD = """
import sys, time
from pathlib import Path
from quadriga.engine.kernels.disk_cache import DiskCache
with DiskCache(Path(sys.argv[1])).locked("name", "key", print):
    print("held", flush=True)
    time.sleep(600)
"""
# Each line is a folder. A new process compiles the code there; all come from one that has imported Numba.
RUN = """
import os, sys
import numba
from quadriga.engine.kernels.compiler import compile_kernel

numba.njit(lambda x: x + 1)(1)
sys.dont_write_bytecode = True

def run(folder):
    os.environ["QUADRIGA_CACHE"] = folder + "/cache"
    sys.path.insert(0, folder)
    from caller import entry
    told = []
    value = compile_kernel(entry, {}, report=lambda *progress: told.append(progress))(10)
    how = "compiled" if any(done for done, _, _ in told) else "found ready"
    sys.stdout.write(f"{value} {how}\\n")  # in one piece: others write to the same pipe
    sys.stdout.flush()

for line in sys.stdin:
    runs = []
    for folder in line.split():
        if not (child := os.fork()):
            run(folder)
            os._exit(0)
        runs.append(child)
    print(*(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in runs), flush=True)
"""
CALLER = """
from quadriga.engine.kernels.kernel import kernel
from callee import deeper

@kernel
def entry(x: int) -> int:
    return deeper(x) + 1
"""
CALLEE = """
from quadriga.engine.kernels.kernel import kernel

FACTOR = {factor}

@kernel
def deeper(x: int) -> int:
    return x * FACTOR
"""


@pytest.fixture(scope="module")
def processes():
    """Start the process from which those that compile come."""
    command = [sys.executable, "-c", RUN]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=here()) as found:
        yield found
        assert found.stdin is not None
        found.stdin.close()


@pytest.fixture
def project(processes, tmp_path):
    """Write a small project of two files that runs in processes of its own, several at the same time."""
    (tmp_path / "caller.py").write_text(CALLER)

    def run(factor: int, crowd: int = 1) -> list[str]:
        callee, text = tmp_path / "callee.py", CALLEE.format(factor=factor)
        if not callee.exists() or callee.read_text() != text:
            callee.write_text(text)
        print(*[tmp_path] * crowd, file=processes.stdin, flush=True)
        said = [processes.stdout.readline().strip() for _ in range(crowd)]
        assert processes.stdout.readline().split() == ["0"] * crowd
        return said

    return run


def test_the_second_run_uses_the_cache_and_notices_an_edit_in_a_callee(project):
    assert project(3) == ["31 compiled"]
    assert project(3) == ["31 found ready"]
    assert project(4) == ["41 compiled"]
    assert project(3) == ["31 found ready"]


def test_processes_compile_the_same_code_once(project):
    assert sorted(project(3, crowd=3)) == ["31 compiled", "31 found ready", "31 found ready"]


def test_a_process_that_dies_while_compiling_blocks_no_other(tmp_path):
    disk = DiskCache(tmp_path)
    holding = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True, env={**os.environ}
    )
    assert holding.stdout is not None
    assert holding.stdout.readline() == "held\n"
    waited = []

    def waiting(seconds):
        waited.append(seconds)
        holding.kill()

    with disk.locked("name", "key", waiting):
        assert waited
    holding.wait()
    holding.stdout.close()


def test_a_damaged_file_is_compiled_again(project, tmp_path):
    assert project(3) == ["31 compiled"]
    for path in (tmp_path / "cache" / "kernels").iterdir():
        if path.suffix == ".lock":
            continue
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(bytes(content))
    assert project(3) == ["31 compiled"]
    assert project(3) == ["31 found ready"]


def test_a_valid_file_with_foreign_content_is_compiled_again(tmp_path):
    @kernel
    def foreign(x: int) -> int:
        return x + 123456

    class Lying(DiskCache):
        def read(self, name, key):
            return b"not a pickle"

    assert compile_kernel(foreign, {}, disk=Lying(tmp_path))(1) == 123457


def test_everything_works_without_a_cache_folder(tmp_path):
    @kernel
    def homeless(x: int) -> int:
        return x + 654321

    (tmp_path / "file").write_text("in the way")
    assert compile_kernel(homeless, {}, disk=DiskCache(tmp_path / "file" / "below"))(1) == 654322


@kernel
def halved(values: Ints) -> int:
    return int(values[0] / 2)


@kernel
def halving(values: Ints) -> int:
    return halved(values)


def test_a_float_that_slips_in_is_refused(tmp_path):
    with pytest.raises(LinkError, match="float64"):
        compile_kernel(halving, {}, disk=DiskCache(tmp_path))


def test_a_notice_is_given_once_and_only_after_a_second():
    said: list[str] = []
    notice = CompileNotice(said.append)
    notice(1, 10, 0.5)
    assert said == []
    notice(2, 10, 1.5)
    notice(3, 10, 2.5)
    assert len(said) == 1
    assert "20% done, about 8 s left" in said[0]


def test_a_machine_without_numba_says_what_to_install(monkeypatch):
    monkeypatch.setattr(compiler, "is_available", lambda: False)

    @kernel
    def anything(x: int) -> int:
        return x

    with pytest.raises(MissingExtraError, match=r"quadriga\[fast\]"):
        compile_kernel(anything, {})


@kernel
def both(values: Ints, found: Ints) -> None:
    for i in range(len(values)):
        found[2 * i] = count(values[i])
        found[2 * i + 1] = lowest(values[i])


def test_bit_instructions_agree_with_plain_python(tmp_path):
    values = np.array([1, 2, 3, 8, 2**40, 2**62, 12345678901], np.int64)
    found = np.zeros(2 * len(values), np.int64)
    compile_kernel(both, {}, disk=DiskCache(tmp_path))(values, found)
    assert found.tolist() == [f(int(v)) for v in values for f in (count, lowest)]
    assert (count(0b1011), lowest(0b1000)) == (3, 3)


@kernel
def _inner(x: int) -> int:
    return x * 2


@kernel
def _outer(x: int) -> int:
    return _inner(x) + 1


def test_a_kernel_compiled_as_a_callee_can_be_called_by_itself():
    assert compile_kernel(_outer, {})(4) == 9
    assert compile_kernel(_inner, {})(4) == 8


@kernel
def _tripled(x: int) -> int:
    return 3 * x


@kernel
def _tripled_twice(x: int) -> int:
    return _tripled(_tripled(x))


def test_a_kernel_that_only_kernels_call_gets_no_machine_code_of_its_own(tmp_path):
    before = set(compiler._inner)
    assert compile_kernel(_tripled_twice, {}, disk=DiskCache(tmp_path))(5) == 45
    (label,) = set(compiler._inner) - before
    (callee,) = compiler._inner[label].overloads.values()
    engine = callee.library._codegen._engine
    assert not engine.is_symbol_defined(callee.fndesc.llvm_func_name)


@kernel
def at(row: Ints, index: int) -> int:
    """Return a number of a row."""
    return row[index]


def test_an_index_counts_from_the_start_and_numba_itself_is_left_as_it_is(tmp_path):
    import numba

    row = np.arange(5)
    checked = compile_kernel(at, {}, boundscheck=True, disk=DiskCache(tmp_path))
    assert checked(row, 4) == 4
    for index in (-1, 5):
        with pytest.raises(IndexError):
            checked(row, index)
    assert numba.njit(lambda row, index: row[index])(row, -1) == 4

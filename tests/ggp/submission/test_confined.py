"""What a process of a submission can do to the machine: nothing, and what it tried is named."""

from __future__ import annotations

import ast
import ctypes
import ctypes.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ggp.submission.confinement import is_possible, landlock_version
from ggp.submission.process import Fault, Submission, SubmissionLostError, SubmissionProcess
from ggp.submission.seccomp import (
    ALWAYS,
    ARCHITECTURES,
    CONDITIONAL,
    SUPERVISED,
    UNKNOWN,
    number,
)
from ggp.submission.starter import Starter
from ggp.submission.supervision import MAX_THREADS, TOO_MANY_THREADS

pytestmark = pytest.mark.skipif(
    not is_possible() or not landlock_version(), reason="the kernel cannot confine a process"
)

_TRIES = """
import ctypes, fcntl, os, socket, subprocess, threading
from ggp.players import Player

found = {{}}


def attempt(name, call):
    try:
        call()
        found[name] = "done"
    except (OSError, ValueError, MemoryError) as error:
        found[name] = type(error).__name__


def by_c(name, *arguments):
    if ctypes.CDLL(None, use_errno=True)[name](*arguments) < 0:
        raise OSError(ctypes.get_errno())


def run_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


attempt("socket", socket.socket)
attempt("socket by C", lambda: by_c("socket", 2, 1, 0))
attempt("fork", os.fork)
attempt("program", lambda: subprocess.run(["/bin/true"]))
attempt("passwords", lambda: open("/etc/passwd"))
attempt("neighbour", lambda: open({neighbour!r}))
attempt("list", lambda: os.listdir({folder!r}))
attempt("write", lambda: open({neighbour!r}, "w"))
attempt("new file", lambda: open({folder!r} + "/new", "w"))
attempt("remove", lambda: os.remove({neighbour!r}))
attempt("kill", lambda: os.kill(os.getppid(), 9))
attempt("signal by a descriptor", lambda: fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid()))
attempt("trace by C", lambda: by_c("ptrace", 16, os.getppid(), 0, 0))
attempt("memory", lambda: bytearray(1 << 30))
attempt("null", lambda: open(os.devnull, "w"))
attempt("thread", run_thread)
attempt("itself", lambda: open(__file__))
print(found)


class Any(Player):
    def choose(self, state, deadline):
        return None
"""
_DENIED = {
    "PermissionError": (
        *("socket", "fork", "program", "passwords", "neighbour", "list", "write", "new file"),
        *("remove", "kill", "signal by a descriptor"),
    ),
    "OSError": ("socket by C", "trace by C"),
    "MemoryError": ("memory",),
    "done": ("null", "thread", "itself"),
}


async def _load(file: Path, seconds: float = 20.0) -> tuple[SubmissionProcess, str]:
    async with Starter() as starter:
        process = await SubmissionProcess.start(starter, Submission(file), 1)
        try:
            loaded = await process.load("", seconds)
        finally:
            await process.close()
        return process, loaded.wrong


async def test_the_kernel_denies_all_but_computing(tmp_path: Path) -> None:
    """Network, processes, other files and too much memory are denied; threads are not."""
    (tmp_path / "neighbour.py").write_text("secret")
    file = tmp_path / "tries.py"
    neighbour = str(tmp_path / "neighbour.py")
    file.write_text(_TRIES.format(neighbour=neighbour, folder=str(tmp_path)))

    process, wrong = await _load(file)

    expected = {name: kind for kind, names in _DENIED.items() for name in names}
    assert wrong == ""
    assert ast.literal_eval(process.output.text) == expected
    assert sorted(one.name for one in tmp_path.iterdir()) == ["neighbour.py", "tries.py"]
    assert process.attempts == [
        "open a socket",
        "fork",
        "run a program",
        "read the file /etc/passwd",
        f"read the file {neighbour}",
        f"list the folder {tmp_path}",
        f"write a file in {tmp_path}",
        f"remove a file in {tmp_path}",
        "send a signal",
        "trace a process",
    ]


_MAKES_THREADS = """
import ctypes
libc = ctypes.CDLL(None)
stacks = ctypes.create_string_buffer(1 << 21)
for number in range(500):
    top = ctypes.c_void_p(ctypes.addressof(stacks) + 4096 * (number + 1))
    libc.clone(libc.pause, top, 0x10F00, None)  # memory, files and signals shared: a thread
"""


async def test_threads_are_counted_by_the_kernel(tmp_path: Path) -> None:
    """By a raw clone no more can be made than are allowed, and that it was tried is told."""
    file = tmp_path / "threads.py"
    file.write_text(_MAKES_THREADS)
    async with Starter() as starter:
        process = await SubmissionProcess.start(starter, Submission(file), 1)
        await process.load("", 20)
        made = _num_threads(process._pid)
        await process.close()

    assert MAX_THREADS // 2 < made <= MAX_THREADS + 1
    assert process.attempts == [TOO_MANY_THREADS]


async def test_who_does_nothing_but_ask_is_ended(tmp_path: Path) -> None:
    """After a thousand calls that were answered with no."""
    file = tmp_path / "asks.py"
    file.write_text(_MAKES_THREADS.replace("range(500)", "range(3000)"))
    async with Starter() as starter:
        process = await SubmissionProcess.start(starter, Submission(file), 1)
        with pytest.raises(SubmissionLostError):
            await process.load("", 20)
        await process.close()

    assert process.attempts == [TOO_MANY_THREADS]


_WAITS_IN_THREADS = """
import threading
over, numbers = threading.Event(), []

def wait():
    numbers.append(bytes(1 << 16))  # of the heap
    over.wait()

try:
    for _ in range(100):
        threading.Thread(target=wait, daemon=True).start()
except RuntimeError as error:
    print(len(numbers), error)
over.set()
"""


async def test_as_many_threads_as_are_allowed_find_room(tmp_path: Path) -> None:
    """In the memory that a submission has."""
    file = tmp_path / "waits.py"
    file.write_text(_WAITS_IN_THREADS)

    process, _ = await _load(file)

    assert process.output.text.strip() == f"{MAX_THREADS - 1} can't start new thread"
    assert process.attempts == [TOO_MANY_THREADS]


_GOES_AROUND = """
import ctypes, os
for number in (41, 198, 57, 101, 117, 59, 221, 321, 280):  # of x86_64 or aarch64
    ctypes.CDLL(None).syscall(number, os.getppid(), 9, 0)
ctypes.CDLL(None).kill(os.getppid(), 9)
"""


async def test_who_goes_around_python_is_named(tmp_path: Path) -> None:
    """The kernel tells what was tried by ctypes, which Python does not see."""
    file = tmp_path / "around.py"
    file.write_text(_GOES_AROUND)

    process, _ = await _load(file)

    named = {"open a socket", "trace a process", "run a program", "call bpf", "send a signal"}
    assert named <= set(process.attempts)


_BURNS = """
import itertools, threading, time
from ggp.players import Player

def burn():
    for number in itertools.count():
        {0}

threading.Thread(target=burn, daemon=True).start()
while time.process_time() < 0.05: pass


class Burns(Player):
    def choose(self, state, deadline):
        return self.legal_moves(state)[0]
"""


@pytest.mark.parametrize("what", ["None", "number < 100 and print('x' * 1000)"])
async def test_nothing_is_done_between_questions(tmp_path: Path, what: str) -> None:
    """Threads that a player leaves behind take no time of others; it goes on when it is asked."""
    file = tmp_path / "burns.py"
    file.write_text(_BURNS.format(what))
    async with Starter() as starter:
        process = await SubmissionProcess.start(starter, Submission(file), 1)
        first = await process.load("", 60)
        used = _ticks(process._pid)
        await _work(starter, tmp_path / "works.py")
        used_between = _ticks(process._pid) - used
        second = await process.load("", 60)
        await process.close()

    assert used > 0
    assert used_between <= 1, "a tick may end while it is stopped; it would take half of thirty"
    assert first.player == second.player == "Burns"


async def _work(starter: Starter, file: Path) -> None:
    """Have another process compute for 0.3 s."""
    file.write_text("import time\nwhile time.process_time() < 0.3: pass\n")
    process = await SubmissionProcess.start(starter, Submission(file), 1)
    await process.load("", 60)
    await process.close()


def _ticks(pid: int) -> int:
    """The CPU time of a process, in ticks of the clock."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _num_threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").glob("*")))


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("while True: pass", Fault.HUNG),
        ("import os; os._exit(3)", Fault.CRASHED),
        ("import ctypes; ctypes.string_at(0)", Fault.CRASHED),
        ("while True: print('x' * 10_000)", Fault.PRINTED),
        ("import os; os.write(3, b'x\\n' * 9)", Fault.FORGED),
        ("import os; os.write(3, b'[' * 9_000 + b'\\n')", Fault.FORGED),
        ("import os; os.write(3, b'x' * 90_000)", Fault.FORGED),
        ('import os; os.write(3, b\'{"tried": "\\\\u001b"}\\n\' * 99)', Fault.FORGED),
        ("import os; os.closerange(3, 20)", Fault.CRASHED),
    ],
    ids=["hangs", "exits", "segfaults", "prints", "forges", "nests", "floods", "tells", "closes"],
)
async def test_who_is_lost_is_told_why(tmp_path: Path, source: str, fault: Fault) -> None:
    """Whatever a file does when it is loaded, its process ends and the reason is known."""
    file = tmp_path / "bad.py"
    file.write_text(source)

    with pytest.raises(SubmissionLostError) as caught:
        await _load(file, seconds=0.3 if fault is Fault.HUNG else 60)

    assert caught.value.fault is fault


@pytest.mark.parametrize("num", [200_000, 10])
async def test_who_prints_instead_of_answering_is_told_so(tmp_path: Path, num: int) -> None:
    """Less than what ends a process at once may take all of its time."""
    file = tmp_path / "prints.py"
    file.write_text(f"print('x' * {num}, flush=True)\nwhile True: pass")

    with pytest.raises(SubmissionLostError) as caught:
        await _load(file, seconds=0.5)

    assert caught.value.fault is Fault.HUNG
    assert ("it printed more than 65,536 bytes" in str(caught.value)) == (num > 65_536)


_WITHOUT_LANDLOCK = """
import os
from ggp.submission import confinement
confinement.landlock_version = lambda: 0
found = confinement.confine(confinement.Limits(), [], [], lambda listener: None)
print(found.gaps)
print(open("/etc/passwd").read(4))
for name in ("/dev/null", "new"):
    try:
        open(name, "w")
    except PermissionError as error:
        print("denied")
"""


def test_without_landlock_files_can_be_read_and_not_written(tmp_path: Path) -> None:
    """The filter of system calls does what it can, and the gap is told."""
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_LANDLOCK],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    gaps, read, *denied = done.stdout.splitlines()
    assert "no Landlock" in gaps
    assert "filter" not in gaps
    assert (read, denied) == ("root", ["denied", "denied"])


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_numbers_of_system_calls_are_those_of_libseccomp(machine: str) -> None:
    """A wrong number would allow another call than the one that is meant."""
    name = ctypes.util.find_library("seccomp")
    if name is None:
        pytest.skip("libseccomp is not installed")
    resolve = ctypes.CDLL(name).seccomp_syscall_resolve_name_arch
    resolve.argtypes = (ctypes.c_uint32, ctypes.c_char_p)

    for call in (*ALWAYS, *CONDITIONAL, *SUPERVISED, *UNKNOWN):
        known = resolve(ARCHITECTURES[machine].audit_number, call.encode())
        assert number(call, machine) == (known if known >= 0 else None), call

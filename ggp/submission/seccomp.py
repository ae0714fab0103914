"""A system call filter (seccomp) that denies a confined process all but some calls.

Calls that compute, manage memory, wait and read files are allowed. The denied calls include
sockets, processes, programs, signals to others, tracing, mounting, limits, keys, io_uring, shared
memory, and everything that changes a file system without an open file.

A denied call fails with EPERM, and the process continues. A call of another architecture kills it.
The filter is a program for a small virtual machine in the Linux kernel, see seccomp(2).

A second filter hands some calls over to `ggp.submission.supervision`: new threads, which have to be
counted, and forbidden attempts, which have to be reported. If two filters differ, the Linux kernel
applies the stricter answer. So the first filter allows these calls if there is a supervisor, and
denies them otherwise.

Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Architecture:
    """An architecture, with the numbers that filters use for it.

    Attributes:
        audit_number: AUDIT_ARCH_... of linux/audit.h.
        column: Column of its numbers in the tables below.
        seccomp: Number of the call seccomp(2).
    """

    audit_number: int
    column: int
    seccomp: int


ARCHITECTURES: Final = {
    "x86_64": Architecture(0xC000003E, 0, 317),
    "aarch64": Architecture(0xC00000B7, 1, 277),
}
"""Architectures by their name in `os.uname()`."""

Numbers = tuple[int | None, int | None]


def _table(text: str) -> dict[str, Numbers]:
    """Parse a table of system calls. Map each name to a number for each architecture."""

    def number(word: str) -> int | None:
        return None if word == "-" else int(word)

    words = iter(text.split())
    return {name: (number(x86), number(arm)) for name, x86, arm in zip(*[words] * 3, strict=True)}


ALWAYS: Final = _table("""
    futex 202 98                  read 0 63                     write 1 64
    clock_gettime 228 113         mmap 9 222                    munmap 11 215
    mprotect 10 226               madvise 28 233                brk 12 214
    mremap 25 216                 close 3 57                    fstat 5 80
    newfstatat 262 79             stat 4 -                      lstat 6 -
    lseek 8 62                    pread64 17 67                 readv 19 65
    writev 20 66                  getdents64 217 61             getdents 78 -
    access 21 -                   faccessat 269 48              faccessat2 439 439
    statx 332 291                 statfs 137 43                 fstatfs 138 44
    readlink 89 -                 readlinkat 267 78             getcwd 79 17
    chdir 80 49                   fchdir 81 50                  dup 32 23
    dup2 33 -                     dup3 292 24                   pipe 22 -
    pipe2 293 59                  close_range 436 436           fadvise64 221 223
    poll 7 -                      ppoll 271 73                  select 23 -
    pselect6 270 72               epoll_create1 291 20          epoll_ctl 233 21
    epoll_wait 232 -              epoll_pwait 281 22            eventfd2 290 19
    sched_yield 24 124            sched_getaffinity 204 123     sched_getparam 143 121
    sched_getscheduler 145 120    getcpu 309 168                nanosleep 35 101
    clock_nanosleep 230 115       clock_getres 229 114          gettimeofday 96 169
    time 201 -                    times 100 153                 getrusage 98 165
    getitimer 36 102              setitimer 38 103              alarm 37 -
    pause 34 -                    getrandom 318 278             getpid 39 172
    getppid 110 173               gettid 186 178                getpgid 121 155
    getpgrp 111 -                 getsid 124 156                getuid 102 174
    geteuid 107 175               getgid 104 176                getegid 108 177
    getresuid 118 148             getresgid 120 150             getgroups 115 158
    getrlimit 97 163              uname 63 160                  sysinfo 99 179
    umask 95 166                  rt_sigaction 13 134           rt_sigprocmask 14 135
    rt_sigreturn 15 139           rt_sigpending 127 136         rt_sigtimedwait 128 137
    rt_sigsuspend 130 133         sigaltstack 131 132           restart_syscall 219 128
    set_robust_list 273 99        get_robust_list 274 100       set_tid_address 218 96
    rseq 334 293                  membarrier 324 283            arch_prctl 158 -
    wait4 61 260                  waitid 247 95                 exit 60 93
    exit_group 231 94
""")
CONDITIONAL: Final = _table("""
    open 2 -                      openat 257 56                 clone 56 220
    kill 62 129                   tgkill 234 131                fcntl 72 25
    prctl 157 167                 prlimit64 302 261             ioctl 16 29
""")
UNKNOWN: Final = _table("clone3 435 435 openat2 437 437")
"""Calls that fail as if the kernel did not have them, because a filter cannot see their arguments.
The C library then uses an older call instead.
"""

SUPERVISED: Final = _table("""
    fork 57 -                     socket 41 198                 socketpair 53 199
    execve 59 221                 execveat 322 281              ptrace 101 117
    process_vm_readv 310 270      process_vm_writev 311 271     unshare 272 97
    setns 308 268                 mount 165 40                  bpf 321 280
    perf_event_open 298 241       io_uring_setup 425 425        userfaultfd 323 282
""")
"""Calls that are denied and reported by name."""
_WORDS: Final = {
    **dict.fromkeys(("clone", "fork"), "fork"),
    **dict.fromkeys(("kill", "tgkill"), "send a signal"),
    **dict.fromkeys(("socket", "socketpair"), "open a socket"),
    **dict.fromkeys(("execve", "execveat"), "run a program"),
    "ptrace": "trace a process",
}
"""Descriptions of calls, in the words of `ggp.submission.attempts`. Others go by their name."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _FAIL, _ASK = 0x7FFF0000, 0x80000000, 0x00050000, 0x7FC00000
_AT_NUMBER, _AT_ARCHITECTURE, _AT_ARGUMENTS = 0, 4, 16
_OTHER_ABI: Final = 0x40000000
"""On x86_64, system call numbers from this one on belong to the x32 ABI."""
_SET_MODE_FILTER, _ALL_THREADS, _NEW_LISTENER = 1, 1, 8
CLONE_THREAD: Final = 0x00010000
_CLONE_VM: Final = 0x00000100
_PRCTL_ALLOWED: Final = (15, 16, 0x53564D41)
"""PR_SET_NAME, PR_GET_NAME and PR_SET_VMA, which libraries use."""
_IOCTL_ALLOWED: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
_FCNTL_ALLOWED: Final = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
"""Copying descriptors, their flags, locks, and the size of a pipe. Setting the owner of a
descriptor (F_SETOWN, F_SETSIG) is not allowed, because the kernel would send any signal to that
process.
"""

Instruction = tuple[int, int, int, int]
"""Operation code, steps to skip if true, steps to skip if false, value."""


def program(machine: str, pid: int, *, reads_only: bool, is_supervised: bool) -> bytes:
    """Return the filter in the format of the Linux kernel.

    Args:
        reads_only: Whether to deny opening any file for writing.
        is_supervised: Whether `supervised_program` is in force.
    """
    made: list[Instruction] = [
        (_LOAD, 0, 0, _AT_ARCHITECTURE),
        (_EQUAL, 1, 0, ARCHITECTURES[machine].audit_number),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _AT_NUMBER),
        (_AT_LEAST, 0, 1, _OTHER_ABI),
        (_RETURN, 0, 0, _KILL),
    ]
    denied = (_RETURN, 0, 0, _FAIL | errno.EPERM)
    for name in ALWAYS:
        made += _answered(number(name, machine), [(_RETURN, 0, 0, _ALLOW)])
    for name in UNKNOWN:
        made += _answered(number(name, machine), [(_RETURN, 0, 0, _FAIL | errno.ENOSYS)])
    conditions = _conditions(pid, reads_only=reads_only)
    if is_supervised:
        allowed = (_RETURN, 0, 0, _ALLOW)
        conditions |= {name: [allowed] for name in (*SUPERVISED, "kill", "tgkill")}
        conditions["clone"] = _counted_clone(allowed)
    for name, checks in conditions.items():
        made += _answered(number(name, machine), [*checks, denied])
    made.append(denied)
    return _packed(made)


def supervised_program(machine: str, pid: int) -> bytes:
    """Return the filter that hands some calls over to a supervisor and allows all other calls."""
    passes = (_RETURN, 0, 0, _ALLOW)
    made: list[Instruction] = [(_LOAD, 0, 0, _AT_NUMBER)]
    for name, checks in _handed_over(pid).items():
        made += _answered(number(name, machine), [*checks, passes])
    return _packed([*made, passes])


def supervised_words(machine: str) -> dict[int, str]:
    """Return descriptions of the calls that the supervisor denies, by system call number."""
    found = {}
    for name in _handed_over(0):
        call = number(name, machine)
        if call is not None:
            found[call] = _WORDS.get(name, f"call {name}")
    return found


def install(filter_program: bytes) -> str:
    """Install a filter for all threads. Return "", or why the Linux kernel refused the filter.

    no_new_privs must be set.
    """
    _, reason = _install(filter_program, _ALL_THREADS)
    return reason


def install_with_listener(filter_program: bytes) -> tuple[int, str]:
    """Install a filter for this thread.

    Return the descriptor on which its requests arrive and "", or a negative number and the reason
    why that failed.
    """
    return _install(filter_program, _NEW_LISTENER)


def _install(filter_program: bytes, flags: int) -> tuple[int, str]:
    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    libc = ctypes.CDLL(None, use_errno=True)
    given = Program(len(filter_program) // 8, filter_program)
    call = ARCHITECTURES[os.uname().machine].seccomp
    found = int(libc.syscall(call, _SET_MODE_FILTER, flags, ctypes.byref(given)))
    return found, os.strerror(ctypes.get_errno()) if found < 0 else ""


def _packed(made: list[Instruction]) -> bytes:
    return b"".join(struct.pack("=HBBI", *one) for one in made)


def _answered(call: int | None, answer: list[Instruction]) -> list[Instruction]:
    return [] if call is None else [(_EQUAL, 0, len(answer), call), *answer]


def _conditions(pid: int, *, reads_only: bool) -> dict[str, list[Instruction]]:
    """Return instructions that allow some calls if their arguments are harmless.

    The caller appends an instruction that denies the call otherwise.
    """
    writing = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC
    no_reading = writing if reads_only else 0
    return {
        "open": _without(1, no_reading),
        "openat": _without(2, no_reading),
        "kill": _one_of(0, (pid,)),
        "tgkill": _one_of(0, (pid,)),
        "prctl": _one_of(0, _PRCTL_ALLOWED),
        "ioctl": _one_of(1, _IOCTL_ALLOWED),
        "fcntl": _one_of(1, _FCNTL_ALLOWED),
        # Reading limits is allowed: both halves of the pointer to new limits are null.
        "prlimit64": [
            *((_LOAD, 0, 0, _low(2)), (_EQUAL, 0, 3, 0)),
            *((_LOAD, 0, 0, _low(2) + 4), (_EQUAL, 0, 1, 0)),
            (_RETURN, 0, 0, _ALLOW),
        ],
    }


def _handed_over(pid: int) -> dict[str, list[Instruction]]:
    """Return instructions that ask a supervisor about some calls.

    The caller appends an instruction that allows the call otherwise.
    """
    ask = (_RETURN, 0, 0, _ASK)
    to_others = [(_LOAD, 0, 0, _low(0)), (_EQUAL, 1, 0, pid), ask]
    found = {name: [ask] for name in SUPERVISED}
    return {**found, "clone": _counted_clone(ask), "kill": to_others, "tgkill": to_others}


def _counted_clone(answer: Instruction) -> list[Instruction]:
    """Return instructions that give `answer` for new threads and children with their own memory.

    Instructions that follow decide about a child that shares our memory. The C library creates
    such a child to start a program, and libraries try that while they are imported.
    """
    flags = (_LOAD, 0, 0, _low(0))
    return [flags, (_ANY_BIT, 1, 0, CLONE_THREAD), (_ANY_BIT, 1, 0, _CLONE_VM), answer]


def _low(argument: int) -> int:
    """Return the offset of the lower half of a call's argument, in the data that filters see.

    All supported architectures are little-endian.
    """
    return _AT_ARGUMENTS + 8 * argument


def _one_of(argument: int, values: tuple[int, ...]) -> list[Instruction]:
    tests = [pair for value in values for pair in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW))]
    return [(_LOAD, 0, 0, _low(argument)), *tests]


def _without(argument: int, bits: int) -> list[Instruction]:
    return [(_LOAD, 0, 0, _low(argument)), (_ANY_BIT, 1, 0, bits), (_RETURN, 0, 0, _ALLOW)]


def number(name: str, machine: str) -> int | None:
    """Return the number of a system call on an architecture, or None if it is missing there."""
    found = {**ALWAYS, **CONDITIONAL, **SUPERVISED, **UNKNOWN}[name]
    return found[ARCHITECTURES[machine].column]

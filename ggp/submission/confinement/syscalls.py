"""The system calls that a confined process may make, by architecture; all others are denied.

What computes, keeps memory, waits and reads files is on the list. What is not: sockets, processes,
programs, signals to others, tracing, mounting, limits, keys, io_uring, shared memory, and all that
changes a file system but by an open file. Some are allowed for certain arguments only, see
`ggp.submission.confinement.seccomp`.

Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Architecture:
    """An architecture as the kernel's filters know it."""

    audit_number: int
    """AUDIT_ARCH_... of linux/audit.h."""
    column: int
    """Of the numbers below."""
    seccomp: int
    """The number of seccomp(2)."""


ARCHITECTURES: Final = {
    "x86_64": Architecture(0xC000003E, 0, 317),
    "aarch64": Architecture(0xC00000B7, 1, 277),
}
"""By the name that `os.uname()` has for them."""

Numbers = tuple[int | None, int | None]

ALWAYS: Final[dict[str, Numbers]] = {
    "futex": (202, 98),
    "read": (0, 63),
    "write": (1, 64),
    "clock_gettime": (228, 113),
    "mmap": (9, 222),
    "munmap": (11, 215),
    "mprotect": (10, 226),
    "madvise": (28, 233),
    "brk": (12, 214),
    "mremap": (25, 216),
    "close": (3, 57),
    "fstat": (5, 80),
    "newfstatat": (262, 79),
    "stat": (4, None),
    "lstat": (6, None),
    "lseek": (8, 62),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "getdents64": (217, 61),
    "getdents": (78, None),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "statx": (332, 291),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getcwd": (79, 17),
    "chdir": (80, 49),
    "fchdir": (81, 50),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "close_range": (436, 436),
    "fadvise64": (221, 223),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "eventfd2": (290, 19),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "getcpu": (309, 168),
    "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    "getitimer": (36, 102),
    "setitimer": (38, 103),
    "alarm": (37, None),
    "pause": (34, None),
    "getrandom": (318, 278),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "gettid": (186, 178),
    "getpgid": (121, 155),
    "getpgrp": (111, None),
    "getsid": (124, 156),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getgroups": (115, 158),
    "getrlimit": (97, 163),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "umask": (95, 166),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    "set_robust_list": (273, 99),
    "get_robust_list": (274, 100),
    "set_tid_address": (218, 96),
    "rseq": (334, 293),
    "membarrier": (324, 283),
    "arch_prctl": (158, None),
    "wait4": (61, 260),
    "waitid": (247, 95),
    "exit": (60, 93),
    "exit_group": (231, 94),
}

CONDITIONAL: Final[dict[str, Numbers]] = {
    "open": (2, None),
    "openat": (257, 56),
    "clone": (56, 220),
    "kill": (62, 129),
    "tgkill": (234, 131),
    "fcntl": (72, 25),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "ioctl": (16, 29),
}

UNKNOWN: Final[dict[str, Numbers]] = {
    "clone3": (435, 435),
    "openat2": (437, 437),
}
"""Answered as by a kernel that does not have them: their arguments cannot be looked at, and the C
library has an older call for each."""


def number(name: str, machine: str) -> int | None:
    """The number of a system call on an architecture; None if it has none there."""
    found = {**ALWAYS, **CONDITIONAL, **UNKNOWN}[name]
    return found[ARCHITECTURES[machine].column]

"""A filter of system calls (seccomp), made of the list in `ggp.submission.confinement.syscalls`.

A denied call fails with EPERM and the process lives; a call of another architecture kills it. The
filter is a program for the kernel's own little machine, as seccomp(2) describes it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Final

from ggp.submission.confinement.syscalls import ALWAYS, ARCHITECTURES, UNKNOWN, number

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_AT_NUMBER, _AT_ARCHITECTURE, _AT_ARGUMENTS = 0, 4, 16
_OTHER_ABI: Final = 0x40000000
"""From here on x86_64 numbers are those of the x32 ABI."""
_SET_MODE_FILTER, _ALL_THREADS = 1, 1
_CLONE_THREAD: Final = 0x00010000
_PRCTL_ALLOWED: Final = (15, 16, 0x53564D41)
"""PR_SET_NAME, PR_GET_NAME, PR_SET_VMA: what libraries ask for."""
_IOCTL_ALLOWED: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
_FCNTL_ALLOWED: Final = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
"""Copies and flags of descriptors, locks, the size of a pipe. Not the owner of a descriptor
(F_SETOWN, F_SETSIG): the kernel would send that process whatever signal."""

Instruction = tuple[int, int, int, int]
"""Code, steps forward if true, steps if false, value."""


def program(machine: str, pid: int, *, reads_only: bool) -> bytes:
    """The filter as the kernel wants it.

    Args:
        machine: One of `ARCHITECTURES`.
        pid: Of the process: it may send signals to itself.
        reads_only: Whether no file may be opened for writing, wherever it is.
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
    for name, checks in _conditions(pid, reads_only=reads_only).items():
        made += _answered(number(name, machine), [*checks, denied])
    made.append(denied)
    return b"".join(struct.pack("=HBBI", *one) for one in made)


def install(filter_program: bytes) -> str:
    """Put a filter in force for all threads of this process, for good.

    no_new_privs must have been set.

    Returns:
        Empty, or why the kernel refused.
    """

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    libc = ctypes.CDLL(None, use_errno=True)
    given = Program(len(filter_program) // 8, filter_program)
    call = ARCHITECTURES[os.uname().machine].seccomp
    if libc.syscall(call, _SET_MODE_FILTER, _ALL_THREADS, ctypes.byref(given)):
        return os.strerror(ctypes.get_errno())
    return ""


def _answered(call: int | None, answer: list[Instruction]) -> list[Instruction]:
    """What is done about one system call; its number is in the accumulator before and after."""
    return [] if call is None else [(_EQUAL, 0, len(answer), call), *answer]


def _conditions(pid: int, *, reads_only: bool) -> dict[str, list[Instruction]]:
    """Instructions that allow a call by its arguments; behind them it is denied."""
    writing = os.O_ACCMODE | os.O_CREAT | os.O_TRUNC
    no_reading = writing if reads_only else 0
    return {
        "open": _without(1, no_reading),
        "openat": _without(2, no_reading),
        "clone": [(_LOAD, 0, 0, _low(0)), (_ANY_BIT, 0, 1, _CLONE_THREAD), (_RETURN, 0, 0, _ALLOW)],
        "kill": _one_of(0, (pid,)),
        "tgkill": _one_of(0, (pid,)),
        "prctl": _one_of(0, _PRCTL_ALLOWED),
        "ioctl": _one_of(1, _IOCTL_ALLOWED),
        "fcntl": _one_of(1, _FCNTL_ALLOWED),
        # Limits may be read: the pointer to new ones is null in both of its halves.
        "prlimit64": [
            *((_LOAD, 0, 0, _low(2)), (_EQUAL, 0, 3, 0)),
            *((_LOAD, 0, 0, _low(2) + 4), (_EQUAL, 0, 1, 0)),
            (_RETURN, 0, 0, _ALLOW),
        ],
    }


def _low(argument: int) -> int:
    """Where the lower half of an argument stands; both architectures are little-endian."""
    return _AT_ARGUMENTS + 8 * argument


def _one_of(argument: int, values: tuple[int, ...]) -> list[Instruction]:
    tests = [pair for value in values for pair in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW))]
    return [(_LOAD, 0, 0, _low(argument)), *tests]


def _without(argument: int, bits: int) -> list[Instruction]:
    return [(_LOAD, 0, 0, _low(argument)), (_ANY_BIT, 1, 0, bits), (_RETURN, 0, 0, _ALLOW)]

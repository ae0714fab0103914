"""The grounder process: read an ASP program from standard input, and write aspif to the output.

The process is started by the path of this file, so that it need not import `gdl`. Its arguments are
three numbers of bytes: the length of the program, the limit of the address space and the limit of
the output. Standard input stays open after the program. When it closes, the parent process is gone,
so this process exits too.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading

OUT_OF_MEMORY = 33
ORPHANED = 34
_END = "0\n"
_OUTPUT = "/dev/fd/1"  # unlike /dev/stdout, nothing can replace it by a file


def main() -> int:
    """Ground the program and return the exit status, 0 or `OUT_OF_MEMORY`.

    If the output exceeds its limit, a signal ends the process.
    """
    length, memory, output = map(int, sys.argv[1:4])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (output, output))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    try:
        program = sys.stdin.buffer.read(length).decode()
        threading.Thread(target=_end_with_input, daemon=True).start()
        _ground(program)
    except MemoryError:
        return OUT_OF_MEMORY
    sys.stdout.seek(0, 2)
    sys.stdout.write(_END)  # fails if there was no room for all of the output
    sys.stdout.flush()
    return 0


def _end_with_input() -> None:
    while os.read(sys.stdin.fileno(), 1):  # unbuffered: a buffer's lock delays the exit
        pass
    os._exit(ORPHANED)


def _ground(program: str) -> None:
    from clingo.control import BackendType, Control

    control = Control(["--warn=none"])
    # `clingo --mode=gringo` writes the same output, but with one system call per number: 18 s
    # instead of 2 s for 58 MB.
    control.register_backend(BackendType.Aspif, _OUTPUT, replace=True)
    control.add("base", [], program)
    control.ground([("base", [])])
    del control  # closes the file


if __name__ == "__main__":
    sys.exit(main())

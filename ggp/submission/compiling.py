"""The process that compiles rules for submissions, which may not compile rules themselves.

Usage: `python -m ggp.submission.compiling SECONDS BYTES`, with limits on time and memory, and the
rules as input. The first byte of the output says whether the rules were compiled. Then comes the
circuit, or the reason why there is none.
"""

from __future__ import annotations

import resource
import sys

import gdl
from ggp.processes.priority import COMPUTING, give_way

COMPILED, REFUSED = b"1", b"0"


def main() -> None:
    """Compile the rules from standard input."""
    give_way(COMPUTING)
    seconds, memory = float(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    text = sys.stdin.buffer.read().decode()
    try:
        rules = gdl.read_rules(text, "rules")
        found = COMPILED + gdl.compile_rules(rules, gdl.Budget(seconds, memory)).to_bytes()
    except gdl.GdlError as error:
        found = REFUSED + " ".join(str(error).split()).encode()
    except MemoryError:
        found = REFUSED + b"its circuit does not fit in memory"
    sys.stdout.buffer.write(found)


if __name__ == "__main__":
    main()

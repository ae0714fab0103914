"""The process itself: a line of JSON in, a line of JSON out, one question after the other."""

from __future__ import annotations

import json
import sys
from resource import RLIMIT_AS, RLIMIT_CPU, setrlimit
from threading import Thread
from typing import Any

import gdl
from ggp.errors import GgpError
from ggp.processes import end_with_asker
from ggp.sandbox.answering import Answering


def main() -> None:
    """Bound itself as the arguments say, say so, and answer until the input ends."""
    num_bytes, cpu_seconds = map(int, sys.argv[1:])
    Thread(target=end_with_asker, name="asker", daemon=True).start()
    setrlimit(RLIMIT_AS, (num_bytes, num_bytes))
    setrlimit(RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    answering = Answering()
    _tell({"answer": "ready"})
    for line in sys.stdin.buffer:
        _tell(_answer(answering, line))


def _tell(found: dict[str, Any]) -> None:
    print(json.dumps(found), flush=True)  # noqa: T201 - the pipe


def _answer(answering: Answering, line: bytes) -> dict[str, Any]:
    try:
        return {"answer": answering.answer(json.loads(line))}
    except gdl.EvaluationLimitError as error:
        return {"error": str(error), "is_spent": True}  # as below, if it was the memory
    except (GgpError, gdl.GdlError) as error:
        return {"error": str(error)}
    except (MemoryError, RecursionError):
        # What is left of the memory may be too little for the next question.
        return {"error": "the rules need more memory than there is", "is_spent": True}


if __name__ == "__main__":
    main()

"""The process of a sandbox: a line of JSON in, a line of JSON out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from resource import RLIMIT_AS, RLIMIT_CPU, setrlimit
from typing import Any

import gdl
from ggp.errors import GgpError
from ggp.processes.json_lines import end_with_asker, tell
from ggp.sandbox import match_questions, position_questions, questions

_FUNCTIONS: Mapping[str, Callable[..., object]] = {
    **vars(questions),
    **vars(position_questions),
    **vars(match_questions),
}


def main() -> None:
    """Set limits from the arguments, report readiness, and answer until the input ends."""
    num_bytes, cpu_seconds = map(int, sys.argv[1:])
    end_with_asker()
    setrlimit(RLIMIT_AS, (num_bytes, num_bytes))
    setrlimit(RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    tell({"answer": "ready"})
    for line in sys.stdin.buffer:
        tell(_answer(json.loads(line)))


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"answer": _FUNCTIONS[question["ask"]](*question["args"], **question["kwargs"])}
    except gdl.EvaluationLimitError as error:
        return {"error": str(error), "is_spent": True}  # as below, if it was the memory
    except (GgpError, gdl.GdlError) as error:
        return {"error": str(error)}
    except (MemoryError, RecursionError):
        # What is left of the memory may be too little for the next question.
        return {"error": "the rules need more memory than there is", "is_spent": True}


if __name__ == "__main__":
    main()

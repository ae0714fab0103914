"""The main loop of a sandbox process: it answers one question after another, within limits."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from resource import RLIMIT_AS, RLIMIT_CPU, setrlimit
from typing import Any

import gdl
from ggp.errors import GgpError
from ggp.processes.json_lines import end_with_asker, tell

Functions = Sequence[Callable[..., object]]


def answer_questions(functions: Functions) -> None:
    """Set the limits from the command line, report readiness, and answer until the input ends.

    Args:
        functions: The functions that may be called. A question names one of them.
    """
    num_bytes, cpu_seconds = map(int, sys.argv[1:])
    end_with_asker()
    setrlimit(RLIMIT_AS, (num_bytes, num_bytes))
    setrlimit(RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    tell({"answer": "ready"})
    for line in sys.stdin.buffer:
        tell(_answer(functions, json.loads(line)))


def _answer(functions: Functions, question: dict[str, Any]) -> dict[str, Any]:
    [function] = [one for one in functions if one.__name__ == question["ask"]]
    try:
        return {"answer": function(*question["args"], **question["kwargs"])}
    except gdl.EvaluationLimitError as error:
        return {"error": str(error), "is_spent": True}  # for a lack of memory, see below
    except (GgpError, gdl.GdlError) as error:
        return {"error": str(error)}
    except (MemoryError, RecursionError):
        # The remaining memory may be too small for the next question.
        return {"error": "the rules need more memory than is available", "is_spent": True}

"""The process itself: a line of JSON in, a line of JSON out, one question after the other."""

from __future__ import annotations

import json
import sys
from typing import Any

import gdl
from ggp.errors import GgpError
from ggp.sandbox.answering import Answering


def main() -> None:
    """Answer until the input ends."""
    answering = Answering()
    for line in sys.stdin.buffer:
        print(json.dumps(_answer(answering, line)), flush=True)  # noqa: T201 - the pipe


def _answer(answering: Answering, line: bytes) -> dict[str, Any]:
    try:
        return {"answer": answering.answer(json.loads(line))}
    except (GgpError, gdl.GdlError) as error:
        return {"error": str(error)}
    except (MemoryError, RecursionError):
        return {"error": "the rules need more memory than there is"}


if __name__ == "__main__":
    main()

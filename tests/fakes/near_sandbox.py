"""Sandboxes without processes: what they are asked, this process answers in a thread.

For tests of what asks them. `tests/ggp/sandbox` shows what a process adds: bounds, and its end.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ggp.sandbox import match_questions
from ggp.sandbox.__main__ import QUESTIONS
from ggp.sandbox.answering import _answer
from ggp.sandbox.process import Sandbox, SandboxQuestionError

_one_at_a_time = threading.Lock()


@contextmanager
def near_sandboxes() -> Iterator[None]:
    """Have all sandboxes answer in this process, inside the `with`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sandbox, "_ask", _ask)
        yield


async def _ask(sandbox: Sandbox, question: dict[str, object]) -> Any:
    place = sandbox._pool.place(sandbox) if sandbox._pool else contextlib.nullcontext()
    async with sandbox._turn, place:
        found = await asyncio.to_thread(_answered, sandbox, json.dumps(question))
    if "error" in found:
        raise SandboxQuestionError(str(found["error"]))
    return found["answer"]


def _answered(sandbox: Sandbox, question: str) -> dict[str, Any]:
    """Return the answer as it comes out of JSON; each sandbox has its own match, as a process."""
    matches = vars(sandbox).setdefault("near_matches", [])
    with _one_at_a_time, pytest.MonkeyPatch.context() as patch:
        patch.setattr(match_questions, "_matches", matches)
        found: dict[str, Any] = json.loads(json.dumps(_answer(QUESTIONS, json.loads(question))))
        return found

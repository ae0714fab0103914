"""The history of a match as the manager tells it, from which any process can make all steps.

>>> history = History()
>>> history.record(["(mark 1 1)", "noop"])
>>> len(history)
1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ggp.clock import Deadline
from ggp.engine.wire import Follow, SearchCommand
from ggp.engine.worker_supervisor import CommandMaker
from ggp.match.steps import JointMove, Percepts, Step

Happened = Step | Sequence[str] | None
"""The manager's report of the last turn; a plain sequence is a joint move, None the first turn."""


class History:
    """The steps of a match so far.

    Attributes:
        answered: Our answer in the last turn; None if there was none.
    """

    def __init__(self) -> None:
        self.answered: str | None = None
        self._steps: list[Step] = []

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def joint_move(self) -> Sequence[str] | None:
        """The last joint move in the manager's spelling; None if it is not known."""
        last = self._steps[-1] if self._steps else None
        return last.moves if isinstance(last, JointMove) else None

    def record(self, happened: Happened) -> None:
        """Append what the manager said of the last turn."""
        if happened is None:
            return
        if not isinstance(happened, Step):
            happened = JointMove(tuple(happened))
        if isinstance(happened, JointMove):
            happened = replace(happened, answered=self.answered)
        if isinstance(happened, Percepts) and happened.own_move is None:
            happened = replace(happened, own_move=self.answered)
        self._steps.append(happened)

    def forget(self, happened: Happened) -> None:
        """Take back what was recorded last, if it was anything."""
        if happened is not None:
            self._steps.pop()

    def go_back(self, num_turns: int) -> None:
        """Keep the first turns only."""
        del self._steps[num_turns:]
        self.answered = None

    def searching(self, deadline: Deadline) -> CommandMaker:
        """The command to search after these steps, for a process that has made some of them."""
        steps = tuple(self._steps)
        return lambda request, turn: SearchCommand(
            request, len(steps), steps[turn:], deadline.moment
        )

    def following(self, *, is_last: bool = False) -> CommandMaker:
        """The command to make these steps, of which a process may have made some."""
        steps = tuple(self._steps)
        return lambda request, turn: Follow(request, len(steps), steps[turn:], is_last)

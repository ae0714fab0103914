"""An analysis ends when it is asked to."""

from __future__ import annotations

import signal

from ggp.analysis.analysis import ended_by_ctrl_c
from ggp.clock import Deadline


def test_ctrl_c_ends_the_search_and_nothing_else() -> None:
    """All that is known is shown before the command ends."""
    deadline = Deadline.never()

    with ended_by_ctrl_c(deadline) as signals:
        signal.raise_signal(signal.SIGINT)

    assert deadline.is_over()
    assert signals == [signal.SIGINT]

"""The search of a position, shown as a table of its moves."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from typing import Any

from ggp.analysis.analysis import (
    Analysis,
    Found,
    Subject,
    ended_by_ctrl_c,
    role_named,
    searching_player,
)
from ggp.analysis.position import Position as MeasuredPosition
from ggp.clock import Deadline
from ggp.notebook.loaded_game import LoadedGame, NotebookError, check_kind, check_seconds
from ggp.notebook.table import Table, progress_line
from ggp.search.core.choices import Joint
from ggp.search.hidden.solving.game_tree import hides_information
from ggp.terminal.analyze_view import HEADINGS, NUMBERS, rows, summary

MAX_SECONDS = 24 * 3600.0


class SearchTable(Table):
    """The moves of a role in a position from best to worst, with their values.

    Attributes:
        value: The goal that the role can expect from the best move, 0 to 100.
        is_proven: Whether that value is exact.
        found: All results, in the form of `ggp analyze --json`.
    """

    def __init__(self, found: Found, subject: Subject) -> None:
        super().__init__(HEADINGS, rows(found), NUMBERS, summary(found, subject))
        self.best = str(found.result.move)
        self.value = found.result.value
        self.is_proven = found.result.is_proven
        self.found: dict[str, Any] = found.thoughts


def search(
    loaded: LoadedGame,
    path: tuple[Joint, ...],
    seconds: float,
    spec: str,
    role: str | None,
    seed: int | None,
) -> SearchTable:
    """Search the position after the moves in `path`. If interrupted, return the results so far."""
    check_seconds(seconds, MAX_SECONDS)
    check_kind("player", spec, str, "a text, such as 'mcts:c=0.7'")
    check_kind("role", role, str | None, "a text, the name of a role")
    with progress_line() as line:
        game = loaded.compiled(line.announce)
    if hides_information(game):
        raise NotebookError(
            f"roles of {loaded.name} do not see everything, so a search of the true position would "
            f'not say how to play; search as_role("{loaded.played[0]}") instead'
        )
    state = game.initial_state()
    for joint in path:
        state = game.next_state(state, joint)
    subject = Subject(
        loaded.name, game, MeasuredPosition(state, path), role_named(game, role, state)
    )
    if subject.is_over:
        raise NotebookError("the game is over: there is nothing to search")
    analysis = Analysis(
        subject, searching_player(spec, game, subject.role, {}, seed, option="player")
    )
    deadline = Deadline.after(seconds)
    is_main = threading.current_thread() is threading.main_thread()
    with ended_by_ctrl_c(deadline) if is_main else nullcontext():
        analysis.run(deadline, lambda: None)
        return SearchTable(analysis.found(), subject)

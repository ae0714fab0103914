"""Positions in a notebook."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

from ggp import notebook
from ggp.analysis.analysis import Analysis
from ggp.clock import Deadline
from ggp.notebook.table import Table
from tests.ggp.notebook.hostile import EVIL, RULES, scripts_in

pytestmark = pytest.mark.usefixtures("kernels")

PENNIES = """
(role even) (role odd) (init open) (side heads) (side tails)
(<= (legal ?role (show ?side)) (role ?role) (side ?side) (true open))
(<= (next (shown ?role ?side)) (does ?role (show ?side)))
(<= terminal (true (shown even ?side)))
(<= (goal even 100) (true (shown even ?side)) (true (shown odd ?side)))
"""


class TestPlay:
    """Moves."""

    def test_a_move_makes_another_position(self) -> None:
        start = notebook.game("ticTacToe").start()
        position = start.play("(mark 2 2)")
        assert (start.turn, position.turn, position.before) == (0, 1, start)
        assert "(cell 2 2 x)" in position.facts
        assert "(cell 2 2 x)" not in start.facts
        assert position.move == ("(mark 2 2)", "noop")

    def test_several_roles_move_at_once(self) -> None:
        start = notebook.game(PENNIES).start()
        assert start.deciding == ("even", "odd")
        for moves in (["(show heads)", "(show tails)"], [["(show heads)", "(show tails)"]]):
            over = start.play(*moves)
            assert over.is_terminal
            assert over.goals == {"even": None, "odd": None}
            assert over.legal() == {"even": (), "odd": ()}

    @pytest.mark.parametrize(
        ("move", "said"),
        [
            ("(mark 4 4)", "expected one of: (mark 1 1)"),
            ("(mark", "never closed"),
            ("", "expected a move, got none"),
            ("(mark 1 1) (mark 2 2) (mark 3 3)", "expected only one joint move"),
        ],
    )
    def test_an_error_says_what_is_right(self, move: str, said: str) -> None:
        with pytest.raises(notebook.NotebookError) as caught:
            notebook.game("ticTacToe").start().play(move)
        assert said in str(caught.value)

    @pytest.mark.parametrize(
        ("asked", "said"),
        [
            (lambda start: start.play(5), "play: expected moves as texts, .* got 5"),
            (lambda start: start.play(None), "play: expected moves as texts, .* got None"),
            (lambda start: start.play(["noop", 5]), "play: expected moves as texts, .* got 5"),
            (lambda start: start.why(5), "fact: expected a text, .* got 5"),
            (lambda start: start.why("terminal", 5), "next_moves: expected moves as a text, .* 5"),
            (lambda start: start.why("terminal", depth="x"), "depth: expected a whole number"),
            (lambda start: start.search("x"), "seconds: expected a number up to 86400, got 'x'"),
            (lambda start: start.search(1, player=5), "player: expected a text, .* got 5"),
            (lambda start: start.search(1, role=5), "role: expected a text, .* got 5"),
        ],
    )
    def test_a_wrong_type_is_told_with_what_is_expected(
        self, asked: Callable[[Any], object], said: str
    ) -> None:
        with pytest.raises(notebook.NotebookError, match=said):
            asked(notebook.game("ticTacToe").start())

    @pytest.mark.parametrize("moves", [5, "(mark 1 1)"])
    def test_moves_of_several_turns_are_a_list(self, moves: Any) -> None:
        with pytest.raises(notebook.NotebookError, match="moves: expected a list of moves"):
            notebook.game("ticTacToe").after(moves)

    def test_after_the_end_nothing_is_played(self) -> None:
        over = notebook.game(PENNIES).start().play("(show heads)", "(show heads)")
        with pytest.raises(notebook.NotebookError, match="the game is over after turn 1"):
            over.play("(show heads)", "(show heads)")


class TestGame:
    """Games that are not there."""

    def test_a_name_that_is_not_known_is_told_without_a_stack_trace(self) -> None:
        with pytest.raises(notebook.NotebookError) as caught:
            notebook.game("tictactoe")
        [line] = caught.value._render_traceback_()
        assert "did you mean ticTacToe" in line

    def test_rules_that_cannot_be_read_are_told_with_their_place(self) -> None:
        with pytest.raises(notebook.NotebookError, match="<rules>:1:10"):
            notebook.game("(role a) (init")

    def test_standard_input_is_not_asked(self) -> None:
        with pytest.raises(notebook.NotebookError, match="text of the rules"):
            notebook.game("-")


class TestShown:
    """Pictures and text."""

    def test_a_terminal_shows_board_and_turn(self) -> None:
        shown = repr(notebook.game("ticTacToe").after(["(mark 2 2)"]))
        assert "2 ·[x]·" in shown
        assert shown.endswith("turn 1, oplayer to move")

    def test_the_end_tells_the_goals(self) -> None:
        moves = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]
        over = notebook.game("ticTacToe").after(moves)
        assert "turn 5, over: xplayer 100, oplayer 0" in over._repr_html_()

    async def test_a_picture_is_drawn_while_a_loop_runs(self) -> None:
        svg = notebook.game("ticTacToe").start()._repr_svg_()
        assert svg.startswith("<svg")

    def test_rules_cannot_bring_scripts(self) -> None:
        position = notebook.game(RULES).start().play("(go back)")
        assert EVIL in position.legal()  # it is a word of KIF
        shown: list[Any] = [
            position,
            position.why("terminal"),
            position.why("(legal ?who ?what)"),
            Table([EVIL], [[EVIL]], lines=[EVIL]),
        ]
        for each in shown:
            assert scripts_in(each._repr_html_()) == []
        assert scripts_in(position._repr_svg_()) == []


class TestWhy:
    """Reasons of facts."""

    def test_the_tree_is_text_and_html(self) -> None:
        found = notebook.game("ticTacToe").start().why("(legal oplayer noop)")
        assert found.holds
        assert "by a rule" in repr(found)
        assert "by a rule" in found._repr_html_()

    def test_a_question_that_cannot_be_read_is_told(self) -> None:
        start = notebook.game("ticTacToe").start()
        with pytest.raises(notebook.NotebookError):
            start.why("(flies pig)")
        with pytest.raises(notebook.NotebookError, match="depends on the moves"):
            start.why("(next (cell 1 1 x))")


class TestSearch:
    """What searches find."""

    def test_the_best_move_comes_first(self) -> None:
        moves = ["(mark 1 1)", "(mark 3 1)", "(mark 1 2)", "(mark 3 2)"]
        found = notebook.game("ticTacToe").after(moves).search(seconds=5, player="alphabeta")
        assert (found.best, found.value, found.is_proven) == ("(mark 1 3)", 100.0, True)
        assert found.rows[0][0] == "(mark 1 3)"
        assert "(mark 1 3)" in found._repr_html_()

    def test_who_interrupts_it_gets_what_is_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Interrupted(Analysis):
            def run(self, deadline: Deadline, report: Callable[[], None]) -> None:
                super().run(deadline, lambda: signal.raise_signal(signal.SIGINT))

        monkeypatch.setattr("ggp.notebook.search.Analysis", Interrupted)
        found = notebook.game("connectFour").start().search(seconds=600)
        assert len(found.rows) == 7

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"player": "mtcs"}, "did you mean mcts"),
            ({"player": "random"}, "a player that searches"),
            ({"role": "zplayer"}, "unknown role"),
            ({"seconds": float("nan")}, "seconds: expected a number"),
        ],
    )
    def test_what_cannot_be_is_told(self, options: dict[str, object], said: str) -> None:
        with pytest.raises(notebook.NotebookError, match=said):
            notebook.game("ticTacToe").start().search(**options)  # type: ignore[arg-type]

    def test_what_roles_do_not_see_is_not_searched(self) -> None:
        with pytest.raises(notebook.NotebookError, match="do not see everything"):
            notebook.game("phantomTicTacToe").start().search(seconds=0.1)


def test_a_role_sees_what_it_knows_and_is_searched_by_that() -> None:
    """The other's card is in no text, picture or table."""
    moves = [["noop", "noop", "(deal jack king)"]]
    position = notebook.game("kuhnPoker").as_role("first").after(moves)

    shown = f"{position!r}{position._repr_html_()}{position.facts}{position.seen}"
    found = position.search(seconds=0.1)

    assert "(card first jack)" in position.facts
    assert "card second king" in "".join(position.possible)
    assert "(deal" not in shown
    assert "(card second king)" not in position.facts
    assert found.best in position.legal()
    with pytest.raises(notebook.NotebookError, match="role: expected first, second"):
        notebook.game("kuhnPoker").as_role("third")

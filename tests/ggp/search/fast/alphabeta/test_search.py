"""Looks of the array search: known values, clocks, windows, answers."""

from __future__ import annotations

import pytest
from boards import KNOWN_VALUES, connect_four

import gdl
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.search.core.result import OutOfTime
from ggp.search.evaluation import EvenEvaluation
from ggp.search.fast.alphabeta import descend
from ggp.search.fast.alphabeta.search import ArraySearch, make_search
from tests.ggp.search.textbook.adversarial.positions import NEVER, machine_of, position_of

pytestmark = pytest.mark.usefixtures("kernels")


class _Once(Deadline):
    """Leaves time for one slice of work."""

    __slots__ = ("asked",)

    def __init__(self) -> None:
        super().__init__(0.0)
        self.asked = 0

    def is_over(self) -> bool:
        """Only the first time it is not."""
        self.asked += 1
        return self.asked > 1


def _search(machine: gdl.Game, num_entries: int = 1 << 14) -> ArraySearch:
    search = make_search(machine, machine.roles[0], EvenEvaluation(machine), num_entries)
    assert search is not None
    return search


def test_a_small_board_of_connect_four_is_solved() -> None:
    """4 x 4 is a draw, and nothing deeper can be found out."""
    machine = gdl.load(connect_four(4, 4), "scalar")
    search = _search(machine, num_entries=1 << 17)

    found = search.look(machine.initial_state(), depth=None, deadline=NEVER)

    assert found.value == KNOWN_VALUES[4, 4]
    assert found.is_complete
    assert found.result.is_proven
    assert found.result.length == 16
    assert len(found.result.line) == 16


def test_a_forced_win_is_found_at_its_depth_and_no_sooner() -> None:
    """Red makes three in the open middle of the bottom row, and one of the two ends is left."""
    machine = machine_of("connectFour")
    state = machine.initial_state()
    for column in (3, 3, 4, 4):  # then red drops into 5, and 2 and 6 both win
        state = machine.next_state(
            state,
            [
                moves[column - 1] if len(moves) > 1 else moves[0]
                for moves in (machine.legal_moves(state, role) for role in machine.roles)
            ],
        )
    search = _search(machine)

    too_short = search.look(state, depth=2, deadline=NEVER)
    enough = search.look(state, depth=3, deadline=NEVER)

    assert (too_short.value, too_short.is_complete) == (50, False)
    assert (enough.value, enough.is_complete) == (100, True)
    assert str(enough.result.move) in {"(drop 2)", "(drop 5)"}
    assert enough.result.length == 3


def test_a_look_that_ran_out_of_time_goes_on_where_it_was() -> None:
    """Stopped at every state, the search finds the same and sees no state more."""
    machine, state = machine_of("connectFour"), position_of("connectFour")
    whole = _search(machine).look(state, depth=5, deadline=NEVER)
    search = _search(machine)
    stops = 0

    while True:
        search._chunk = 1
        try:
            found = search.look(state, depth=5, deadline=_Once())
            break
        except OutOfTime:
            stops += 1

    assert stops > 10
    assert (found.value, found.result.move) == (whole.value, whole.result.move)
    assert (found.nodes, found.cutoffs) == (whole.nodes, whole.cutoffs)


def test_no_answer_comes_after_the_deadline() -> None:
    """A look without time ends at once, and another question is answered as if it had not been."""
    machine, state = machine_of("connectFour"), position_of("connectFour")
    search = _search(machine)
    over = Deadline.never()
    over.end()

    with pytest.raises(OutOfTime, match="before depth 9"):
        search.look(state, depth=9, deadline=over)

    fresh = _search(machine).look(state, depth=4, deadline=NEVER)
    assert search.look(state, depth=4, deadline=NEVER).value == fresh.value


def test_a_window_tells_only_that_the_value_is_outside() -> None:
    """A value outside of the window is a bound on the right side, and proves nothing itself."""
    machine = gdl.load(connect_four(4, 4), "scalar")
    state = machine.initial_state()

    above = _search(machine).look(state, depth=None, deadline=NEVER, window=(0, 25))
    below = _search(machine).look(state, depth=None, deadline=NEVER, window=(75, 100))

    assert 25 <= above.value <= 50
    assert 50 <= below.value <= 75
    assert not above.is_complete
    assert not below.is_complete


def test_the_moves_to_choose_among_may_be_narrowed() -> None:
    """Only those are looked at, and what is found then is not taken for the state's value."""
    machine = machine_of("ticTacToe")
    state, role = machine.initial_state(), machine.roles[0]
    corner = machine.legal_moves(state, role)[0]
    search = _search(machine)

    found = search.look(state, depth=3, deadline=NEVER, among=[corner])

    assert [each.move for each in found.result.moves] == [corner]
    assert len(search.look(state, depth=3, deadline=NEVER).result.moves) == 9


def test_room_for_moves_grows_with_the_line() -> None:
    """A search whose moves do not fit asks for room, gets it and goes on."""
    machine, state = machine_of("othello"), position_of("othello")
    whole = _search(machine).look(state, depth=4, deadline=NEVER)
    search = _search(machine)
    num_inputs = len(search.game.inputs)
    stack = search.position.stack
    tight = stack._replace(moves=stack.moves[:num_inputs], ranks=stack.ranks[:num_inputs])
    search.position = search.position._replace(stack=tight)

    found = search.look(state, depth=4, deadline=NEVER)

    assert len(search.position.stack.moves) > num_inputs
    assert (found.value, found.nodes) == (whole.value, whole.nodes)


def test_there_is_nothing_to_search_where_the_game_is_over() -> None:
    """The caller is told, and so for a depth that is none."""
    machine = gdl.load(connect_four(4, 4), "scalar")
    search = _search(machine)
    state = machine.initial_state()
    while not machine.is_terminal(state):
        joint = [machine.legal_moves(state, role)[0] for role in machine.roles]
        state = machine.next_state(state, joint)

    with pytest.raises(GgpError, match="expected a state that is not terminal"):
        search.look(state, depth=1, deadline=NEVER)
    with pytest.raises(GgpError, match="of at least 1"):
        search.look(machine.initial_state(), depth=0, deadline=NEVER)


def test_what_arrays_cannot_do_is_left_to_the_search_in_python() -> None:
    """There is no array search of a game that is not compiled, or for an unknown evaluation."""
    machine = machine_of("ticTacToe")
    plain = gdl.load(connect_four(4, 4), "interpreter")

    def surprise(state: gdl.State) -> tuple[float, ...]:
        return (hash(state) % 100.0, 0.0)

    assert make_search(plain, plain.roles[0], EvenEvaluation(plain)) is None
    assert make_search(machine, machine.roles[0], surprise) is None


def test_states_are_counted() -> None:
    """Of one ply: the root and each move; each of them evaluated."""
    machine = machine_of("ticTacToe")
    search = _search(machine)

    found = search.look(machine.initial_state(), depth=1, deadline=NEVER)

    assert (found.nodes, found.evaluations, found.cutoffs, search.nodes) == (10, 9, 0, 10)
    assert int(search.position.counters[descend.TOP]) == -1

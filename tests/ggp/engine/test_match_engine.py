"""An engine in an ordinary match: what it answers, and what it takes."""

from __future__ import annotations

import pytest

from ggp import games
from ggp.clock import Deadline
from ggp.engine import (
    EngineConfig,
    EnginePool,
    EngineSetup,
    JointMove,
    MatchEngine,
    MoveError,
    MoveOrigin,
    Outcome,
    RulesError,
    SingleMove,
)
from tests.ggp.engine.conftest import StartMatch
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("kernels")


def soon() -> Deadline:
    """Long enough for anything that does not use all its time."""
    return Deadline.after(PATIENCE)


async def test_start_tells_the_match_in_the_spelling_of_the_rules(start_match: StartMatch) -> None:
    """Dresden's manager writes roles in upper case."""
    engine = await start_match("Last", role="XPLAYER", reasoner="auto")

    assert engine.is_ready
    assert engine.roles == ("xplayer", "oplayer")
    assert engine.role == "xplayer"
    assert not engine.has_percepts
    assert engine.reasoner.startswith("lanes")


async def test_the_players_choice_is_answered(start_match: StartMatch) -> None:
    """The move is the player's, and so are the thoughts."""
    engine = await start_match("Counting")

    choice = await engine.play(None, soon())

    assert choice.move == "(mark 3 3)"
    assert choice.origin is MoveOrigin.SEARCH
    assert choice.search_info["told"][0] == "prepare"  # type: ignore[index]
    assert choice.in_control


async def test_the_state_follows_the_message_not_the_answer(start_match: StartMatch) -> None:
    """The manager may have replaced our move."""
    engine = await start_match("Last")
    await engine.play(None, soon())

    choice = await engine.play(["( MARK 1 1 )", "NOOP"], soon())

    assert choice.position is not None
    assert choice.position.turn == 1
    assert choice.position.joint_move == ("(mark 1 1)", "noop")
    after = await engine.play(["noop", "(mark 2 2)"], soon())
    assert after.position is not None
    assert "(mark 3 3)" in after.position.legal
    assert "(mark 1 1)" not in after.position.legal


async def test_a_forced_move_is_answered_at_once_and_marked(start_match: StartMatch) -> None:
    """The server may want to stay silent where another role decides."""
    engine = await start_match("Mute", role="oplayer")

    choice = await engine.play(None, soon())

    assert choice.move == "noop"
    assert choice.origin is MoveOrigin.ONLY_MOVE
    assert not choice.in_control


async def test_the_player_is_told_each_step_and_ponders_between(start_match: StartMatch) -> None:
    """A tree is kept from move to move and grows on the time of others."""
    engine = await start_match("Counting")
    await engine.play(None, soon())
    await engine.play(["(mark 1 1)", "noop"], soon())

    choice = await engine.play(["noop", "(mark 2 2)"], soon())

    told = choice.search_info["told"]
    assert isinstance(told, list)
    steps = [entry for entry in told if entry not in {"prepare", "ponder"}]
    assert steps == ["(mark 1 1) noop", "noop (mark 2 2)"]
    assert told[0] == "prepare"


async def test_turns_can_be_taken_back(start_match: StartMatch) -> None:
    """Another process follows the moves that remain, and plays on from there."""
    engine = await start_match("Last")
    await engine.play(None, soon())
    await engine.play(["(mark 1 1)", "noop"], soon())
    await engine.play(["noop", "(mark 2 2)"], soon())

    position = await engine.go_back(1, soon())
    choice = await engine.play(["noop", "(mark 3 3)"], soon())

    assert position is not None
    assert (position.turn, position.joint_move) == (1, ("(mark 1 1)", "noop"))
    assert choice.position is not None
    assert choice.position.turn == 2
    assert "(mark 2 2)" in choice.position.legal
    assert "(mark 3 3)" not in choice.position.legal


async def test_a_single_move_is_completed(start_match: StartMatch) -> None:
    """Gamemaster tells the one move of the role in control."""
    engine = await start_match("Last")
    await engine.play(None, soon())
    await engine.play(SingleMove("(mark 1 1)"), soon())

    choice = await engine.play(SingleMove("(mark 2 2)"), soon())

    assert choice.position is not None
    assert choice.position.joint_move == ("noop", "(mark 2 2)")


UNREADABLE: list[tuple[SingleMove | list[str], str]] = [
    (["noop"], "expected 2 moves, one per role (xplayer oplayer), got 1"),
    (["(mark 1 1", "noop"], "expected a move: <move>:1:1"),
    (["(mark ?x 1)", "noop"], "expected a move without variables, got (mark ?x 1)"),
    (SingleMove("(mark 7 7)"), "expected a move of the role in control, got (mark 7 7)"),
]


async def test_what_cannot_be_read_changes_nothing(start_match: StartMatch) -> None:
    """The caller learns what was expected, and the same turn can be asked again."""
    engine = await start_match("Last")
    await engine.play(None, soon())

    for happened, message in UNREADABLE:
        with pytest.raises(MoveError) as caught:
            await engine.play(happened, soon())
        assert message in str(caught.value)

    choice = await engine.play(["(mark 1 1)", "noop"], soon())
    assert choice.position is not None
    assert choice.position.turn == 1


async def test_a_move_that_is_not_legal_is_made_all_the_same(
    start_match: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The manager's word decides what was played; the log wonders."""
    engine = await start_match("Last")
    await engine.play(None, soon())

    choice = await engine.play(["(mark 1 1)", "(mark 3 3)"], soon())

    assert choice.position is not None
    assert choice.position.turn == 1
    assert "(mark 3 3) is not legal for oplayer, but the manager reports it" in caplog.text


async def test_update_follows_without_a_move(start_match: StartMatch) -> None:
    """A player that is not asked still knows where the game is."""
    engine = await start_match("Last")

    position = await engine.update(["(mark 1 1)", "noop"], soon())

    assert position is not None
    assert position.turn == 1
    assert not position.in_control


async def test_stop_tells_the_goals(start_match: StartMatch) -> None:
    """They hold after the final joint move; the process is gone then."""
    engine = await start_match("Last")
    for square, moves in enumerate(["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"]):
        await engine.update([moves, "noop"] if square % 2 == 0 else ["noop", moves], soon())

    outcome = await engine.stop(JointMove(("(mark 1 3)", "noop")))

    assert outcome == Outcome(is_terminal=True, goals=(100, 0))
    assert engine.pid is None


@pytest.mark.parametrize(
    ("rules", "role", "player", "message"),
    [
        ("(role x", "x", "random", "<rules>:1:1"),
        pytest.param("", "x", "random", "role", marks=pytest.mark.thorough),
        pytest.param(
            games.text("nim"), "nobody", "random", "got nobody", marks=pytest.mark.thorough
        ),
        (games.text("ticTacToe"), "xplayer", "mtcs", "did you mean mcts?"),
        (games.text("ticTacToe"), "xplayer", "tests.ggp.engine.odd_players:Unborn", "out of luck"),
    ],
)
async def test_a_match_that_cannot_be_played_is_refused(
    pool: EnginePool, rules: str, role: str, player: str, message: str
) -> None:
    """One line names the place or the word."""
    setup = EngineSetup(rules, role, 5)

    with pytest.raises(RulesError) as caught:
        await MatchEngine.start(pool, setup, EngineConfig(player=player), soon())

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_two_matches_share_nothing(start_match: StartMatch) -> None:
    """Each has its own process, and the end of one is not noticed by the other."""
    first = await start_match("Last")
    second = await start_match("Last", role="oplayer")
    assert first.pid != second.pid
    await first.play(None, soon())

    await first.abort()
    choice = await second.play(None, soon())

    assert choice.move == "noop"

"""A model's seat outside a match: nobody listens, moves are taken back, a match goes on."""

from __future__ import annotations

import pytest
from aiohttp.test_utils import unused_port

from ggp.language_models.prompt import MAX_FACTS, MAX_LEGAL, turn_message
from ggp.language_models.seat import ModelSeat
from ggp.language_models.spec import read_spec
from ggp.match.rulebook import FollowedRulebook, MachineRulebook
from ggp.match.seat import Invitation, TurnReport
from ggp.rulesheets import find_game
from tests.fakes.chat import Chat, chatting
from tests.fakes.clock import fake_clock

__all__ = ["fake_clock"]

pytestmark = pytest.mark.usefixtures("fake_clock")


LEGAL = ("go", "wait")


def _seat(spec: str, warnings: list[str]) -> ModelSeat:
    book = FollowedRulebook(MachineRulebook(find_game("ticTacToe").machine))
    return ModelSeat(read_spec(spec), "", book, "model", warnings.append, warnings.append)


def _invitation(playclock: int = 1) -> Invitation:
    return Invitation("M", "one", "(role one)", 1, playclock)


def _turn(turn: int, move: str | None) -> TurnReport:
    moves = None if move is None else (move,)
    return TurnReport(turn, moves, own_move=move, roles=("one",), legal=LEGAL)


async def test_nobody_listens() -> None:
    """The answer is missing before the clock ends, and the warning says why."""
    warnings = list[str]()
    seat = _seat(f"llm:http://127.0.0.1:{unused_port()}/v1", warnings)
    await seat.start(_invitation())

    answer = await seat.play(_turn(0, None))
    await seat.abort()

    assert (answer.text, answer.missing) == ("", "CE")
    assert "no program listens there" in warnings[0]


async def test_one_legal_move_is_made_without_asking() -> None:
    """No request, no tokens."""
    seat = _seat(f"llm:http://127.0.0.1:{unused_port()}/v1", warnings := list[str]())
    await seat.start(_invitation())

    answer = await seat.play(TurnReport(0, None, legal=("noop",)))
    await seat.abort()

    assert (answer.text, answer.printed, warnings) == ("noop", "", [])


async def test_turns_that_are_taken_back_are_not_told() -> None:
    """The last that remains comes again with PLAY, and is told once."""
    chat = Chat(lambda _: "MOVE: go")
    async with chatting(chat) as spec:
        seat = _seat(spec, [])
        await seat.start(_invitation(5))
        for turn, move in enumerate((None, "go", "wait")):
            await seat.play(_turn(turn, move))
        await seat.go_back(1)
        await seat.play(_turn(1, "go"))
        await seat.abort()

    assert "1. one: go\n2. one: wait" in chat.asked[2].last
    assert chat.asked[3].last == chat.asked[1].last


async def test_a_match_that_goes_on_tells_what_happened_before() -> None:
    """As if it had not rested."""
    chat = Chat(lambda _: "MOVE: go")
    async with chatting(chat) as spec:
        seat = _seat(spec, [])
        await seat.resume(_invitation(5), [_turn(1, "go"), _turn(2, "wait")])
        await seat.play(_turn(2, "wait"))
        await seat.adjourn()

    assert "1. one: go\n2. one: wait\n" in chat.asked[0].last


async def test_rules_may_be_told_in_prose() -> None:
    """In sentences, in place of GDL; the form of an answer stays, and it may be a move's name."""
    chat = Chat(lambda _: "MOVE: **Mark column 1, row 2.**")
    rules = find_game("ticTacToe").rules
    async with chatting(chat) as spec:
        seat = _seat(f"{spec},rules=prose", [])
        await seat.start(Invitation("M", "one", rules, 1, 5))
        answer = await seat.play(TurnReport(0, None, legal=("(mark 1 2)", "(mark 1 1)")))
        await seat.abort()

    system = str(chat.asked[0].body["messages"][0]["content"])
    assert "Words in capitals" in system
    assert "lines of the rulesheet" not in system
    assert "(<=" not in system
    assert "MOVE: (mark 1 1)" in system
    assert answer.text == "(mark 1 2)"
    assert "\n= understood as: (mark 1 2)" in answer.printed


@pytest.mark.parametrize("num_more", [0, 7])
def test_a_question_is_bounded_and_says_so(num_more: int) -> None:
    """What is not shown is counted."""
    facts = [f"(fact {index})" for index in range(MAX_FACTS + num_more)]
    legal = [f"(move {index})" for index in range(MAX_LEGAL + num_more)]

    question = turn_message([], facts, legal)

    assert question.count("(fact ") == MAX_FACTS
    assert question.count("(move ") == MAX_LEGAL
    assert question.count(f"({num_more} more are not shown)") == (2 if num_more else 0)

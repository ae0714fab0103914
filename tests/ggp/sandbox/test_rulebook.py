"""What a role holds possible, worked out by a process from what it did and saw."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ggp import games
from ggp.sandbox import SandboxBeliefs, SandboxError, SandboxPool, questions
from tests.fakes.near_sandbox import near_sandboxes

GAME = "kuhnPoker"
DEALT = ("noop", ["(got jack)"])
PASSED = ("noop", ["(says first pass)"])


@pytest.fixture(autouse=True)
def sandboxes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Questions are answered in this process; only the first test asks another one."""
    if "facts_are_as_likely" in request.node.name:
        yield
        return
    with near_sandboxes():
        yield


async def test_facts_are_as_likely_as_the_percepts_leave_them() -> None:
    """Who holds the jack knows that the other has the queen or the king."""
    async with SandboxPool(1) as pool:
        beliefs = await SandboxBeliefs.open(games.text(GAME), GAME, pool)
        found = await beliefs.after("second", [DEALT, PASSED])
        await beliefs.close()

    assert found.likely["(card second jack)"] == 1
    assert found.likely["(card first king)"] == found.likely["(card first queen)"] == 0.5
    assert (found.worlds, found.is_complete, found.is_consistent) == (2, True, True)


async def test_earlier_turns_are_believed_as_they_were() -> None:
    """Also in another order, or by a process that was started again."""
    async with SandboxPool(1) as pool:
        beliefs = await SandboxBeliefs.open(games.text(GAME), GAME, pool)
        late = await beliefs.after("second", [DEALT, PASSED])
        early = await beliefs.after("second", [DEALT])
        await pool.ask(questions.format_rules, "(role me)")  # takes the only place
        again = await beliefs.after("second", [DEALT, PASSED])
        await beliefs.close()

    assert early.likely["(turn 1)"] == 1
    assert again == late


async def test_what_contradicts_the_rules_is_said() -> None:
    """A position is made up all the same."""
    async with SandboxPool(1) as pool:
        beliefs = await SandboxBeliefs.open(games.text(GAME), GAME, pool)
        found = await beliefs.after("second", [("noop", ["(got ace)"])])
        await beliefs.close()

    assert not found.is_consistent


async def test_a_role_that_is_none_is_refused() -> None:
    """By name."""
    async with SandboxPool(1) as pool:
        beliefs = await SandboxBeliefs.open(games.text(GAME), GAME, pool)
        with pytest.raises(SandboxError, match="expected a role of the game, got nobody"):
            await beliefs.after("nobody", [])
        await beliefs.close()


async def test_matches_of_the_same_rules_are_told_apart() -> None:
    """One process has a belief for each, as long as they are not too many."""
    jacks = [DEALT, PASSED]
    kings = [("noop", ["(got king)"]), PASSED]
    async with SandboxPool(1) as pool:
        beliefs = await SandboxBeliefs.open(games.text(GAME), GAME, pool)
        found = [
            await beliefs.after("second", turns, match=str(number))
            for _ in range(2)
            for number, turns in enumerate((jacks, kings))
        ]
        await beliefs.close()

    assert found[:2] == found[2:]
    assert [one.likely.get("(card second king)", 0) for one in found[:2]] == [0, 1]

"""Which clocks a player elsewhere has, and what it is told when nothing goes as it should."""

from __future__ import annotations

import asyncio

import pytest

import gdl
from ggp import games
from ggp.match.errors import SeatError
from ggp.match.seat import Invitation, TurnReport
from ggp.protocol.dialects import DIALECTS
from ggp.seating.remote import KEPT, RemoteSeat, Scrambler
from tests.fakes.clock import fake_clock
from tests.fakes.foreign import Foreign, ggp_base, late, running, says, silent

__all__ = ["fake_clock"]

pytestmark = pytest.mark.usefixtures("fake_clock")


INVITATION = Invitation("m.1", "x", "(role x)", startclock=1, playclock=1)


async def test_dresden_waits_a_second_longer_for_start() -> None:
    """GGP-Base does not wait at all."""
    player = Foreign({"START": late(1.5, ggp_base("ready"))})
    async with running(player) as address:
        seats = [
            RemoteSeat(address, "p", lambda _: None, DIALECTS[dialect])
            for dialect in ("ggp-base", "dresden")
        ]
        ggp_bases, dresdens = await asyncio.gather(
            *(seat.start(INVITATION) for seat in seats), return_exceptions=True
        )

    assert isinstance(ggp_bases, TimeoutError)
    assert dresdens is None


async def test_nobody_is_told_of_the_end_of_a_match_that_it_has_not_heard_of() -> None:
    """The rules may fail before START."""
    player = Foreign({})
    async with running(player) as address:
        await RemoteSeat(address, "p", lambda _: None).abort()

    assert player.words == []


async def test_dresdens_players_are_stopped_where_others_hear_abort() -> None:
    """With what was told last: there is no word for it."""
    player = Foreign({"PLAY": says("NOOP")})
    async with running(player) as address:
        seat = RemoteSeat(address, "p", lambda _: None, DIALECTS["dresden"])
        await seat.start(INVITATION)
        await seat.play(TurnReport(1, ("noop",), roles=("x",), legal=("noop",)))
        await seat.abort()

    assert player.bodies[-1] == "(STOP m.1 (NOOP))"


async def test_a_player_that_is_gone_has_broken_the_connection() -> None:
    """Not an error of ours."""
    player = Foreign({"PLAY": silent})
    async with running(player) as address:
        seat = RemoteSeat(address, "p", lambda _: None)
        await seat.start(INVITATION)

    with pytest.raises(SeatError, match="cannot connect"):
        await seat.play(TurnReport(0, None))


async def test_what_start_is_answered_with_is_told() -> None:
    """In any dialect `ready` is well, wrapped or not."""
    warnings: list[str] = []
    for dialect, answer in (
        ("ggp-base", "busy"),
        ("dresden", "READY"),
        ("gamemaster", "reply(m_1,ready)"),
        ("gamemaster", "sorry"),
    ):
        player = Foreign({"START": says(answer)})
        async with running(player) as address:
            seat = RemoteSeat(address, dialect, warnings.append, DIALECTS[dialect])
            await seat.start(Invitation("m.1", "x", "(role x)", 1, 1, epilog="role(x)"))

    assert warnings == [
        "ggp-base answers START with busy, not ready",
        "gamemaster answers START with sorry, not ready",
    ]


RULES = " ".join(map(str, gdl.read_kif(games.text("ticTacToe")).forms))


def test_no_name_of_ours_is_left() -> None:
    """Keywords and numbers stay, all else is replaced."""
    words = set(Scrambler(RULES, 1).scramble(RULES).replace("(", " ").replace(")", " ").split())
    ours = set(RULES.replace("(", " ").replace(")", " ").split())

    assert words & ours == {word for word in ours if word in KEPT or word.isdigit()}
    assert {"1", "3", "role", "<="} <= words


def test_the_game_is_the_same() -> None:
    """As many moves, and each of them can be told back."""
    scrambler = Scrambler(RULES, 1)
    plain = gdl.load(gdl.read_kif(RULES), "interpreter")
    other = gdl.load(gdl.read_kif(scrambler.scramble(RULES)), "interpreter")

    def first_moves(machine: gdl.StateMachine) -> set[str]:
        state = machine.initial_state()
        return {str(move) for role in machine.roles for move in machine.legal_moves(state, role)}

    assert {scrambler.unscramble(move) for move in first_moves(other)} == first_moves(plain)


def test_the_canonical_form_sees_through_it() -> None:
    """So that a player finds what it has learned of the game."""
    form = gdl.read_kif(RULES).canonical
    other = gdl.read_kif(Scrambler(RULES, 5).scramble(RULES)).canonical

    assert form is not None
    assert other is not None
    assert other.digest == form.digest


def test_the_connective_and_stays() -> None:
    """GGP-Base does not know it, but our reader does: another name would be a relation."""
    rules = "(role x) (legal x a) (init (p 1)) (<= (goal x 100) (and (true (p 1)) (true (q 1))))"

    assert "(and (true (" in Scrambler(rules, 1).scramble(rules)


def test_an_answer_may_be_in_any_case_and_anything() -> None:
    """Words that are none of the match stay as they came."""
    scrambler = Scrambler(RULES, 1)
    move = scrambler.scramble("(mark 1 2)")

    assert scrambler.unscramble(move.upper()) == "(mark 1 2)"
    assert scrambler.unscramble("what (is this") == "what (is this"


def test_a_match_that_goes_on_has_the_same_names() -> None:
    """They come from its seed."""
    assert Scrambler(RULES, 7).scramble(RULES) == Scrambler(RULES, 7).scramble(RULES)
    assert Scrambler(RULES, 7).scramble(RULES) != Scrambler(RULES, 8).scramble(RULES)

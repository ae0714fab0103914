"""The referee keeps a match going whatever players do, and ends it when the rules fail."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

import gdl
from ggp import games
from ggp.match.errors import AdjournedError, MatchError, MoveLimitError
from ggp.match.events import Asked, Began, Ended, Event, Moved
from ggp.match.record import MatchRecord
from ggp.match.referee import MatchSetup, Referee
from ggp.match.rulebook import MachineRulebook, Position
from ggp.match.seat import Answer, Invitation, Told
from ggp.match.telling import in_control
from tests.fakes.seats import AWAY, GONE, LATE, PatientScriptedSeat, ScriptedSeat

COUNTDOWN = """
(role left) (role right) (init (count 2)) (succ 1 2) (succ 0 1)
(legal left Foo) (legal left (bar 1)) (legal right noop)
(<= (next (count ?m)) (true (count ?n)) (succ ?m ?n))
(<= terminal (true (count 0)))
(goal left 70) (goal right 30)
"""
CHANCE = """
(role me) (role random) (init (count 1))
(legal me go) (legal random (roll 1)) (legal random (roll 2)) (legal random (roll 3))
(<= (next (rolled ?n)) (does random (roll ?n)))
(<= terminal (true (rolled ?n)))
(goal me 50)
"""
STUCK = """
(role left) (role right) (init (count 1))
(legal left go) (<= (legal right go) (true (count 1)))
(next (count 0)) (<= terminal (true (count 9))) (goal left 0) (goal right 0)
"""
GOALLESS = (
    "(role me) (init a) (legal me go) (next b) (<= terminal (true b)) (<= (goal me 1) (true a))"
)


def setup(rules: str = COUNTDOWN, seed: int = 1) -> MatchSetup:
    """A match of rules with the shortest clocks, and hardly any grace."""
    machine = gdl.load(gdl.read_kif(rules))
    return MatchSetup(
        match_id="m.1",
        rulebook=MachineRulebook(machine),
        rules=rules,
        startclock=1,
        playclock=1,
        seed=seed,
        grace_seconds=-0.9,
    )


SECRET = """
(role left) (role right) (init (count 2)) (succ 1 2) (succ 0 1)
(legal left noop) (legal right (hide 1)) (legal right (hide 2))
(<= (sees left (seen ?n)) (does right (hide ?n)))
(<= (next (count ?m)) (true (count ?n)) (succ ?m ?n))
(<= terminal (true (count 0)))
(goal left 70) (goal right 30)
"""


async def play(*seats: ScriptedSeat, rules: str = COUNTDOWN, seed: int = 1) -> MatchRecord:
    """The record of a match between scripted seats."""
    return await Referee(setup(rules, seed), seats).run()


async def test_a_match_is_started_played_and_stopped() -> None:
    """Each player gets START, then PLAY and STOP with the joint move made last."""
    left, right = ScriptedSeat("(bar 1)", "Foo"), ScriptedSeat("noop")

    record = await play(left, right)

    assert left.told[1:] == [
        ("play", None),
        ("play", ("(bar 1)", "noop")),
        ("stop", ("Foo", "noop")),
    ]
    assert right.words == ["start", "play", "play", "stop"]
    assert record.goals == (70, 30)
    assert record.is_completed
    assert not record.is_aborted


async def test_states_moves_and_errors_have_a_row_for_each_turn() -> None:
    """Two turns: three states, two joint moves, three rows of errors."""
    record = await play(ScriptedSeat("Foo"), ScriptedSeat("noop"))

    assert record.states == (("(count 2)",), ("(count 1)",), ("(count 0)",))
    assert record.moves == (("Foo", "noop"), ("Foo", "noop"))
    assert record.errors == (("", ""), ("", ""), ("", ""))
    assert len(record.state_times) == 3


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("foo", "IL foo"),
        ("(Foo)", "IL ( Foo )"),
        ("(bar 01)", "IL ( bar 01 )"),
        ("( BAR 1 )", "IL ( BAR 1 )"),
        ("nil", "IL nil"),
        ("(bar 1", "IL null"),
        ("", "IL null"),
        (")", "IL null"),
        (LATE, "TO"),
        (GONE, "CE"),
    ],
)
async def test_a_bad_answer_is_recorded_and_a_legal_move_made(answer: str, error: str) -> None:
    """Illegal, late and missing answers have the marks of GGP-Base; the match goes on."""
    left = ScriptedSeat(answer, "Foo")

    record = await play(left, ScriptedSeat("noop"))

    assert record.errors == (("", ""), (error, ""), ("", ""))
    assert record.moves[0][0] in {"Foo", "(bar 1)"}
    assert left.told[2] == ("play", record.moves[0])
    assert record.is_completed


@pytest.mark.parametrize(
    "answer",
    ["( bar 1 )", "(bar\r\n1)", "  (bar 1)\r\n", "(bar 1))", "(bar 1) (Foo)", "(bar 1) ; why"],
)
async def test_blanks_and_what_follows_the_term_do_not_matter(answer: str) -> None:
    """The first complete term is the move, however it is spaced."""
    record = await play(ScriptedSeat(answer), ScriptedSeat("noop"))

    assert record.moves[0] == ("(bar 1)", "noop")
    assert record.errors[1] == ("", "")


async def test_an_endless_answer_costs_little_and_is_not_kept() -> None:
    """A megabyte of open parentheses is one short error."""
    record = await play(ScriptedSeat("(" * 1_000_000 + "x", "x" * 100_000), ScriptedSeat("noop"))

    assert record.errors[1][0] == "IL null"
    assert len(record.errors[2][0]) < 300


async def test_replacements_are_the_same_for_the_same_seed() -> None:
    """A seed fixes the random moves, whoever is replaced."""
    seats = [ScriptedSeat("bad") for _ in range(4)]

    once = await play(seats[0], ScriptedSeat("noop"), seed=7)
    again = await play(seats[1], ScriptedSeat("bad"), seed=7)

    assert once.moves == again.moves


async def test_replacements_are_drawn_from_all_legal_moves() -> None:
    """Over a few seeds both legal moves come up."""
    records = [
        await play(ScriptedSeat("bad"), ScriptedSeat("noop"), seed=seed) for seed in range(8)
    ]

    assert {record.moves[0][0] for record in records} == {"Foo", "(bar 1)"}


async def test_chance_is_played_by_the_referee() -> None:
    """The role `random` has no seat; its moves vary with the seed and are told to the others."""
    seats = [ScriptedSeat("go") for _ in range(12)]

    records = [await play(seat, rules=CHANCE, seed=seed) for seed, seat in enumerate(seats)]

    assert {record.moves[0][1] for record in records} == {"(roll 1)", "(roll 2)", "(roll 3)"}
    assert seats[0].told[-1] == ("stop", records[0].moves[0])
    assert records[0].player_names == ("scripted", "random")
    assert records[0].goals == (50, 0)


@pytest.mark.parametrize(("start", "error"), [(LATE, "TO"), (GONE, "CE")])
async def test_a_player_that_does_not_start_is_asked_all_the_same(start: str, error: str) -> None:
    """Trouble in the START phase stands in the first row of errors, and nothing else happens."""
    slow = replace(setup(), startclock=0) if start == LATE else setup()

    record = await Referee(slow, [ScriptedSeat("Foo", start=start), ScriptedSeat("noop")]).run()

    assert record.errors[0][0] == error
    assert record.moves[0] == ("Foo", "noop")
    assert record.is_completed


async def test_stop_that_fails_changes_nothing() -> None:
    """A player that breaks off at STOP does not spoil the record."""
    record = await play(ScriptedSeat("Foo", end=GONE), ScriptedSeat("noop", end="!bug"))

    assert record.is_completed


@pytest.mark.parametrize(
    ("rules", "names"), [(STUCK, ["left", "right"]), (GOALLESS, ["me"])], ids=["stuck", "goalless"]
)
async def test_rules_without_a_legal_move_or_goal_abort_the_match(
    rules: str, names: list[str]
) -> None:
    """The error names the role, and no player is left waiting."""
    seats = [ScriptedSeat("go") for _ in names]
    referee = Referee(setup(rules), seats)

    with pytest.raises(MatchError, match=f"role {names[-1]} no (legal move|goal value)"):
        await referee.run()

    assert [seat.words[-1] for seat in seats] == ["abort"] * len(seats)
    assert referee.record.is_aborted
    assert referee.record.goals is None


async def test_the_move_limit_aborts_the_match() -> None:
    """After so many moves nobody is asked any more."""
    left = ScriptedSeat("Foo")
    referee = Referee(replace(setup(), move_limit=1), [left, ScriptedSeat("noop")])

    with pytest.raises(MoveLimitError):
        await referee.run()

    assert left.words == ["start", "play", "abort"]
    assert len(referee.record.moves) == 1


async def test_a_seat_with_a_bug_ends_the_match_for_all() -> None:
    """An error nobody foresaw is not hidden, but the other player is told."""
    right = ScriptedSeat(LATE)

    with pytest.raises(ZeroDivisionError):
        await play(ScriptedSeat("!bug"), right)

    assert right.words == ["start", "play", "abort"]


async def test_an_interrupted_match_is_aborted() -> None:
    """Cancelling, as Ctrl-C does, sends ABORT in the middle of a PLAY."""
    seats = [ScriptedSeat(LATE), ScriptedSeat(LATE)]
    asked = asyncio.Event()
    patient = replace(setup(), grace_seconds=1000.0)

    def notice(event: Event) -> None:
        if isinstance(event, Asked):
            asked.set()

    referee = Referee(patient, seats, notice)
    match = asyncio.create_task(referee.run())
    await asked.wait()

    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        await match

    assert [seat.words[-1] for seat in seats] == ["abort", "abort"]
    assert referee.record.is_aborted


async def test_a_match_that_rests_is_not_broken_off() -> None:
    """Who is away for long, say, ends it for nobody: the others are not told of an end."""
    away, other = ScriptedSeat("(bar 1)", AWAY), ScriptedSeat("noop")
    referee = Referee(setup(), [away, other])

    with pytest.raises(AdjournedError):
        await referee.run()

    assert away.words == other.words == ["start", "play", "play", "adjourn"]
    assert not referee.record.is_aborted


async def test_a_match_that_is_cancelled_for_a_while_rests() -> None:
    """As when a manager stops that will go on with it."""
    seats = [ScriptedSeat(LATE), ScriptedSeat(LATE)]
    asked = asyncio.Event()
    agreed = replace(setup(), grace_seconds=1000.0, will_go_on=lambda: True)
    match = asyncio.create_task(
        Referee(
            agreed, seats, lambda event: asked.set() if isinstance(event, Asked) else None
        ).run()
    )
    await asked.wait()

    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        await match

    assert [seat.words[-1] for seat in seats] == ["adjourn", "adjourn"]


async def test_a_seat_that_keeps_the_clock_itself_is_not_cut_off() -> None:
    """It may take its overtime, and no more."""
    clever, slack = PunctualSeat(), PunctualSeat()
    slack.overtime_seconds = -0.95
    agreed = replace(setup(), grace_seconds=-0.95)

    record = await Referee(agreed, [clever, ScriptedSeat("noop")]).run()
    late = await Referee(agreed, [slack, ScriptedSeat("noop")]).run()

    assert record.num_errors(0) == 0
    assert {row[0] for row in late.errors[1:]} == {"TO"}


async def test_what_a_role_saw_is_known_after_a_pause() -> None:
    """A match with secrets goes on with the percepts of its last turn, and of all before."""
    left, right = TellingSeat("noop"), TellingSeat("(hide 1)", "(hide 2)")
    agreed = replace(setup(SECRET), rulebook=secret_book())
    whole = await Referee(agreed, [left, right]).run()
    begun = replace(
        whole,
        states=whole.states[:2],
        moves=whole.moves[:1],
        errors=whole.errors[:2],
        state_times=whole.state_times[:2],
        is_completed=False,
        goals=None,
    )

    later = TellingSeat("noop")
    await Referee(agreed, [later, ScriptedSeat("(hide 2)")], record=begun).run()

    assert [told.percepts for told in left.heard] == [None, ("(seen 1)",), ("(seen 2)",)]
    assert later.heard == left.heard[1:]
    assert [told.percepts for told in later.remembered] == [("(seen 1)",)]
    assert [told.own_move for told in later.remembered] == ["noop"]


@pytest.mark.parametrize(
    ("legal", "facts", "role"),
    [
        ((("a", "b"), ("noop",)), (), "left"),
        ((("noop",), ("a", "b")), ("(control left)",), "right"),
        ((("a", "b"), ("a", "b")), ("(control left)",), None),
        ((("a",), ("noop",)), ("(control Left)", "(cell 1)"), "left"),
        ((("a",), ("noop",)), ("(control left)", "(control right)"), None),
        ((("a",), ("noop",)), (), None),
    ],
)
def test_who_is_in_control(
    legal: tuple[tuple[str, ...], ...], facts: tuple[str, ...], role: str | None
) -> None:
    """Who has a choice; where nobody has, the rules may tell."""
    assert in_control(("left", "right"), Position(facts, False, legal)) == role


async def test_events_tell_the_whole_match() -> None:
    """Began, a question and an answer a turn, ended."""
    events: list[Event] = []
    seats = [ScriptedSeat("Foo", "bad"), ScriptedSeat("noop")]

    record = await Referee(setup(), seats, events.append).run()

    assert [type(event) for event in events] == [Began, Asked, Moved, Asked, Moved, Ended]
    assert events[1] == Asked(1, ("left",))
    moved, ended = events[4], events[5]
    assert isinstance(moved, Moved)
    assert [(one.role, one.error, one.num_legal) for one in moved.replies] == [
        ("left", "IL bad", 2),
        ("right", "", 1),
    ]
    assert moved.replies[0].thoughts == {"value": 50}
    assert ended == Ended(record)


def test_the_number_of_seats_must_fit_the_roles() -> None:
    """One seat for two roles is an error before anything is sent."""
    with pytest.raises(MatchError, match="expected 2 players, got 1"):
        Referee(setup(), [ScriptedSeat()])


async def test_a_bundled_game_is_played_to_its_end() -> None:
    """The winner of a forced line of ticTacToe has 100."""
    rules = games.text("ticTacToe")
    x = ScriptedSeat("(mark 1 1)", "noop", "(mark 1 2)", "noop", "(mark 1 3)")
    o = ScriptedSeat("noop", "(mark 2 1)", "noop", "(mark 2 2)", "noop")

    record = await play(x, o, rules=rules)

    assert record.goals == (100, 0)
    assert record.num_errors(0) == record.num_errors(1) == 0


async def test_a_player_may_take_moves_back() -> None:
    """All go back; the match goes on as it was, and the record has only what counts."""
    left, right = PatientScriptedSeat("(bar 1)", "<0", "Foo"), PatientScriptedSeat("noop")

    record = await play(left, right)

    assert left.told[1:] == [
        ("play", None),
        ("play", ("(bar 1)", "noop")),
        ("go back", 0),
        ("play", None),
        ("play", ("Foo", "noop")),
        ("stop", ("Foo", "noop")),
    ]
    assert ("go back", 0) in right.told
    assert record.moves == (("Foo", "noop"), ("Foo", "noop"))
    assert record.states == (("(count 2)",), ("(count 1)",), ("(count 0)",))
    assert [len(record.state_times), len(record.errors)] == [3, 3]


async def test_a_seat_that_cannot_go_back_ends_the_match() -> None:
    """A player elsewhere has no message for it."""
    with pytest.raises(MatchError, match="scripted cannot take moves back"):
        await play(PatientScriptedSeat("(bar 1)", "<0"), ScriptedSeat("noop"))


async def test_an_unhurried_role_has_no_clock() -> None:
    """A person thinks as long as it takes."""
    late = SlowSeat()
    agreed = replace(setup(), unhurried=frozenset({"left"}))

    record = await Referee(agreed, [late, ScriptedSeat("noop")]).run()

    assert record.num_errors(0) == 0
    assert record.moves[0] == ("(bar 1)", "noop")


class PunctualSeat(ScriptedSeat):
    """Keeps the clock itself, and takes 0.15 s."""

    overtime_seconds = 5.0

    async def play(self, told: Told) -> Answer:
        """An answer that comes when it comes."""
        await asyncio.sleep(0.15)
        return Answer("(bar 1)")


class TellingSeat(ScriptedSeat):
    """Keeps what it is told of each turn."""

    def __init__(self, *answers: str) -> None:
        super().__init__(*answers)
        self.heard: list[Told] = []
        self.remembered: Sequence[Told] = ()

    async def resume(self, invitation: Invitation, history: Sequence[Told]) -> None:
        """Keep it."""
        self.remembered = history

    async def play(self, told: Told) -> Answer:
        """Keep it, and answer."""
        self.heard.append(told)
        return await super().play(told)

    async def stop(self, told: Told) -> None:
        """Keep it."""
        self.heard.append(told)


def secret_book() -> MachineRulebook:
    """Of the game in which one role hides what the other sees."""
    return MachineRulebook(gdl.load(gdl.read_kif(SECRET)), has_percepts=True)


class SlowSeat(ScriptedSeat):
    """Answers after the clock of 0.1 s, which `setup` gives, has run out."""

    async def play(self, told: Told) -> Answer:
        """An answer that comes late."""
        await asyncio.sleep(0.15)
        return Answer("(bar 1)")

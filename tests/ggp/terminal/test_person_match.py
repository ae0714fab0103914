"""A person's match, played by lines from a pipe against opponents that follow a script."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import gdl
from ggp.drawing.board import CHANGED
from ggp.engine import EnginePool
from ggp.match.referee import MatchSetup, Referee, played_roles
from ggp.match.rulebook import FollowedRulebook, MachineRulebook
from ggp.records.record import MatchRecord
from ggp.rulesheets import NamedGame, find_game
from ggp.seating.contestant import Contestant, Resources, SeatReports
from ggp.seating.local import LocalSeat
from ggp.terminal import knowledge
from ggp.terminal.adviser import Adviser
from ggp.terminal.knowledge import PersonKnowledge
from ggp.terminal.person_seat import LeftError, PersonSeat
from ggp.terminal.play_view import PlayView
from ggp.terminal.typed_line import PlainLines
from tests.fakes.seats import PatientScriptedSeat, ScriptedSeat
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("ready_forkers", "kernels")

FORCED = """
(role me) (init (count 2)) (succ 1 2) (succ 0 1)
(legal me go) (<= (legal me stay) (true (count 1)))
(<= (next (count ?m)) (true (count ?n)) (succ ?m ?n))
(<= terminal (true (count 0))) (goal me 60)
"""
HIDDEN = """
(role me) (role other) (init start)
(legal me (guess 1)) (legal me (guess 2)) (legal other (hide 1)) (legal other (hide 2))
(<= (sees me right) (does me (guess ?n)) (does other (hide ?n)))
(<= (next (hidden ?n)) (does other (hide ?n)))
(<= terminal (true (hidden ?n)))
(goal me 40) (goal other 60)
"""


def game_of(rules: str) -> NamedGame:
    """Rules as a game."""
    rulesheet = gdl.read_kif(rules)
    return NamedGame("made", rulesheet, gdl.load(rulesheet, "interpreter"))


async def play(
    game: NamedGame,
    script: str,
    *others: ScriptedSeat,
    role: int = 0,
    clock: float | None = None,
) -> MatchRecord:
    """The record of the match in which a person types these lines, and then nothing more.

    With a clock, the person sits there and does nothing; else the input ends and so does the match.
    """
    reading, writing = os.pipe()
    os.write(writing, script.encode())
    if clock is None:
        os.close(writing)
    own = played_roles(game.machine)[role]
    names = {one.name: "you" if one is own else "scripted" for one in played_roles(game.machine)}
    view = PlayView(game, own, names, has_thoughts=False)
    lines = PlainLines(reading, view.write, is_echoing=True)
    adviser = Adviser(game, "mcts:iterations=300", "interpreter", 1)
    seats: list[ScriptedSeat | PersonSeat] = list(others)
    seats.insert(role, PersonSeat(view, lines, adviser, clock=clock))
    setup = MatchSetup(
        match_id="m",
        rulebook=MachineRulebook(game.machine),
        rules=game.rules,
        startclock=5,
        playclock=5,
        seed=1,
        unhurried=frozenset({own.name}),
    )
    referee = Referee(setup, seats, view.observe)
    try:
        await referee.run()
    except LeftError:
        view.say("left")
    finally:
        os.close(reading)
        if clock is not None:
            os.close(writing)
    return referee.record


Read = Callable[[], str]


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Read:
    """A function for what was shown since it was read last."""
    return lambda: capsys.readouterr().out


async def test_a_person_plays_to_the_end(shown: Read) -> None:
    """By number, by text and by arguments; the goals and who has won are shown."""
    game = find_game("ticTacToe")
    other = PatientScriptedSeat("noop", "(mark 1 1)", "noop", "(mark 1 2)", "noop")

    record = await play(game, "5\nmark 3 1\n1 3\n", other)

    seen = shown()
    assert record.goals == (100, 0)
    assert "You are xplayer against scripted (oplayer)." in seen
    assert "5 mark 2 2" in seen
    assert "xplayer> mark 3 1\n  3. xplayer  (mark 3 1)   mark column 3, row 1\n" in seen
    assert "\n  4. oplayer  (mark 1 2)   mark column 1, row 2\n" in seen
    assert (
        "The game is over after 5 turns: xplayer (you) 100, oplayer (scripted) 0. You win" in seen
    )


async def test_what_the_others_did_is_marked(shown: Read) -> None:
    """Brackets around the places that have changed since the person's own move."""
    other = PatientScriptedSeat("noop", "(mark 1 1)", "noop")

    await play(find_game("ticTacToe"), "5\n", other)

    assert "     2 · x ·\n     1[o]· ·\n" in shown()


async def test_undo_goes_back_to_the_last_decision(shown: Read) -> None:
    """The record has only the moves that count; at the first decision there is nothing to undo."""
    other = PatientScriptedSeat("noop", "(mark 1 1)", "noop", "noop", "(mark 1 3)", "noop")

    record = await play(find_game("ticTacToe"), "undo\n5\nundo\n3 3\n", other)

    seen = shown()
    assert "There is nothing to take back: this is your first decision." in seen
    assert "Taken back; the match continues after 0 turns." in seen
    assert record.moves == (("(mark 3 3)", "noop"), ("noop", "(mark 1 3)"))
    assert ("go back", 0) in other.messages


async def test_why_says_of_facts_and_moves_what_is_missing(shown: Read) -> None:
    """A move may be typed as one types moves; where a game hides something nothing is said."""
    lines = "why 1 9\nwhy mark column 1, row 8\nwhy mark 1 9\nwhy (goal xplayer ?n)\nwhy\n"
    lines += "why (next (cell 1 1 x)) depth 3\nwhy terminal\nwhy terminal depth 9\nquit\n"
    await play(find_game("ticTacToe"), lines, PatientScriptedSeat())
    await play(game_of(HIDDEN), "why terminal\nquit\n", PatientScriptedSeat("(hide 1)"))

    seen = " ".join(shown().split())
    assert "(mark 1 9) is not legal for xplayer in the first state, because (cell 1 9 b)" in seen
    assert "(legal xplayer (mark 1 8)): mark column 1, row 8 no rule makes it" in seen
    assert "(true (cell 1 8 b)): column 1, row 8 is empty not in the state" in seen
    assert "(goal xplayer 50) holds in the first state, because " in seen
    assert "why: expected a fact or a move after it" in seen
    assert "why: (next (cell 1 1 x)) depends on the moves of this turn, which are not" in seen
    before, after = seen.split("why terminal depth 9")
    assert "such as: why FACT depth 9" in before
    assert "such as: why FACT depth 9" not in after
    assert "No why: it would show what this game hides from you." in seen


async def test_help_shows_a_move_of_this_game(shown: Read) -> None:
    """Its example can be typed as it stands."""
    await play(game_of(HIDDEN), "help\nquit\n", PatientScriptedSeat("(hide 1)"))

    seen = shown()
    assert "its text `guess 1`" in seen
    assert "moves made so far" in seen
    assert "hint " not in seen
    assert "take moves back" not in seen


async def test_a_wrong_line_gets_an_answer_that_helps(shown: Read) -> None:
    """The nearest moves, the range of numbers, the moves with a part; then one is asked again."""
    other = PatientScriptedSeat("noop")

    script = "marc 2 2\n10\nmark 1\nmoves 3 3\nmark 9 9\nundoo\nfoo\n\nat column 3, row 3\n"
    record = await play(find_game("ticTacToe"), script, other)

    seen = shown()
    assert "'marc 2 2' is no move here. Did you mean mark 2 2" in seen
    assert "There is no move 10; expected a number from 1 to 9." in seen
    assert "'mark 1' may be 3 moves:\n     1 mark 1 1: mark column 1, row 1  3 mark 1 3" in seen
    assert "xplayer> moves 3 3\n     9 mark 3 3: mark column 3, row 3\n" in seen
    assert "row 9 is not legal now; `why mark 9 9` says why." in seen
    assert "'undoo' is no move here. Did you mean undo?" in seen
    assert "'foo' is no move here. Type a move (`moves` lists them) or a command" in seen
    assert "understood as: mark column 3, row 3\n" in seen
    assert record.moves[0] == ("(mark 3 3)", "noop")


async def test_the_end_of_the_input_leaves_the_match(shown: Read) -> None:
    """So does `quit`; the record is that of a match broken off."""
    ended = await play(find_game("ticTacToe"), "", PatientScriptedSeat("noop"))
    left = await play(find_game("ticTacToe"), "quit\n5\n", PatientScriptedSeat("noop"))

    assert ended.is_aborted
    assert left.is_aborted
    assert shown().count("left\n") == 2


async def test_a_match_is_saved_while_it_goes_on(shown: Read, tmp_path: Path) -> None:
    """In the form of `ggp match --save`; a place that cannot be written is said."""
    file = tmp_path / "my match.json"
    other = PatientScriptedSeat("noop", "(mark 1 1)", "noop")

    await play(find_game("ticTacToe"), f"5\nsave {file}\nsave\nsave {tmp_path}/no/file\n", other)

    seen = shown()
    assert len(MatchRecord.from_text(file.read_text()).moves) == 2
    assert "save: expected a file after it" in seen
    assert f"no/file: there is no folder {tmp_path}/no" in seen


async def test_a_position_is_drawn_into_a_file(shown: Read, tmp_path: Path) -> None:
    """Changes by the others since the person's move are marked, as they are in text."""
    other = PatientScriptedSeat("noop", "(mark 1 1)", "noop")
    file = tmp_path / "now.svg"

    await play(find_game("ticTacToe"), f"5\npicture {file}\nquit\n", other)

    picture = ET.parse(file).getroot()
    squares = [node for node in picture.iter() if "data-words" in node.attrib]
    marked = [node for node in squares if any(one.get("fill") == CHANGED for one in node)]
    assert f"Drawn in {file}." in shown()
    assert len(squares) == 9
    assert [node.attrib["data-words"] for node in marked] == ["1 1"]


async def test_a_picture_needs_a_file_that_can_be_written(shown: Read, tmp_path: Path) -> None:
    """Else it is said what is wrong, and the match goes on."""
    await play(find_game("nim"), f"picture\npicture {tmp_path}\nquit\n", ScriptedSeat())

    seen = shown()
    assert "picture: expected a file after it" in seen
    assert f"picture: {tmp_path}: " in seen


async def test_no_picture_of_what_a_game_hides(shown: Read, tmp_path: Path) -> None:
    """A picture would show more than the person may see."""
    file = tmp_path / "now.svg"

    await play(game_of(HIDDEN), f"picture {file}\nquit\n", ScriptedSeat())

    assert "No picture" in shown()
    assert not file.exists()


async def test_advice_is_given_on_request(shown: Read) -> None:
    """`hint` the winning move, `analyze` the table of all moves; both with a time, if one likes."""
    other = PatientScriptedSeat("noop", "(mark 1 1)", "noop", "(mark 1 2)", "noop")

    await play(find_game("ticTacToe"), "2 2\n3 3\nhint 0.2\nanalyze 0.2\nhint x\nhistory\n", other)

    seen = shown()
    assert "hint: mark 1 3: mark column 1, row 3 (" in seen
    assert "visits" in seen
    assert "hint: expected seconds, from more than 0 to 3600, got 'x'." in seen
    assert "  4. oplayer mark 1 2: mark column 1, row 2\n" in seen


async def test_an_only_move_is_made_and_said(shown: Read) -> None:
    """Nobody is asked where there is nothing to choose."""
    record = await play(game_of(FORCED), "stay\n")

    seen = shown()
    assert record.moves == (("go",), ("stay",))
    assert "  1. me  go   the only move" in seen
    assert "You have 60 of 100." in seen


async def test_moves_at_the_same_time_stay_secret(shown: Read) -> None:
    """The other's choice is shown when both have chosen."""
    other = PatientScriptedSeat("(show paper)")

    await play(find_game("rockPaperScissors"), "rock\n", other)

    before, _, after = shown().partition("> rock")
    assert "scripted (right)" in before
    assert "right  (show paper)" not in before
    assert "right  (show paper)" in after


async def test_chance_is_played_by_the_program(shown: Read) -> None:
    """In pig, the die is rolled for everybody; the person decides only."""
    record = await play(find_game("pig"), "roll\nroll\n", PatientScriptedSeat("noop"))

    assert len(record.moves) >= 2
    assert "random" in shown()


async def test_what_is_shown_depends_on_what_the_role_knows_alone(
    shown: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every character before the end is the same, whatever it is that the others hide."""
    monkeypatch.setattr(knowledge, "SECONDS", PATIENCE)  # so that the belief is complete
    game = find_game("phantomTicTacToe")
    script = (
        "board\n2 2\nhistory\nmoves\nundo\n3 3\nboard\nhint\npicture x\nsave x\nhistory\nquit\n"
    )
    printed = []
    for hidden in ("(mark 1 1)", "(mark 1 3)", "(mark 3 1)"):
        other = PatientScriptedSeat("noop", hidden, "noop", "noop", "(mark 1 2)", "noop", "noop")
        await play(game, script, other)
        printed.append(shown())

    assert printed[0] == printed[1] == printed[2]
    assert "o in %" in printed[0]
    assert "2  12   ·  12" in printed[0]
    assert "  1. mark 2 2: mark column 2, row 2, saw placed\n  2. noop, saw nothing\n" in printed[0]


async def test_a_belief_that_no_state_agrees_with_says_so(shown: Read) -> None:
    """Then what is drawn is made up."""
    game = game_of(HIDDEN)
    known = PersonKnowledge("made", game.machine.roles[0], lambda: game.machine)
    view = PlayView(game, game.machine.roles[0], {"me": "you"}, has_thoughts=False)
    history = view.history
    history.follow(["(guess 1)", "(hide 2)"])
    view.known = known.view(history), False

    view.position()

    assert "No state was found that agrees with what you have seen" in shown()


async def test_what_a_game_hides_is_not_shown(shown: Read) -> None:
    """Only percepts, and no advice of a search that sees everything; all of it in the end."""
    game = game_of(HIDDEN)

    await play(game, "hint\nhistory\nboard\nguess 2\n", PatientScriptedSeat("(hide 2)"))

    before, _, after = shown().partition("> guess 2")
    assert "You do not see everything in this game" in before
    assert "No hint: the search would see what this game hides from you." in before
    assert "hid" not in before.replace("hides", "")
    assert "you see right" in after
    during, _, ended = after.partition("The match is over; this is what happened:\n")
    assert "other" not in during
    assert ended.startswith("  1. me guess 2, other hide 2\n")
    assert "(hidden 2)" in ended


async def test_one_may_play_any_role(shown: Read) -> None:
    """The second role, and the others' moves come first."""
    other = PatientScriptedSeat("(mark 2 2)", "noop")

    record = await play(find_game("ticTacToe"), "1\n", other, role=1)

    assert record.moves[:2] == (("(mark 2 2)", "noop"), ("noop", "(mark 1 1)"))
    assert "You are oplayer against scripted (xplayer)." in shown()


async def test_a_person_may_have_a_clock(shown: Read) -> None:
    """A random move is made when it has run out, as for any player that is late."""
    record = await play(game_of(FORCED), "", clock=0.01)

    assert record.is_completed
    assert record.errors == (("",), ("",), ("TO",))
    assert "Your time is up.\n  2. me  " in shown()


@pytest.mark.parametrize("is_pondering", [False, True])
def test_opponents_rest_while_the_person_thinks(is_pondering: bool) -> None:
    """Unless the person wants them to think all the time."""
    game = find_game("nim")
    book = FollowedRulebook(MachineRulebook(game.machine, has_percepts=False))
    at = Resources(EnginePool(print), "auto", book, is_pondering)

    seat = Contestant("mcts", "mcts").seat(at, 1, SeatReports(print, print, print))

    assert isinstance(seat, LocalSeat)
    assert seat._config.is_pondering is is_pondering

"""The server's answers to each message of a match."""

from __future__ import annotations

import asyncio

import pytest

from ggp import games
from ggp.engine import EngineConfig
from ggp.server.config import one_word
from tests.ggp.server.wire import QUICK, serving, start


async def test_info_says_name_and_status() -> None:
    """Schedulers want `available`; a name is one word."""
    async with serving(name="My (best) Player") as wire:
        assert (await wire.say("( INFO )")).startswith("((name My-best-Player) (status available) ")
        assert (await wire.say("info()")).startswith("[[name,My-best-Player],[status,available],")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("interpreter, grounding took longer than 20 s", "interpreter-grounding-took-longer"),
        ("lanes, the fastest", "lanes-the-fastest"),
        ("a" * 50, "a" * 35),
        ("(a) [b], c;", "-a-b-c-"),
    ],
)
def test_what_is_too_long_for_a_value_ends_with_a_whole_word(text: str, word: str) -> None:
    """Brackets, commas and blanks become hyphens."""
    assert one_word(text, 35) == word


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("(ping)", "ready"),
        ("(ping p1)", "(reply p1 ready)"),
        ("ping(p1)", "reply(p1,ready)"),
        ("( PREVIEW (( role x ) ) 2 )", "ready"),
        ("( PLAY unknown NIL )", "busy"),
        ("( STOP unknown NIL )", "busy"),
        ("( ABORT unknown )", "busy"),
        ("play(unknown,nil)", "reply(unknown,busy)"),
        ("stop(unknown,nil)", ""),
        ("abort(unknown)", ""),
        ("whatever(x)", "sorry"),
    ],
)
async def test_messages_outside_a_match(message: str, reply: str) -> None:
    """Each has an answer at once, in the form of its message."""
    async with serving() as wire:
        assert await wire.say(message) == reply


async def test_a_whole_match_as_ggp_base_plays_it() -> None:
    """The state is advanced by the manager's moves; legal moves in the rulesheet's spelling."""
    async with serving() as wire:
        assert await wire.say(start("m.1")) == "ready"
        assert await wire.say("( PLAY m.1 NIL )") == "take"
        assert await wire.say("( PLAY m.1 (take noop ) )") == "noop"
        assert await wire.say("( PLAY m.1 (noop take ) )") == "take"
        assert await wire.say("( STOP m.1 (take noop ) )") == "done"
        assert await wire.say("( STOP m.1 (take noop ) )") == "busy"


async def test_dresden_writes_in_upper_case() -> None:
    """Then the rulesheet's own spelling is upper case too."""
    message = start("m").replace("START m", "start m").upper().replace("START M", "START m")
    async with serving() as wire:
        assert await wire.say(message) == "ready"
        assert await wire.say("(PLAY m NIL)") == "TAKE"
        assert await wire.say("(PLAY m (TAKE NOOP))") == "NOOP"


async def test_moves_in_another_case_are_understood() -> None:
    """A manager that shouts the moves of a quiet rulesheet gets quiet answers."""
    async with serving() as wire:
        await wire.say(start("m", role="BLACK"))
        await wire.say("(PLAY m NIL)")

        assert await wire.say("(PLAY m (TAKE NOOP))") == "take"


async def test_a_repeated_play_is_answered_alike_and_applied_once() -> None:
    """After the answer as well as before it."""
    async with serving() as wire:
        await wire.say(start("m"))
        first = await asyncio.gather(*(wire.say("( PLAY m NIL )") for _ in range(2)))
        second = await asyncio.gather(*(wire.say("( PLAY m (take noop ) )") for _ in range(2)))
        third = await wire.say("( PLAY m (noop take ) )")
        again = await wire.say("( PLAY m (noop take ) )")

    assert first == ["take"] * 2
    assert second == ["noop"] * 2
    assert third == again == "take"


async def test_a_repeated_start_is_answered_alike() -> None:
    """A manager that asks twice does not begin the match twice."""
    async with serving() as wire:
        replies = await asyncio.gather(wire.say(start("m")), wire.say(start("m")))

        assert list(replies) == ["ready", "ready"]
        assert await wire.say("( PLAY m NIL )") == "take"


async def test_a_second_role_of_a_match_at_the_same_address_is_refused() -> None:
    """At one address PLAY does not tell the roles apart; the first keeps playing."""
    async with serving() as wire:
        assert await wire.say(start("m", "white")) == "ready"
        assert await wire.say(start("m", "black")) == "busy"
        assert await wire.say("( PLAY m NIL )") == "take"


async def test_roles_of_one_match_are_told_apart_by_the_name_of_their_player() -> None:
    """One server may be registered for several roles: GGP-Base sends each player's name along."""
    async with serving() as wire:
        assert await wire.say(start("m"), "one") == "ready"
        assert await wire.say(start("m", role="black"), "two") == "ready"
        assert await wire.say("( PLAY m NIL )", "one") == "take"
        assert await wire.say("( PLAY m NIL )", "two") == "noop"
        assert await wire.say("( PLAY m (take noop ) )", "two") == "take"
        assert await wire.say("( PLAY m (take noop ) )", "one") == "noop"
        assert await wire.say("( PLAY m (noop take ) )", "three") == "busy"
        assert await wire.say("( STOP m (noop take ) )", "one") == "done"
        assert await wire.say("( STOP m (noop take ) )", "two") == "done"


async def test_roles_of_one_match_are_told_apart_by_their_path() -> None:
    """The address of a player may have a path, one for each role."""
    async with serving() as wire:
        for path, role in [("/white", "white"), ("/black", "black")]:
            assert (await wire.post(start("m", role=role), path=path)).body == "ready"

        assert (await wire.post("( PLAY m NIL )", path="/white")).body == "take"
        assert (await wire.post("( PLAY m NIL )", path="/black")).body == "noop"


async def test_a_role_that_was_refused_is_not_played_by_the_other() -> None:
    """Nor does its end end the other's match, also where it was played and has ended."""
    async with serving(max_matches=1) as wire:
        assert (await wire.post(start("m", role="white"), path="/white")).body == "ready"
        assert (await wire.post(start("m", role="black"), path="/black")).body == "busy"
        assert (await wire.post("( PLAY m NIL )", path="/black")).body == "busy"
        assert (await wire.post("( STOP m NIL )", path="/black")).body == "busy"
        assert (await wire.post("( PLAY m NIL )", path="/white")).body == "take"
        assert (await wire.post("( ABORT m )", path="/white")).body == "aborted"
        assert (await wire.post(start("m", role="black"), path="/black")).body == "ready"
        assert (await wire.post("( PLAY m NIL )", path="/white")).body == "busy"
        assert (await wire.post("( PLAY m NIL )", path="/black")).body == "noop"


async def test_the_only_role_of_a_match_answers_to_any_name() -> None:
    """A manager that calls us otherwise than in its START is served all the same."""
    async with serving() as wire:
        assert await wire.say(start("m"), "one") == "ready"
        assert await wire.say("( PLAY m NIL )", "another") == "take"
        assert await wire.say("( STOP m (take noop ) )", "") == "done"


async def test_a_new_start_begins_the_match_anew() -> None:
    """A manager that died and came back gets the first turn again."""
    async with serving() as wire:
        await wire.say(start("m"))
        await wire.say("( PLAY m NIL )")
        assert await wire.say("( PLAY m (take noop ) )") == "noop"

        assert await wire.say(start("m")) == "ready"
        assert await wire.say("( PLAY m NIL )") == "take"


async def test_an_abort_ends_even_a_match_that_has_not_begun() -> None:
    """Whoever waits for it is told that it is gone."""
    async with serving(QUICK, engine=EngineConfig(player="Sleepy")) as wire:
        beginning = asyncio.create_task(wire.say(start("m", clocks="60 60")))
        while (aborted := await wire.say("( ABORT m )")) == "busy":
            pass

        assert aborted == "aborted"
        assert await beginning in {"busy", "ready"}
        assert await wire.say("( PLAY m NIL )") == "busy"


async def test_matches_do_not_touch_each_other() -> None:
    """Two matches in different turns and roles."""
    async with serving() as wire:
        await asyncio.gather(wire.say(start("a", "white")), wire.say(start("b", "black")))
        assert await wire.say("( PLAY a NIL )") == "take"
        assert await wire.say("( PLAY b NIL )") == "noop"
        assert await wire.say("( ABORT a )") == "aborted"
        assert await wire.say("( PLAY a (take noop ) )") == "busy"
        assert await wire.say("( PLAY b (take noop ) )") == "take"


async def test_at_the_limit_the_server_is_busy_until_a_match_ends() -> None:
    """INFO says so before a manager tries."""
    async with serving(max_matches=1) as wire:
        await wire.say(start("a"))
        assert "(status busy)" in await wire.say("(INFO)")
        assert await wire.say(start("b")) == "busy"

        await wire.say("( ABORT a )")
        assert "(status available)" in await wire.say("(INFO)")
        assert await wire.say(start("b")) == "ready"


async def test_an_orphaned_match_makes_room() -> None:
    """A manager that dies sends neither STOP nor ABORT."""
    async with serving(max_matches=1, orphan_grace=-10.0) as wire:
        await wire.say(start("a"))
        assert "(status available)" in await wire.say("(INFO)")
        assert await wire.say(start("b")) == "ready"
        assert await wire.say("( PLAY a NIL )") == "busy"


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (start("m.7", rules="(role white) (<= (legal white"), "expected 1 more ) to close"),
        (start("m.7", rules="(role white) (<= )"), "m.7:1:"),
        (start("m.7", role="green"), "green"),
        (start("m.7", rules=""), "role"),
    ],
)
async def test_rules_that_cannot_be_played_are_refused(message: str, problem: str) -> None:
    """400 and one line with the place; the match's name stands for the file."""
    async with serving() as wire:
        response = await wire.post(message)

        assert response.status == 400
        assert problem in response.body
        assert response.body.count("\n") == 1
        assert await wire.say("( PLAY m.7 NIL )") == "busy"


async def test_impossible_moves_are_refused_and_change_nothing() -> None:
    """The match goes on from where it was."""
    async with serving() as wire:
        await wire.say(start("m"))
        await wire.say("( PLAY m NIL )")
        response = await wire.post("( PLAY m (take noop noop ) )")

        assert response.status == 400
        assert response.body.count("\n") == 1
        assert await wire.say("( PLAY m (take noop ) )") == "noop"


async def test_the_later_gdl2_form_counts_turns() -> None:
    """`(PLAY match turn lastmove percepts)`: a turn that was told before is not told again."""
    rules = (
        "(role you) (init (s 0)) (succ 0 1) (succ 1 2) (legal you (say a)) "
        "(<= (next (s ?m)) (true (s ?n)) (succ ?n ?m)) (<= (sees you (did ?m)) (does you ?m)) "
        "(<= terminal (true (s 2))) (goal you 100)"
    )
    async with serving() as wire:
        await wire.say(start("m", "you", rules=rules))
        assert await wire.say("(PLAY m 0 NIL NIL)") == "(say a)"
        assert await wire.say("(PLAY m 1 (say a) ((did (say a))))") == "(say a)"
        assert await wire.say("(PLAY m 1 (say a) ((did (say a))))") == "(say a)"
        assert (await wire.post("(PLAY m 7 (say a) ((did (say a))))")).status == 400
        assert await wire.say("(STOP m 2 (say a) ((did (say a))))") == "done"


async def test_the_older_gdl2_form_tells_percepts_only() -> None:
    """A game with `sees`: what stands in the moves' place is what our role saw."""
    rules = (
        "(role you) (init (s 0)) (succ 0 1) (succ 1 2) (legal you (say a)) "
        "(<= (next (s ?m)) (true (s ?n)) (succ ?n ?m)) (<= (sees you (did ?m)) (does you ?m)) "
        "(<= terminal (true (s 2))) (goal you 100)"
    )
    async with serving() as wire:
        await wire.say(start("m", "you", rules=rules))
        assert await wire.say("(PLAY m NIL)") == "(say a)"
        assert await wire.say("(PLAY m ((did (say a))))") == "(say a)"
        assert await wire.say("(STOP m ((did (say a))))") == "done"


async def test_a_gamemaster_match_in_infix() -> None:
    """Single moves, identifiers, and silence when the other role is in control."""
    rules = games.text("ticTacToe", "epilog")
    quick = EngineConfig(player="legal", reasoner="interpreter")
    async with serving(QUICK, engine=quick) as wire:
        begun = await wire.post(f"start(m7,xplayer,[{rules}],20,20)")
        move = await wire.post("play(m7,nil)")
        silent = await wire.post(f"play(m7,{move.body.removeprefix('reply(m7,')[:-1]})")
        ended = await wire.post("stop(m7,nil)")

    assert begun.body == "reply(m7,ready)"
    assert move.body.startswith("reply(m7,mark(")
    assert (silent.status, silent.body, ended.body) == (200, "", "")
    assert begun.headers["content-type"] == "text/plain"


async def test_a_gamemaster_match_in_prefix() -> None:
    """Epilog rules tell that a prefix START is Gamemaster's."""
    rules = games.text("ticTacToe", "epilog")
    async with serving() as wire:
        assert await wire.say(f"(start m7 oplayer ({rules}) 20 20)") == "(reply m7 ready)"
        assert await wire.say("(play m7 nil)") == ""
        assert (await wire.say("(play m7 (mark 1 1))")).startswith("(reply m7 (mark ")
        assert await wire.say("(abort m7)") == ""

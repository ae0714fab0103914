"""Players of others at a manager's table: bad ones, foreign tongues, and games with secrets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ggp import games
from ggp.manager.domain.matches import MatchPlan
from ggp.manager.domain.players import PERSON
from ggp.manager.errors import WrongRequestError
from ggp.manager.service import ManagerService, open_service
from ggp.manager.store import matches, players, rulesheets
from ggp.manager.store.tables import MatchRow, Status
from ggp.protocol import Play, decode
from ggp.protocol.dialects import DIALECTS
from ggp.records.record import MatchRecord
from ggp.server.app import running as serving
from ggp.server.config import ServerConfig
from ggp.tournament.plan import TournamentPlan
from tests.fakes.foreign import Act, Foreign, closes, resets, running, says, sends, silent
from tests.ggp.manager.desk import config_for, over, over_tournament, turns
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("ready_forkers", "kernels")

SECRET = """
(role guesser) (role hider)
(init (step 0))
(value 1) (value 2) (value 3)
(<= (legal hider (hide ?n)) (value ?n) (true (step 0)))
(<= (legal hider noop) (true (step 1)))
(<= (legal guesser noop) (true (step 0)))
(<= (legal guesser (guess ?n)) (value ?n) (true (step 1)))
(<= (sees guesser hidden) (does hider (hide ?n)))
(<= (sees hider (hid ?n)) (does hider (hide ?n)))
(<= (next (secret ?n)) (does hider (hide ?n)))
(<= (next (step 1)) (true (step 0)))
(<= (next found) (does guesser (guess ?n)) (true (secret ?n)))
(<= (next over) (true (step 1)))
(<= terminal (true over))
(<= (goal guesser 100) (true found))
(<= (goal guesser 0) (not (true found)))
(<= (goal hider 0) (true found))
(<= (goal hider 100) (not (true found)))
"""
"""One hides a number that the other has to guess."""

Script = Mapping[str, Act | Sequence[Act]]
GUESSER = {"PLAY": [says("noop"), says("(guess 2)")]}
LOUD_GUESSER = {"PLAY": [says("NOOP"), says("(GUESS 2)")]}


@asynccontextmanager
async def opened(
    folder: Path, *scripts: Script
) -> AsyncIterator[tuple[ManagerService, list[Foreign], list[str]]]:
    """A manager that knows the game `secret`, and players that follow scripts."""
    async with AsyncExitStack() as stack:
        found = [Foreign(script) for script in scripts]
        addresses = [await stack.enter_async_context(running(one)) for one in found]
        service = await stack.enter_async_context(open_service(config_for(folder)))
        async with service.database.writing() as session:
            await rulesheets.keep(session, "secret", SECRET, now=1)
        yield service, found, addresses


async def record_of(service: ManagerService, number: int) -> MatchRecord:
    """A match as it is exported."""
    async with service.database.reading() as session:
        return await matches.record_of(session, number)


async def test_bad_players_are_recorded_as_ggp_base_does(tmp_path: Path) -> None:
    """One breaks connections, is illegal or unreadable; the other one says no word at first."""
    script: Script = {
        "START": closes,
        "PLAY": [resets, says("(mark 9 9)"), sends(b"HTTP/1.0 200 OK\r\n\r\n(mark")],
    }
    other: Script = {"START": silent, "PLAY": [silent, says("(mark 9 9)")]}
    async with opened(tmp_path, script, other) as (
        service,
        [bad, mute],
        addresses,
    ):
        proposal = MatchPlan(
            game="ticTacToe",
            players=tuple(addresses),
            names=("bad", "mute"),
            startclock=1,
            playclock=1,
            seed=1,
            move_limit=3,
        )
        await over(service, await service.host.set_up(proposal))
        record = await record_of(service, 1)

    assert record.errors == (
        ("CE", "TO"),
        ("CE", "TO"),
        ("IL ( mark 9 9 )", "IL ( mark 9 9 )"),
        ("IL null", "IL ( mark 9 9 )"),
    )
    told = [message.last.items for message in map(decode, bad.bodies) if isinstance(message, Play)]
    assert told == [None, *record.moves[:2]]
    assert (bad.words[-1], mute.words[-1]) == ("ABORT", "ABORT")  # the move limit


async def test_a_player_that_is_not_there_loses_and_harms_nobody(tmp_path: Path) -> None:
    """All its moves are random ones; STOP goes to the other with the last joint move."""
    async with opened(tmp_path, {"PLAY": says("noop")}) as (service, [player], [address]):
        absent = "http://127.0.0.1:9"
        proposal = MatchPlan(game="ticTacToe", players=(absent, address), seed=1)
        match = await over(service, await service.host.set_up(proposal))
        record = await record_of(service, 1)

    assert match.status == Status.COMPLETED
    assert {row[0] for row in record.errors} == {"CE"}
    last = decode(player.bodies[-1])
    assert player.words[-1] == "STOP"
    assert getattr(last, "last").items == record.moves[-1]  # noqa: B009  # a STOP has one


@pytest.mark.parametrize(
    ("dialect", "script", "plays"),
    [
        ("ggp-base", GUESSER, ["( PLAY M NIL )", "( PLAY M (hidden ) )"]),
        ("dresden", LOUD_GUESSER, ["(PLAY M NIL)", "(PLAY M (HIDDEN))"]),
        ("gdl-ii", LOUD_GUESSER, ["(PLAY M 0 NIL NIL)", "(PLAY M 1 NOOP (HIDDEN))"]),
    ],
)
async def test_a_player_is_told_what_it_sees_and_no_more(
    tmp_path: Path, dialect: str, script: Mapping[str, Sequence[Act]], plays: list[str]
) -> None:
    """Not the others' moves; the record and the spectators have them."""
    async with opened(tmp_path, script) as (service, [player], [address]):
        proposal = MatchPlan(game="secret", players=(address, "legal"), dialect=dialect)
        match = await over(service, await service.host.set_up(proposal))
        played = await turns(service, 1)

    bodies = [body.replace(match.match_id, "M") for body in player.bodies]
    assert bodies[1:3] == plays
    assert not any("(HIDE 1)" in body.upper() for body in bodies[1:])
    assert player.words == ["START", "PLAY", "PLAY", "STOP"]
    assert [turn.moves for turn in played[1:]] == [("noop", "(hide 1)"), ("(guess 2)", "noop")]
    assert not any(any(turn.errors) for turn in played)


async def test_a_player_of_ours_does_not_see_what_its_role_does_not(tmp_path: Path) -> None:
    """One in three hundred would guess it; who saw the move would know it."""
    many = SECRET.replace("(value 3)", " ".join(f"(value {n})" for n in range(3, 301)))
    async with opened(tmp_path) as (service, _, _):
        async with service.database.writing() as session:
            await rulesheets.keep(session, "secret", many, now=2)
        proposal = MatchPlan(
            game="secret", players=("montecarlo", "random"), startclock=1, playclock=1
        )
        match = await over(service, await service.host.set_up(proposal))
        played = await turns(service, 1)

    assert match.goals == [0, 100]
    assert played[1].moves[1].startswith("(hide ")


async def test_a_player_of_gdl_ii_is_told_all_where_everybody_sees_all(tmp_path: Path) -> None:
    """As percepts, under a rule that is added to those that it gets."""
    async with opened(tmp_path, {"PLAY": says("NOOP")}) as (service, [player], [address]):
        proposal = MatchPlan(
            game="ticTacToe", players=("legal", address), seed=1, dialect="gdl-ii", move_limit=2
        )
        match = await over(service, await service.host.set_up(proposal))

    bodies = [body.replace(match.match_id, "M") for body in player.bodies]
    assert "(<= (SEES ?P (DID ?P2 ?M)) (ROLE ?P) (DOES ?P2 ?M))" in bodies[0]
    assert bodies[2] == "(PLAY M 1 NOOP ((DID XPLAYER (MARK 1 1)) (DID OPLAYER NOOP)))"
    assert player.words[-1] == "STOP"  # Dresden has no ABORT; without a word it would play on


async def test_gamemasters_players_get_epilog_and_may_be_silent(tmp_path: Path) -> None:
    """The rules as they stand, single moves, and no answer of who is not in control."""
    epilog = (games.path("ticTacToe").parent / "epilog" / "ticTacToe.epilog").read_text()
    empty = sends(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")
    script: Script = {
        "START": says("reply(m,ready)"),
        "PLAY": [says("reply(m,mark(1,1))"), empty, says("reply(m, mark( 2, 2))"), empty],
    }
    async with opened(tmp_path, script) as (service, [player], [address]):
        async with service.database.writing() as session:
            await rulesheets.keep(session, "infix", epilog, now=1)
        proposal = MatchPlan(
            game="infix", players=(address, "legal"), seed=1, dialect="gamemaster", move_limit=4
        )
        match = await over(service, await service.host.set_up(proposal))
        played = await turns(service, 1)

    name = match.match_id.replace(".", "_")
    assert player.bodies[0].startswith(f"start({name},xplayer,[role(xplayer)")
    assert "%" not in player.bodies[0]
    moves = [turn.moves for turn in played[1:]]
    assert moves == [
        ("(mark 1 1)", "noop"),
        ("noop", "(mark 1 2)"),
        ("(mark 2 2)", "noop"),
        ("noop", "(mark 1 3)"),
    ]
    told = ("nil", "mark(1,1)", "mark(1,2)", "mark(2,2)")
    assert player.bodies[1:] == [*(f"play({name},{move})" for move in told), f"abort({name})"]
    assert not any(any(turn.errors) for turn in played)


async def test_gamemasters_players_cannot_be_told_scrambled_rules(tmp_path: Path) -> None:
    """That is known before the match, so it is refused."""
    async with opened(tmp_path, {}) as (service, [player], [address]):
        players = (address, "legal")
        proposal = MatchPlan(game="ticTacToe", players=players, dialect="gamemaster")
        with pytest.raises(WrongRequestError, match="receives the rules in Epilog"):
            await service.host.set_up(replace(proposal, is_scrambled=True))

    assert player.words == []


async def test_gamemasters_players_cannot_be_told_what_they_see(tmp_path: Path) -> None:
    """The match is broken off before anything is sent, with the reason."""
    async with opened(tmp_path, {}) as (service, [player], [address]):
        proposal = MatchPlan(game="secret", players=(address, "legal"), dialect="gamemaster")
        match = await over(service, await service.host.set_up(proposal))

    assert match.status == Status.ABORTED
    assert "no words for what a role sees" in match.reason
    assert player.words == []


async def test_a_registered_player_is_spoken_to_in_its_own_dialect(tmp_path: Path) -> None:
    """And in another one where the match says so."""
    script = {"PLAY": says("noop")}
    async with opened(tmp_path, script) as (service, [player], [address]):
        async with service.database.writing() as session:
            await players.register(session, "loud", address, "dresden", now=1)
        proposal = MatchPlan(game="ticTacToe", players=("legal", "loud"), seed=1, move_limit=1)
        found = [
            await over(service, await service.host.set_up(one))
            for one in (proposal, replace(proposal, dialect="ggp-base"))
        ]

    starts = [
        body for body, word in zip(player.bodies, player.words, strict=True) if word == "START"
    ]
    assert [start[:8] for start in starts] == ["(START g", "( START "]
    assert [match.seats[1].dialect for match in found] == ["dresden", "ggp-base"]


@pytest.mark.thorough
async def test_a_tournament_speaks_to_each_in_its_dialect(tmp_path: Path) -> None:
    """As its file says."""
    script = {"PLAY": says("noop")}
    async with opened(tmp_path, script, script) as (service, found, addresses):
        plan = TournamentPlan.read(
            {
                "name": "tongues",
                "games": ["ticTacToe"],
                "matches": 1,
                "move_limit": 1,
                "players": [
                    {"name": "a", "player": addresses[0], "dialect": "dresden"},
                    {"name": "b", "player": addresses[1]},
                ],
            }
        )
        await over_tournament(service.tournaments, await service.tournaments.create(plan))
        await service.tournaments.close()

    assert [player.bodies[0][:8] for player in found] == ["(START g", "( START "]


@pytest.mark.thorough
async def test_who_waits_for_a_person_that_is_away_is_not_told_of_an_end(tmp_path: Path) -> None:
    """The match rests; when it goes on, so does the player, and it is not asked again."""
    script: Script = {"PLAY": [says("noop"), says("(mark 3 3)")]}
    async with AsyncExitStack() as stack:
        player = Foreign(script)
        address = await stack.enter_async_context(running(player))
        config = config_for(tmp_path, person_seconds=1.5)
        service = await stack.enter_async_context(open_service(config))
        proposal = MatchPlan(game="ticTacToe", players=(PERSON, address), seed=1, move_limit=2)
        rested = await over(service, await service.host.set_up(proposal))
        before = player.words.copy()
        await service.host.resume(1)
        await _moved(service, "(mark 1 1)", 1)
        match = await over(service, 1)
        played = await turns(service, 1)

    assert (rested.status, rested.reason[:20]) == (Status.INTERRUPTED, "xplayer made no move")
    assert before == ["START", "PLAY"]
    assert player.words == ["START", "PLAY", "PLAY", "ABORT"]  # the move limit of a short test
    assert match.num_turns == 2
    assert [turn.moves for turn in played[1:]] == [("(mark 1 1)", "noop"), ("noop", "(mark 3 3)")]
    assert not any(any(turn.errors) for turn in played)


async def _moved(service: ManagerService, move: str, turn: int) -> None:
    """A person's move, once the match has been taken up."""
    async with asyncio.timeout(20):
        while (seat := service.tables.person_at(1, "xplayer")) is None:
            await asyncio.sleep(0)
        await seat.move(move, turn)


@pytest.mark.parametrize("dialect", all_but(["gdl-ii"], DIALECTS))
async def test_our_own_server_understands_our_manager(tmp_path: Path, dialect: str) -> None:
    """A whole match over HTTP in each dialect without an error, with secrets where it has them."""
    game = "ticTacToe" if dialect == "gamemaster" else "secret"
    async with AsyncExitStack() as stack:
        service, _, _ = await stack.enter_async_context(opened(tmp_path))
        address = await stack.enter_async_context(serving(ServerConfig(port=0, num_warm=0)))
        proposal = MatchPlan(
            game=game,
            players=(address, "random"),
            startclock=8,
            playclock=4,
            seed=1 if dialect == "gamemaster" else None,  # the manager draws that of secrets
            dialect=dialect,
        )
        match = await over_slowly(service, await service.host.set_up(proposal))
        played = await turns(service, 1)

    assert match.status == Status.COMPLETED, match.reason
    assert [turn.errors for turn in played] == [("", "")] * len(played)


async def over_slowly(service: ManagerService, number: int) -> MatchRow:
    """A match with a player that searches."""
    async with asyncio.timeout(90):
        await asyncio.wait([service.host.start(number)])
    async with service.database.reading() as session:
        return await matches.find(session, number)

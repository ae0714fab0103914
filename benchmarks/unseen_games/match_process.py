"""The process that plays one match: read a fixture from standard input and print its result.

    python -m unseen_games.match_process CORE FOLDER < FIXTURE

CORE is the core of the match, or -1 for all cores. FOLDER must be empty. It becomes the players'
cache and their folder of networks, so that they know nothing of a game but its rules. Only the
kernels that all games share come from the usual cache. Players over HTTP are servers that run
already, with cores and folders of their own.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from contest.openspiel import BotOptions
from contest.score import DRAW, LOSS, WIN
from contest.sides import BotSide, LocalSide

import gdl
from ggp.engine import EngineConfig, EnginePool
from ggp.match.errors import MoveLimitError
from ggp.match.events import Event, Moved
from ggp.match.referee import MatchSetup, Referee
from ggp.match.rulebook import MachineRulebook
from ggp.match.seat import Seat
from ggp.players.registry import parse_spec
from ggp.seating.local import LocalSeat
from ggp.seating.remote import RemoteSeat
from unseen_games.contestants import is_openspiel, with_rounds
from unseen_games.fixture import Fixture
from unseen_games.rulesheets import find_sheet, load
from unseen_games.seats import ScrambledSeat, SideSeat, WaitingSeat
from unseen_games.served import KERNELS_VARIABLE
from unseen_games.versions import VersionSide, parts_of

MOVE_LIMIT = 500
LOAD_SECONDS = 120.0
MARGIN_SECONDS = 0.3
"""Of its clock that a player of ours does not use: 0.2 s of the seat, 0.1 s of the engine."""
PATIENCE_SECONDS = 100_000.0
"""For seats that keep their own clocks."""


class Match:
    """One match and what is noted of it."""

    def __init__(self, fixture: Fixture) -> None:
        self.fixture = fixture
        self.sheet = find_sheet(fixture.game)
        self.game = load(self.sheet)
        rules = gdl.read_rules(self.sheet.text, fixture.game)
        self.words = gdl.scramble(rules, fixture.words_seed())
        self.seats: list[WaitingSeat] = []
        self.iterations: list[list[float]] = [[], []]
        self.faults: Counter[str] = Counter()
        self.notes: list[str] = []

    async def play(self, pool: EnginePool | None) -> dict[str, Any]:
        """Play to the end; return the result as a row."""
        core = asyncio.Lock()
        self.seats = [
            WaitingSeat(self._seat(role, pool), core, PATIENCE_SECONDS) for role in (0, 1)
        ]
        return await self._run()

    async def play_over_http(self) -> dict[str, Any]:
        """Play to the end with two servers; return the result as a row."""
        fixture = self.fixture
        for role in (0, 1):
            address = fixture.addresses[role if fixture.first == 0 else 1 - role]
            seat = RemoteSeat(address, fixture.in_role_order[role], self._note)
            scrambled = ScrambledSeat(seat, self.words)
            self.seats.append(WaitingSeat(scrambled, asyncio.Lock(), seat.overtime_seconds))
        return await self._run()

    async def _run(self) -> dict[str, Any]:
        fixture = self.fixture
        setup = MatchSetup(
            match_id="unseen",
            rulebook=MachineRulebook(self.game),
            rules=self.sheet.text,
            startclock=fixture.startclock,
            playclock=fixture.playclock,
            move_limit=MOVE_LIMIT,
            seed=fixture.referee_seed(),
        )
        referee = Referee(setup, self.seats, self._observe)
        try:
            await referee.run()
        except MoveLimitError:
            self.faults[f"not over after {MOVE_LIMIT} moves: a draw"] += 1
        return self._row(referee)

    def _seat(self, role: int, pool: EnginePool | None) -> Seat:
        fixture, game = self.fixture, self.game
        spec, seed = fixture.in_role_order[role], fixture.player_seed(role)
        own, seconds = game.roles[role], fixture.playclock - MARGIN_SECONDS
        if is_openspiel(spec):
            text = with_rounds(spec, fixture.rounds) if fixture.rounds else spec
            options = BotOptions.read(parse_spec(text).options)
            bot = BotSide(options, fixture.game, game, fixture.python, seed)
            return SideSeat(bot, game, own, spec, seconds)
        player_spec, folder = parts_of(spec)
        if folder is not None:
            counted = with_rounds(player_spec, fixture.rounds) if fixture.rounds else player_spec
            side = VersionSide(counted, folder, self.words, own, seed)
            return SideSeat(side, game, own, spec, float("inf") if fixture.rounds else seconds)
        if pool is None:
            player = LocalSide(with_rounds(spec, fixture.rounds), game, own, seed)
            return SideSeat(player, game, own, spec, float("inf"))
        # Pondering for no time ends the player's other work, such as learning.
        config = EngineConfig(player=spec, seed=seed, ponder_seconds=0.0)
        seat = LocalSeat(pool, config, spec, self._note, warn=self._note)
        return ScrambledSeat(seat, self.words)

    def _note(self, text: str) -> None:
        self.notes.append(text)

    def _observe(self, event: Event) -> None:
        if not isinstance(event, Moved):
            return
        for role, reply in enumerate(event.replies):
            if reply.mark:
                self.faults[f"{self.fixture.in_role_order[role]}: {reply.mark}"] += 1
            count = reply.search_info.get("iterations")
            if reply.num_legal > 1 and isinstance(count, int | float):
                self.iterations[role].append(count)

    def _row(self, referee: Referee) -> dict[str, Any]:
        goals, moves = referee.record.goals, referee.record.moves
        first = self.fixture.first
        own, other = (0, 0) if goals is None else (goals[first], goals[1 - first])
        means = [round(sum(each) / len(each)) if each else None for each in self.iterations]
        slowest = [round(seat.slowest_seconds, 2) for seat in self.seats]
        return {
            "points": WIN if own > other else LOSS if own < other else DRAW,
            "goals": goals,
            "plies": len(moves),
            "rounds_a_move": [means[first], means[1 - first]],
            "slowest_seconds": [slowest[first], slowest[1 - first]],
            "faults": dict(self.faults),
            "notes": self.notes,
            "moves": [" ".join(turn) for turn in moves],
        }


async def _played(match: Match) -> dict[str, Any]:
    if match.fixture.is_http:
        return await match.play_over_http()
    if match.fixture.rounds:
        return await match.play(None)
    async with EnginePool(match.notes.append) as pool:
        await pool.start(2)
        await pool.until_loaded(LOAD_SECONDS)
        return await match.play(pool)


def forget_all(folder: Path) -> None:
    """Let this process and its children find nothing that is stored of games."""
    kernels = os.environ.get(KERNELS_VARIABLE) or str(gdl.cache_folder() or "")
    if kernels:
        os.environ[KERNELS_VARIABLE] = kernels
    os.environ["GGP_CACHE_DIR"] = str(folder / "cache")
    os.environ["GGP_NETWORKS"] = str(folder / "networks")


def main() -> None:
    """Play the match."""
    core, folder = int(sys.argv[1]), Path(sys.argv[2])
    if core >= 0:
        os.sched_setaffinity(0, {core})
    match = Match(Fixture.from_json(sys.stdin.read()))  # the referee may know the game
    forget_all(folder)
    print(json.dumps(asyncio.run(_played(match))), flush=True)


if __name__ == "__main__":
    main()

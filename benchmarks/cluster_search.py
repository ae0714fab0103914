"""Search on two machines of a cluster: iterations, answers in time, and machines that die.

    python benchmarks/cluster_search.py [GAME ...] [--seconds 1] [--turns 12] [--kills 0] [--json]

Start a Ray cluster on this machine: a head without a CPU, which has the player, and a node with
one. So two processes search with `mcts:nodes=2`. The script compares its iterations with those of
`mcts` at equal time in the same positions of random games, and prints how long after the deadline
an answer came. With `--kills` the node is killed that often at random moments of such matches, and
another one replaces it. Then the script also counts the answers that were late (more than 50 ms) or
illegal. The machine should be idle. Ray runs its workers with low priority. To measure two machines
that have nothing else to do, set RAY_worker_niceness=0 in the environment.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.cluster_utils import Cluster

import gdl
from ggp.clock import Deadline
from ggp.cluster.connection import ADDRESS_VARIABLE, connect
from ggp.players.base import Player
from ggp.players.registry import create
from ggp.rulesheets import find_game

LATE_SECONDS = 0.05
NODE_SECONDS = 60.0
ALONE, TOGETHER = "mcts:network=none", "mcts:nodes=2"


@dataclass(slots=True)
class Tally:
    """Measurements of one player in one game."""

    rounds: list[int] = field(default_factory=list)
    overshoots: list[float] = field(default_factory=list)
    answers_with_help: int = 0
    illegal: int = 0

    def summary(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {
            "answers": len(self.overshoots),
            "with_help": self.answers_with_help,
            "rounds_a_turn": statistics.fmean(self.rounds) if self.rounds else 0.0,
            "worst_overshoot_ms": 1e3 * max(self.overshoots, default=0.0),
            "late": sum(over > LATE_SECONDS for over in self.overshoots),
            "illegal": self.illegal,
        }


def positions(game: gdl.Game, seed: int) -> Iterator[tuple[gdl.State, tuple[gdl.Move, ...]]]:
    """Return the states of a random game, each with the joint move made there."""
    rng, state = random.Random(seed), game.initial_state()
    while not game.is_terminal(state):
        moves = tuple(rng.choice(game.legal_moves(state, role)) for role in game.roles)
        yield state, moves
        state = game.next_state(state, moves)


def play(
    player: Player, game: gdl.Game, options: argparse.Namespace, seed: int, tally: Tally
) -> None:
    """Let a player search along a random game, whose moves do not depend on the player."""
    for turn, (state, moves) in enumerate(positions(game, seed)):
        if turn == options.turns:
            break
        legal = game.legal_moves(state, player.role)
        if len(legal) > 1:
            deadline = Deadline.after(options.seconds)
            move = player.choose(state, deadline)
            tally.overshoots.append(max(0.0, -deadline.remaining()))
            tally.illegal += move not in legal
            machines: Any = player.thoughts.get("machines", 1)
            tally.answers_with_help += machines > 1
            iterations: Any = player.thoughts.get("iterations", 0)
            if not player.thoughts.get("solved") and not player.thoughts.get("forced"):
                tally.rounds.append(iterations)
        player.advance(moves, game.next_state(state, moves))


def wait_for_help(player: Player, game: gdl.Game) -> None:
    """Search until another machine helps."""
    state, end = game.initial_state(), time.monotonic() + NODE_SECONDS
    while time.monotonic() < end:
        player.prepare(state, Deadline.after(0.2))
        search: Any = player
        if len(search._search.effort.machines) > 1:  # noqa: SLF001  # the only use outside
            return
    raise SystemExit("cluster_search.py: no machine helps")


def compare(game: gdl.Game, options: argparse.Namespace) -> dict[str, Any]:
    """Compare both players in the same positions."""
    found: dict[str, Any] = {}
    for spec in (ALONE, TOGETHER):
        player = create(spec, game, game.roles[0], {}, options.seed)
        if spec == TOGETHER:
            wait_for_help(player, game)
        else:
            player.prepare(game.initial_state(), Deadline.after(2.0))
        tally = Tally()
        play(player, game, options, options.seed, tally)
        found[spec] = tally.summary()
    found["times"] = found[TOGETHER]["rounds_a_turn"] / max(1.0, found[ALONE]["rounds_a_turn"])
    return found


def survive(game: gdl.Game, cluster: Cluster, options: argparse.Namespace) -> dict[str, Any]:
    """Play matches while the node is killed and replaced again and again."""
    total, over, num_matches = Tally(), threading.Event(), 0

    def play_on() -> None:
        nonlocal num_matches
        while not over.is_set():
            seed = options.seed + num_matches
            player = create(TOGETHER, game, game.roles[0], {}, seed)
            play(player, game, options, seed, total)
            num_matches += 1

    rng, playing = random.Random(options.seed), threading.Thread(target=play_on)
    node = cluster.add_node(num_cpus=1)  # Ray starts nodes in the main thread only
    playing.start()
    for _ in range(options.kills):
        seen, end = total.answers_with_help, time.monotonic() + NODE_SECONDS
        while total.answers_with_help == seen and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(rng.uniform(0.0, 3.0))
        cluster.remove_node(node, allow_graceful=False)
        node = cluster.add_node(num_cpus=1)
    over.set()
    playing.join()
    return {"kills": options.kills, "matches": num_matches, **total.summary()}


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("games", nargs="*", metavar="GAME", default=["breakthrough", "othello", "hex"])
    add("--seconds", type=float, default=1.0, help="seconds per move (default 1)")
    add("--turns", type=int, default=12, help="turns of each game (default 12)")
    add("--kills", type=int, default=0, help="kills of the node in the first game (default 0)")
    add("--seed", type=int, default=1)
    add("--json", action="store_true", help="print JSON")
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    options = parse()
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    os.environ[ADDRESS_VARIABLE] = cluster.address
    connect(cluster.address)
    found: dict[str, Any] = {}
    if not options.kills:
        cluster.add_node(num_cpus=1)
    for name in options.games[: 1 if options.kills else None]:
        game = gdl.load(find_game(name).rulesheet)
        if options.kills:
            found[name] = survive(game, cluster, options)
        else:
            found[name] = compare(game, options)
        if not options.json:
            print(name, json.dumps(found[name], indent=1), flush=True)
    if options.json:
        print(json.dumps(found, indent=1))
    ray.shutdown()
    cluster.shutdown()


if __name__ == "__main__":
    main()

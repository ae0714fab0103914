"""Judge strength in limited time: tactics, and matches on rules that no cache has seen.

    python benchmarks/unseen.py tactics [GAME ...] --players mcts alphabeta [--seconds 0.1,1]
                                [--rounds N] [--jobs 2] [--output FILE]
    python benchmarks/unseen.py matches [GAME ...] --players mcts alphabeta openspiel [--matches 8]
                                [--startclock 15] [--playclock 1] [--rounds N | --http]
                                [--jobs 2] [--output FILE]
    python benchmarks/unseen.py make [GAME ...]
    python benchmarks/unseen.py games

Tactics: players choose a move in positions for which the exact outcome of each move is known. The
result is the share of positions in which the move keeps the outcome: per game, and as a mean over
games with its 95 % interval (bootstrap over games). The seconds of a player are its own processor
time, so other processes change nothing. Loading the game and allocating the tree do not count.
There is no startclock, so nothing is learned, and no variant of the search is chosen.

The positions of bundled games are in the repository, those of the public corpus in the cache.
`make` creates missing ones: `mcts` plays itself with some random moves, and alpha-beta solves
positions to the end of the game, walking back from there. Games of the corpus are named
corpus/NAME; the script looks for the corpus in GGP_SHARED, by default ../shared.

Matches: the first player meets each of the others, with swapped seats in odd matches. Each match
runs in fresh processes, on scrambled rules, with an empty cache and no previously learned network.
Scrambling also changes the order of arguments, so that no bundled network is found. A match keeps
to one core: its players get ready one after the other, and think in turn. The result is the first
player's points per game, the mean with its interval, and Elo.

A player is a spec of `ggp match`, or `openspiel` (with options as in strength.py), which plays the
games that OpenSpiel has. With --rounds N both parts look at no clock and give the same result every
time: each spec gets iterations=N, unless it has that option (see `ggp players NAME`). An iteration
is a batch of leaves in mcts, one playout with tree=python, a ply of depth in alphabeta, and a
simulation in OpenSpiel's bot. So iterations compare versions of a player, not different players.

In matches, `SPEC@FOLDER` is a player of another checkout of this project, for example the commit
before a change. Give both players in this form, so that both run in the same way. They get the same
seconds for a move, and do not use the startclock.

With --http, each player is a server (`ggp serve` of its checkout) on a core of its own, as users
have it: with its margins, with learning and with thinking in the other's turn. It plays all matches
and keeps what it learns. The words are the same in all matches of a game. Results are also given
without the first match of each game.

--output FILE adds a line of JSON for each result. If you repeat the command with the same file, it
continues where it stopped, or prints the tables again.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from contest.errors import ContestError
from unseen_games import (
    catalogue,
    contestants,
    making,
    matches,
    positions,
    reports,
    served,
    tactics,
)
from unseen_games.fixture import Fixture
from unseen_games.results import ResultFile, Row
from unseen_games.rulesheets import UnseenError, find_sheet, require_two_roles

import gdl
from ggp.errors import GgpError
from ggp.warming import kernels as warming

POSITIONS = 15
NETWORKLESS = "mcts:network=none,learn=off"


def report(text: str) -> None:
    """Print a line of progress."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def ask(options: argparse.Namespace) -> None:
    """Run the tactics and print their tables."""
    budgets = (
        (tactics.Budget(rounds=options.rounds),)
        if options.rounds
        else tuple(tactics.Budget(seconds=float(text)) for text in options.seconds.split(","))
    )
    trials = [
        tactics.Trial(
            game, player, budgets, options.positions, options.seed, options.cache, options.python
        )
        for game in options.games or catalogue.TACTICS_GAMES
        for player in options.players
        if contestants.plays(player, game)
    ]
    results = ResultFile(options.output, tactics.KEYS)
    wanted = [
        (trial, tactics.key_of(trial, find_sheet(trial.game), budget))
        for trial in trials
        for budget in budgets
    ]
    pending = list({trial: None for trial, key in wanted if results.find(key) is None})
    for done, (trial, rows) in enumerate(tactics.answers(pending, options.jobs), start=1):
        for row in rows:
            results.add(row)
        kept = ", ".join(f"{sum(row['kept'])} in {row['budget']}" for row in rows)
        report(f"{done} of {len(pending)}: {trial.game}, {trial.player}: {kept}")
    found = results.all_of([key for _, key in wanted])
    print(reports.tactics_by_game(found), end="\n\n")
    print(reports.tactics_by_player(found, options.players[0]))
    _print_excluded()


def _print_excluded() -> None:
    print("\nNot asked about, because moves cannot be judged exactly:")
    for reason, names in catalogue.EXCLUDED.items():
        print(f"- {reason}: {', '.join(names)}")


def play(options: argparse.Namespace) -> None:
    """Play the matches and print their tables."""
    if len(options.players) < 2:
        raise UnseenError("--players: expected at least two players, got one")
    others = any(map(contestants.is_openspiel, options.players))
    if options.http and (others or options.rounds or options.jobs > 1):
        raise UnseenError("--http: expected players of this project, without --rounds and --jobs")
    for game in options.games:
        require_two_roles(game)
    if not options.http:
        _play(options, [])
        return
    with contextlib.ExitStack() as until_the_end:
        folder = f"{options.output.resolve()}.players" if options.output else None
        if folder is None:
            folder = until_the_end.enter_context(tempfile.TemporaryDirectory())
        _play(options, until_the_end.enter_context(served.serving(options.players, Path(folder))))


def _play(options: argparse.Namespace, addresses: Sequence[str]) -> None:
    fixtures = [
        Fixture(
            game,
            pair,
            number,
            0 if options.rounds else options.startclock,
            0 if options.rounds else options.playclock,
            options.rounds,
            options.seed,
            options.python,
            (addresses[0], addresses[opponent]) if addresses else (),
        )
        for number in range(options.matches)
        for game in options.games or catalogue.MATCH_GAMES
        for opponent, pair in enumerate(matches.pairs_of(options.players), start=1)
        if matches.meets(pair, game)
    ]
    results = ResultFile(options.output, matches.KEYS)
    keys = [matches.key_of(fixture) for fixture in fixtures]
    pending = [
        fixture for fixture, key in zip(fixtures, keys, strict=True) if results.find(key) is None
    ]
    if pending and not options.rounds:
        warming.warm_up()  # as on a machine on which players have played before
    for done, row in enumerate(matches.play_all(pending, options.jobs), start=1):
        results.add(row)
        report(f"{done} of {len(pending)}: {_in_words(row)}")
    found = results.all_of(keys)
    print(reports.matches_by_game(found), end="\n\n")
    print(reports.matches_by_opponent(found))
    if options.http and (later := [row for row in found if row["number"]]):
        print("\nFrom the second match of a game on:\n")
        print(reports.matches_by_opponent(later))
    for line in reports.faults(found):
        print(line)


def _in_words(row: Row) -> str:
    one, other = row["players"]
    points = f"{row['points']:g}-{1 - row['points']:g}"
    return f"{row['game']}, match {row['number']}: {one} - {other} {points}, {row['plies']} plies"


def make(options: argparse.Namespace) -> None:
    """Make the positions that are absent."""
    wanted = making.Making(
        options.positions, options.position_seconds, options.game_seconds, options.seed
    )
    for name in options.games or catalogue.TACTICS_GAMES:
        sheet = find_sheet(name)
        file = positions.file_of(sheet, options.cache)
        if _is_made(file, sheet.digest):
            continue
        try:
            lines = making.make(sheet, wanted, report)
        except UnseenError as error:
            report(str(error))
            continue
        positions.write(file, sheet, lines)


def _is_made(file: Path, digest: str) -> bool:
    return file.exists() and digest in file.read_text(encoding="utf-8").partition("\n")[0]


def show_games(options: argparse.Namespace) -> None:
    """Print the games, and whether their positions exist."""
    for name in catalogue.TACTICS_GAMES:
        sheet = find_sheet(name)
        file = positions.file_of(sheet, options.cache)
        is_made = _is_made(file, sheet.digest)
        print(name, "" if is_made else "(no positions yet: unseen.py make)")
    _print_excluded()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_subparsers(required=True, metavar="PART")

    def part(name: str, run: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
        added = parts.add_parser(name, help=run.__doc__, description=run.__doc__)
        added.set_defaults(run=run)
        cache = gdl.cache_folder("unseen-positions") or Path("unseen-positions")
        added.add_argument(
            "--cache",
            type=Path,
            default=cache,
            help=f"folder of positions of games that are not bundled (default {cache})",
        )
        return added

    _add_tactics_options(part("tactics", ask))
    _add_match_options(part("matches", play))
    maker = part("make", make)
    maker.add_argument("games", nargs="*", metavar="GAME", help="default: all games that are used")
    maker.add_argument(
        "--positions", type=int, default=POSITIONS, help="positions of each game (15)"
    )
    maker.add_argument("--seed", type=int, default=1)
    maker.add_argument(
        "--position-seconds",
        type=float,
        default=making.Making(0).position_seconds,
        help="processor seconds to judge a position (2.5); more give harder positions",
    )
    maker.add_argument(
        "--game-seconds",
        type=float,
        default=making.Making(0).game_seconds,
        help="processor seconds for a game (60)",
    )
    part("games", show_games)
    return parser


def _add_tactics_options(part: argparse.ArgumentParser) -> None:
    part.add_argument("games", nargs="*", metavar="GAME", help="see `unseen.py games` (all)")
    part.add_argument(
        "--seconds", default="0.1,1", metavar="S,S", help="processor seconds per move (0.1,1)"
    )
    part.add_argument(
        "--positions", type=int, default=POSITIONS, help="positions of each game (15)"
    )
    _add_shared_options(part, ["mcts"])


def _add_match_options(part: argparse.ArgumentParser) -> None:
    games = " ".join(catalogue.MATCH_GAMES)
    part.add_argument("games", nargs="*", metavar="GAME", help=f"default: {games}")
    part.add_argument(
        "--matches", type=int, default=8, help="matches for each game and opponent (8)"
    )
    part.add_argument("--startclock", type=int, default=15, metavar="SECONDS", help="(15)")
    part.add_argument("--playclock", type=int, default=1, metavar="SECONDS", help="(1)")
    part.add_argument("--http", action="store_true", help="players are servers, two cores a match")
    _add_shared_options(part, ["mcts", NETWORKLESS])


def _add_shared_options(part: argparse.ArgumentParser, players: Sequence[str]) -> None:
    cores = len(os.sched_getaffinity(0))
    add = part.add_argument
    add(
        "--players",
        nargs="+",
        default=players,
        metavar="PLAYER",
        help="players; the first is compared with the others",
    )
    add(
        "--rounds",
        type=int,
        default=0,
        metavar="N",
        help="iterations for a move instead of a clock",
    )
    add("--jobs", type=int, default=1, help=f"processes or matches at once, 1 to {cores} (1)")
    add("--seed", type=int, default=1)
    add(
        "--output",
        type=Path,
        metavar="FILE",
        help="file of results; continue from them if it exists",
    )
    python = os.environ.get("GGP_OPENSPIEL_PYTHON", sys.executable)
    add("--python", default=python, help=f"a Python that has open_spiel (default {python})")


def main() -> None:
    """Run the subcommand."""
    options = _parser().parse_args()
    try:
        for player in getattr(options, "players", ()):
            contestants.check(player)
        options.run(options)
    except KeyboardInterrupt:
        sys.exit("unseen.py: interrupted; repeat the command to continue if it has --output")
    except (GgpError, gdl.GdlError, ContestError, OSError, ValueError) as error:
        sys.exit(f"unseen.py: {error}")


if __name__ == "__main__":
    main()

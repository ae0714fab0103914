"""The judge of strength: its positions, its scores, and how a stopped run goes on."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from unseen_games import catalogue, reports, served, tactics
from unseen_games.contestants import check, with_rounds
from unseen_games.cpu_clock import CpuDeadline
from unseen_games.figures import elo, mean_over_games
from unseen_games.fixture import Fixture
from unseen_games.judge import Judge, are_opposed
from unseen_games.match_process import Match
from unseen_games.matches import key_of, play
from unseen_games.positions import STORED, file_of, questions_of, read
from unseen_games.results import ResultFile
from unseen_games.rulesheets import (
    UnseenError,
    deciders,
    find_sheet,
    load,
    require_two_roles,
)

import gdl
from ggp import games
from ggp.players.options import PlayerSpecError
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

MIN_GAMES = 36
MIN_POSITIONS = 15
PLAYER = "mcts:tree=python"
CORES = os.sched_getaffinity(0)


def trial(game: str, player: str = PLAYER, rounds: int = 20, num: int = 4) -> tactics.Trial:
    """A few positions of a bundled game, asked with a fixed number of rounds."""
    budgets = (tactics.Budget(rounds=rounds),)
    return tactics.Trial(game, player, budgets, num, 1, STORED, "")


def test_there_are_enough_games() -> None:
    """All bundled games that can be judged, and at least 24 of the corpus, none twice."""
    assert len(set(catalogue.TACTICS_GAMES)) == len(catalogue.TACTICS_GAMES) >= MIN_GAMES
    assert len(catalogue.CORPUS) >= 24
    stored = {file.stem for file in STORED.iterdir()}
    assert stored == set(catalogue.BUNDLED)


@pytest.mark.parametrize("game", all_but(["ticTacToe"], catalogue.BUNDLED))
def test_each_stored_position_is_a_question(game: str) -> None:
    """It can be replayed, its answers are the legal moves, and they differ in outcome."""
    sheet = find_sheet(game)
    machine = load(sheet)
    asked = list(questions_of(machine, read(file_of(sheet, STORED), sheet)))

    assert len(asked) == len({state for _, _, state in asked}) == MIN_POSITIONS
    for _, question, state in asked:
        legal = machine.legal_moves(state, machine.roles[question.role])
        assert set(map(str, legal)) == set(question.worths)
        assert len(set(question.worths.values())) > 1
        assert 0 < question.share_at_random < 1


def test_positions_of_other_rules_are_refused(tmp_path: Path) -> None:
    """A rulesheet that was edited has other positions; the message says what to do."""
    sheet = find_sheet("nim")
    file = tmp_path / "nim.jsonl"
    file.write_text('{"game": "nim", "digest": "of other rules"}\n')

    with pytest.raises(UnseenError, match=r"made from other rules.*unseen\.py make nim"):
        read(file, sheet)


def test_a_match_is_for_two() -> None:
    """The script says so before the first match."""
    require_two_roles("ticTacToe")
    with pytest.raises(UnseenError, match="eightPuzzle: expected a game with two roles, found 1"):
        require_two_roles("eightPuzzle")


def test_the_judge_knows_what_each_move_is_worth() -> None:
    """In ticTacToe: one move wins, another one loses to a threat, the others too."""
    game = load(find_sheet("ticTacToe"))
    state = game.initial_state()
    for text in ("(mark 1 1) noop", "noop (mark 2 1)", "(mark 1 2) noop", "noop (mark 2 2)"):
        moves = gdl.read_term(f"(joint {text})")
        assert isinstance(moves, gdl.Compound)
        state = game.next_state(state, moves.args)

    worths = Judge(game).worths(state, 0)

    others = {f"(mark {cell})": 0 for cell in ("3 1", "3 2", "3 3")}
    assert worths == {"(mark 1 3)": 100, "(mark 2 3)": 50, **others}


def plain_worths(game: gdl.Game, state: gdl.State) -> tuple[int, ...]:
    """Return what each role gets if whoever chooses takes the most for itself."""
    if game.is_terminal(state):
        return tuple(game.goal(state, role) for role in game.roles)
    legal = [game.legal_moves(state, role) for role in game.roles]
    chooser = next(iter(deciders(game, state)), 0)
    followed = (plain_worths(game, game.next_state(state, joint)) for joint in product(*legal))
    return max(followed, key=lambda worths: worths[chooser])


def test_the_judge_agrees_with_a_plain_search() -> None:
    """In the stored positions of ticTacToe that have at most four moves."""
    sheet = find_sheet("ticTacToe")
    game = load(sheet)
    asked = questions_of(game, read(file_of(sheet, STORED), sheet))
    few = [one for one in asked if len(one[1].worths) <= 4]

    for _, question, state in few:
        for joint in product(*(game.legal_moves(state, role) for role in game.roles)):
            worth = plain_worths(game, game.next_state(state, joint))[question.role]
            assert worth == question.worths[str(joint[question.role])]
    assert few


def test_a_position_that_is_too_large_is_not_judged() -> None:
    """The first one of connectFour takes more than a thousand states."""
    game = load(find_sheet("connectFour"))

    assert Judge(game, nodes=1000).worths(game.initial_state(), 0) is None


def test_goals_must_be_opposed() -> None:
    """A draw in which both get nothing is not: either would rather have the other lose."""
    assert are_opposed([(100, 0), (30, 60), (0, 100)])
    assert not are_opposed([(100, 0), (0, 0)])


def test_the_same_rounds_give_the_same_answers_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """No clock has a say."""
    monkeypatch.setattr(tactics, "WARM_UP_SECONDS", 0.0)
    one, again = (tactics.answer(trial("ticTacToe", rounds=5, num=2)) for _ in range(2))

    assert one == again
    assert len(one[0]["kept"]) == 2


FIXTURE = Fixture("ticTacToe", (PLAYER, "random"), 1, 0, 0, 5, seed=3, python="")


def test_the_same_rounds_give_the_same_match_twice() -> None:
    """And another number, with swapped seats, another one."""
    one, again = (asyncio.run(Match(FIXTURE).play(None)) for _ in range(2))
    other = asyncio.run(Match(replace(FIXTURE, number=2)).play(None))

    assert one["moves"] == again["moves"] != other["moves"]
    assert one["points"] == again["points"]
    assert not one["faults"]


@pytest.mark.thorough
def test_a_match_is_played_in_its_own_process() -> None:
    """Its result is that of the same match in this process."""
    row = play(FIXTURE, -1)

    assert key_of(FIXTURE).items() <= row.items()
    assert row["moves"] == asyncio.run(Match(FIXTURE).play(None))["moves"]


@pytest.mark.thorough
def test_a_player_of_another_checkout_plays_in_its_process() -> None:
    """Here the other checkout is this one."""
    checkout = Path(__file__).parents[2]
    row = play(replace(FIXTURE, players=(f"{PLAYER}@{checkout}", f"random@{checkout}")), -1)

    assert row["goals"] in ([0, 100], [50, 50], [100, 0])
    assert not row["faults"]
    with pytest.raises(PlayerSpecError, match="expected a player of this project"):
        check(f"openspiel@{checkout}")


@pytest.mark.thorough
def test_players_are_told_scrambled_rules() -> None:
    """They play by clocks, and their moves come back in the words of the original."""
    clocks = replace(FIXTURE, players=("mcts", "random"), startclock=2, playclock=1, rounds=0)

    row = play(clocks, -1)

    assert row["goals"] in ([0, 100], [50, 50], [100, 0])
    assert "(mark" in row["moves"][0]


@pytest.mark.thorough
def test_players_over_http_are_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a folder of its own, in which it keeps what it learns."""
    monkeypatch.setattr(served, "LOAD_SECONDS", 0.0)
    monkeypatch.setattr(served, "_warm_up", lambda _: None)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: sorted(CORES) * 2)
    clocks = replace(FIXTURE, startclock=2, playclock=1, rounds=0, players=("mcts", "random"))

    with served.serving(clocks.players, tmp_path) as addresses:
        row = play(replace(clocks, addresses=tuple(addresses)), -1)

    assert row["http"]
    assert row["goals"] in ([0, 100], [50, 50], [100, 0])
    assert not row["faults"]
    assert {file.parent.name for file in tmp_path.rglob("log.txt")} == {"0", "1"}


def test_rounds_are_written_into_specs() -> None:
    """Of players that search, and where no option says otherwise."""
    assert with_rounds("alphabeta", 3) == "alphabeta:iterations=3"
    assert with_rounds("alphabeta:iterations=5", 3) == "alphabeta:iterations=5"
    assert with_rounds("legal", 3) == "legal"
    assert with_rounds("openspiel:uct_c=2", 3) == "openspiel:uct_c=2,simulations=3"


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    """A result that was written half is asked for again; the others are not."""
    file = tmp_path / "results"
    whole = {"game": "nim", "player": "mcts", "kept": [1]}
    file.write_text(json.dumps(whole) + '\n{"game": "hex", "pl')

    results = ResultFile(file, ("game", "player"))
    assert results.find({"game": "nim", "player": "mcts"}) == whole
    assert results.find({"game": "hex", "player": "mcts"}) is None
    results.add({"game": "hex", "player": "mcts", "kept": [0]})

    found = ResultFile(file, ("game", "player")).all_of([{"game": "hex", "player": "mcts"}])
    assert found == [{"game": "hex", "player": "mcts", "kept": [0]}]


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    """The line is named."""
    file = tmp_path / "results"
    file.write_text('{"game": "nim"}\n')

    with pytest.raises(UnseenError, match="results:1: expected a result with game, player"):
        ResultFile(file, ("game", "player"))


def test_each_game_counts_alike() -> None:
    """However many positions it has; the difference is of games that both were asked about."""
    row = {"budget": "1 s", "at_random": 0.5}
    rows = [
        {**row, "game": "nim", "player": "a", "kept": [1, 1, 1, 1]},
        {**row, "game": "hex", "player": "a", "kept": [0, 0]},
        {**row, "game": "hex", "player": "b", "kept": [1, 0]},
    ]

    table = reports.tactics_by_player(rows, "a")

    assert "| `a`    | 1 s    |     2 |" in table.replace("| 2     |", "|     2 |")
    assert "50.0 % (0.0 to 100.0)" in table
    assert "+50.0 % (+50.0 to +50.0)" in table


def test_the_interval_is_that_of_the_games() -> None:
    """It is empty if all games say the same, and the same each time."""
    assert mean_over_games([0.5, 0.5]).low == 0.5
    assert mean_over_games([0.0, 1.0, 1.0]) == mean_over_games([0.0, 1.0, 1.0])


def test_a_few_won_matches_are_no_proof() -> None:
    """The interval is not empty, although all games say the same."""
    row = {"game": "nim", "players": ["a", "b"], "points": 1.0}

    table = reports.matches_by_opponent([row, row])

    assert "| 100.0 % (34.2 to 100.0) |" in table


def test_elo_grows_with_the_points() -> None:
    """Three points of four are about 190, and all points are a finite number."""
    assert elo(10, 20) == pytest.approx(0)
    assert 170 < elo(15, 20) < 200
    assert elo(15, 20) == pytest.approx(-elo(5, 20))
    assert 400 < elo(20, 20) < 2000


def test_a_budget_of_processor_time_ends() -> None:
    """At once if it is ended; a part is over no later than the whole."""
    deadline = CpuDeadline(60.0)
    part = deadline.within(0.0)

    assert not deadline.is_over()
    assert part.is_over()
    deadline.end()
    assert deadline.is_over()
    assert deadline.remaining() == 0


def test_bundled_names_are_bundled_games() -> None:
    """And none of them is of the corpus."""
    assert set(catalogue.BUNDLED) <= set(games.names())

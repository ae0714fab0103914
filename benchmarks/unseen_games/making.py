"""How positions are made: `mcts` plays itself with some random moves, and the end is judged.

Random games are decided too early, so that few of their moves matter. The judge walks a match back
from its end, as far as it can solve it, because the farthest positions are the hardest. A position
in which a move wins at once is easy: every search finds that move. Such positions are taken only if
there are too few others. Each match gives at most `PER_MATCH` positions of each kind, so that they
come from many matches.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.log import ReportLine
from ggp.players import registry
from unseen_games.cpu_clock import CpuDeadline
from unseen_games.judge import MAX_PLIES, SECONDS_PER_POSITION, Judge, reason_to_exclude
from unseen_games.positions import Line, Question
from unseen_games.rulesheets import Sheet, UnseenError, deciders, load

SELF_PLAY = "mcts:network=none,learn=off,tree=lanes,rounds=1,memory=64,iterations=6"
RANDOM_SHARES = (0.1, 0.25, 0.5)
"""Parts of the moves that are random, in turn by match: a game that is played well may be decided
long before its end, too early to be judged."""
PER_MATCH = 3
MAX_MATCHES = 100
SECONDS_PER_GAME = 60.0
SHARE_WHERE_RARE = 0.3
"""Part of the time for a position that it has in games where few positions are found."""
SEED_RANGE = 1 << 31


@dataclass(frozen=True, slots=True)
class Making:
    """How positions are made.

    Attributes:
        number: Of positions for each game.
        position_seconds: Processor time in which the judge must solve one. With more, positions
            are farther from the end, and so harder.
        game_seconds: Processor time after which no more matches are played in a game.
        seed: Of the matches.
    """

    number: int
    position_seconds: float = SECONDS_PER_POSITION
    game_seconds: float = SECONDS_PER_GAME
    seed: int = 1


@dataclass(frozen=True, slots=True)
class _Match:
    states: list[gdl.State]  # one more than `choosers`
    choosers: list[int | None]  # the role that chose in each ply; None if all moves were forced
    moves: list[str]  # of the plies that have a chooser


@dataclass(frozen=True, slots=True)
class _Harvest:
    match: _Match
    hard: list[Question]
    easy: list[Question]  # a move wins at once

    @property
    def states(self) -> set[gdl.State]:
        return {self.match.states[one.ply] for one in (*self.hard, *self.easy)}


def make(sheet: Sheet, making: Making, report: ReportLine) -> list[Line]:
    """Return matches with the wanted number of questions in all, no position twice.

    Raises:
        UnseenError: The game's moves cannot be judged, or too few positions were found in time.
    """
    game = load(sheet)
    if reason := reason_to_exclude(game):
        raise UnseenError(f"{sheet.name}: {reason}")
    judge, deadline = Judge(game), CpuDeadline(making.game_seconds)
    seen: set[gdl.State] = set()
    found: list[_Harvest] = []
    num_hard = 0
    for match_number in range(MAX_MATCHES):
        share = 1.0 if num_hard >= match_number else SHARE_WHERE_RARE
        judge.seconds = share * making.position_seconds
        rng = random.Random(f"{making.seed} {sheet.name} {match_number}")
        match = _self_play(game, rng, RANDOM_SHARES[match_number % len(RANDOM_SHARES)])
        if match is not None:
            found.append(_harvest(match, judge, seen))
            seen |= found[-1].states
        num_hard = sum(len(one.hard) for one in found)
        report(f"{sheet.name}: {num_hard} of {making.number} after {match_number + 1} matches")
        if num_hard >= making.number or deadline.is_over():
            break
    return _lines(sheet, found, making.number)


def _lines(sheet: Sheet, found: list[_Harvest], number: int) -> list[Line]:
    """Return the hard questions, and as many easy ones as are missing, one of each match first."""
    hard = [(index, one) for index, each in enumerate(found) for one in each.hard]
    ranked = sorted(
        (rank, index) for index, each in enumerate(found) for rank in range(len(each.easy))
    )
    easy = [(index, found[index].easy[rank]) for rank, index in ranked]
    chosen = [*hard, *easy][:number]
    if len(chosen) < number:
        raise UnseenError(f"{sheet.name}: only {len(chosen)} positions of {number} were found")
    return [
        _line(each.match, questions)
        for index, each in enumerate(found)
        if (questions := [one for at, one in chosen if at == index])
    ]


def _line(match: _Match, questions: list[Question]) -> Line:
    """Return a match cut off at its last question."""
    last = max(one.ply for one in questions)
    num_chosen = sum(chooser is not None for chooser in match.choosers[:last])
    return Line(" ".join(match.moves[:num_chosen]), sorted(questions, key=lambda one: one.ply))


def _self_play(game: gdl.Game, rng: random.Random, random_share: float) -> _Match | None:
    """Play a match; return None if it does not end, or roles choose at the same time."""
    players = [
        registry.create(SELF_PLAY, game, role, {}, rng.randrange(SEED_RANGE)) for role in game.roles
    ]
    match = _Match([game.initial_state()], [], [])
    while not game.is_terminal(state := match.states[-1]):
        choosing = deciders(game, state)
        if len(choosing) > 1 or len(match.choosers) == MAX_PLIES:
            return None
        legal = [game.legal_moves(state, role) for role in game.roles]
        joint = [moves[0] for moves in legal]
        for role in choosing:
            is_random = rng.random() < random_share
            player = players[role]
            joint[role] = (
                rng.choice(legal[role]) if is_random else player.choose(state, Deadline.never())
            )
            match.moves.append(str(joint[role]))
        match.choosers.append(choosing[0] if choosing else None)
        match.states.append(game.next_state(state, joint))
        for player in players:
            player.advance(tuple(joint), match.states[-1])
    return match


def _harvest(match: _Match, judge: Judge, seen: set[gdl.State]) -> _Harvest:
    """Return the questions of a match that are farthest from its end."""
    hard: list[Question] = []
    easy: list[Question] = []
    for ply in reversed(range(len(match.choosers))):
        role, state = match.choosers[ply], match.states[ply]
        if role is None:
            continue
        worths = judge.worths(state, role)
        if worths is None:
            break
        if len(set(worths.values())) > 1 and state not in seen:
            is_easy = judge.is_won_at_once(state, role, max(worths.values()))
            (easy if is_easy else hard).append(Question(ply, role, worths))
    return _Harvest(match, _farthest(hard), _farthest(easy))


def _farthest(found: list[Question]) -> list[Question]:
    """Return at most `PER_MATCH` of the last questions, no two in adjacent plies."""
    chosen: list[Question] = []
    for one in reversed(found):
        if len(chosen) < PER_MATCH and (not chosen or one.ply > chosen[-1].ply + 1):
            chosen.append(one)
    return chosen

"""How positions are made: `mcts` plays itself with some random moves, and the end is judged.

Random games are decided too early, so that few of their moves matter. A match is walked back from
its end, as far as the judge can solve it, because the farthest positions are the hardest. A
position in which a move wins at once is left out, because every search finds that move. Each match
gives at most `PER_MATCH` positions, so that they come from many matches.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import gdl
from ggp.clock import Deadline
from ggp.players import registry
from unseen_games.cpu_clock import CpuDeadline
from unseen_games.judge import (
    GENEROUS_SECONDS,
    LEAST_SECONDS,
    MOST_PLIES,
    Judge,
    reason_to_exclude,
)
from unseen_games.positions import Line, Question
from unseen_games.rulesheets import Sheet, UnseenError, deciders, load

SELF_PLAY = "mcts:network=none,learn=off,tree=lanes,rounds=1,memory=64,iterations=6"
RANDOM_SHARES = (0.1, 0.25, 0.5)
"""Parts of the moves that are random, in turn by match: a game that is played well may be decided
long before its end, too early to be judged."""
PER_MATCH = 3
MOST_MATCHES = 100
SECONDS_PER_GAME = 100.0
"""Of processor time."""
SEED_RANGE = 1 << 31

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Match:
    states: list[gdl.State]  # one more than `choosers`
    choosers: list[int | None]  # the role that chose in each ply; None if all moves were forced
    moves: list[str]  # of the plies that have a chooser


def make(sheet: Sheet, number: int, seed: int, report: Progress) -> list[Line]:
    """Return matches with `number` questions in all, no position twice.

    Raises:
        UnseenError: The game's moves cannot be judged, or too few positions were found in time.
    """
    game = load(sheet)
    if reason := reason_to_exclude(game):
        raise UnseenError(f"{sheet.name}: {reason}")
    judge, deadline = Judge(game), CpuDeadline(SECONDS_PER_GAME)
    seen: set[gdl.State] = set()
    lines: list[Line] = []
    for match_number in range(MOST_MATCHES):
        is_easy = len(seen) >= match_number
        judge.seconds = GENEROUS_SECONDS if is_easy else LEAST_SECONDS
        rng = random.Random(f"{seed} {sheet.name} {match_number}")
        match = _self_play(game, rng, RANDOM_SHARES[match_number % len(RANDOM_SHARES)])
        if match is not None:
            questions = _questions(match, judge, seen)[: number - len(seen)]
            seen |= {match.states[one.ply] for one in questions}
            if questions:
                lines.append(_line(match, questions))
        report(f"{sheet.name}: {len(seen)} of {number} after {match_number + 1} matches")
        if len(seen) >= number:
            return lines
        if deadline.is_over():
            break
    raise UnseenError(f"{sheet.name}: only {len(seen)} positions of {number} were found in time")


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
        if len(choosing) > 1 or len(match.choosers) == MOST_PLIES:
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


def _questions(match: _Match, judge: Judge, seen: set[gdl.State]) -> list[Question]:
    """Return the questions of a match that are farthest from its end, no two in adjacent plies."""
    found: list[Question] = []
    for ply in reversed(range(len(match.choosers))):
        role, state = match.choosers[ply], match.states[ply]
        if role is None:
            continue
        worths = judge.worths(state, role)
        if worths is None:
            break
        is_question = len(set(worths.values())) > 1 and state not in seen
        if is_question and not judge.is_won_at_once(state, role, max(worths.values())):
            found.append(Question(ply, role, worths))
    chosen: list[Question] = []
    for one in reversed(found):
        if len(chosen) < PER_MATCH and (not chosen or one.ply > chosen[-1].ply + 1):
            chosen.append(one)
    return chosen

"""The promotion gate: a network is used only if it makes the search stronger in the same time.

The value of a leaf of the search tree is a mix of the network's value and a playout's goal. A few
matches choose the better of two shares for the network. With this share, a sequential probability
ratio test with a limited number of matches decides whether the network is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import gdl
from ggp.rating.sprt import Sprt, StopRule
from ggp.search.evaluation.network.network import ValueNetwork
from ggp.search.evaluation.weights import Figure
from ggp.training.arena.duels import PLAIN, DuelTerms, Searcher, play_round

SHARES = (1.0, 0.5)
CHOOSING = 5  # each share to choose from plays the number of matches of the test divided by this
PLAIN_WIN = 0.9  # if a network wins this share of the points, no other `SHARES` are tried
RULE = StopRule(elo0=0, elo1=100)
SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class GateTerms:
    """The settings of a gate."""

    matches: int = 40  # maximum number of matches in a test; 0 means no test
    seconds: float = SECONDS  # per move
    seed: int = 1
    rule: StopRule = RULE  # when a test ends

    def most_matches(self, num_roles: int, *, has_previous: bool) -> int:
        """Return the maximum number of matches in all.

        If there is a previous network, the new one is tested against it as well.
        """
        tests = 2 if has_previous else 1
        rounds = len(SHARES) * _choosing(self, num_roles) + tests * _rounds(self, num_roles)
        return rounds * num_roles


@dataclass(frozen=True, slots=True)
class GateRecord:
    """The record of a test."""

    points: float  # points of the network's side; a draw is half a point
    matches: int  # matches played
    is_passed: bool  # whether the network's side is stronger

    def __str__(self) -> str:
        share = self.points / max(1, self.matches)
        return f"{self.points:g} points of {self.matches} matches, {share:.0%}"

    def figures(self, seconds: float) -> dict[str, Figure]:
        """Return the record as entries for the network's `figures`.

        `seconds` is the time per move in the test.
        """
        return {
            "gate": "passed" if self.is_passed else "not passed",
            "gate points": self.points,
            "gate matches": self.matches,
            "gate seconds a move": seconds,
        }


GateReport = Callable[[str, GateRecord], None]


def through_gate(
    game: gdl.Game,
    network: ValueNetwork,
    terms: GateTerms,
    report: GateReport = lambda what, record: None,
) -> ValueNetwork:
    """Test a network against plain mcts. Return a copy of the network that holds the result.

    The result is whether players use the network, its share of a leaf's value, and the test's
    record.

    Args:
        report: Called after each round with the name of the test and its record so far.
    """
    figures = {name: value for name, value in network.figures.items() if "gate" not in name}
    if not terms.matches:
        return replace(network, is_used=True, figures={**figures, "gate": "not tested"})
    share = _better_share(game, network, terms, report)
    record = trial(game, Searcher(network, share), PLAIN, terms, "against plain mcts", report)
    figures |= record.figures(terms.seconds)
    return replace(network, is_used=record.is_passed, share=share, figures=figures)


def trial(
    game: gdl.Game,
    own: Searcher,
    other: Searcher,
    terms: GateTerms,
    what: str,
    report: GateReport = lambda what, record: None,
) -> GateRecord:
    """Test whether `own` is stronger than `other`.

    If the test has no verdict after the maximum number of matches, the likelier answer counts.
    `what` is the name of the test that is passed to `report`.
    """
    test, points, num_roles = Sprt(terms.rule), 0.0, len(game.roles)
    duel = DuelTerms(terms.seconds, seed=terms.seed)
    record = GateRecord(0, 0, is_passed=False)
    for number in range(_rounds(terms, num_roles)):
        found = play_round(game, own, other, duel, number)
        test.add(found)
        points += found * num_roles
        record = GateRecord(points, (number + 1) * num_roles, is_passed=test.llr > 0)
        report(what, record)
        if test.verdict is not None:
            break
    return record


def _better_share(
    game: gdl.Game, network: ValueNetwork, terms: GateTerms, report: GateReport
) -> float:
    # Use a seed, and so openings, different from those of the test.
    duel = DuelTerms(terms.seconds, seed=terms.seed + 1)
    rounds, points = _choosing(terms, len(game.roles)), {}
    for share in SHARES:
        points[share] = 0.0
        for number in range(rounds):
            points[share] += play_round(game, Searcher(network, share), PLAIN, duel, number)
            sofar, played = points[share] * len(game.roles), (number + 1) * len(game.roles)
            report(f"with share {share:g}", GateRecord(sofar, played, is_passed=False))
        if points[share] >= PLAIN_WIN * rounds:
            break
    return max(points, key=lambda share: points[share])


def _rounds(terms: GateTerms, num_roles: int) -> int:
    return max(1, terms.matches // num_roles)


def _choosing(terms: GateTerms, num_roles: int) -> int:
    return max(1, terms.matches // (CHOOSING * num_roles))

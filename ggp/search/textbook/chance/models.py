"""Models of opponents, which give the probability of each reply.

"I" am the searching role. A model is given the situation after my move, and returns a distribution
over the replies. The opponents are those of the lecture "Search in Games": adversarial, random,
cooperative, and the opponent of its quiz, called `minimax` here. This one uses a depth-limited
minimax most of the time and otherwise moves at random.

Models do not cover the `random` role, which is uniformly random in every game.

As text a model is a name such as `random`, or a mixture such as `adversarial:1+random:3`:

    MIXTURE = PART { "+" PART }
    PART    = NAME [ ":" WEIGHT ]          weights are above 0, and 1 by default

The separator is not a comma, because commas separate the options of a player.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Choices, Joint
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.textbook.chance.expectiminimax import move_values
from ggp.search.textbook.chance.ply import Seats, num_replies, replies_to

Distribution = Iterable[tuple[Joint, float]]
"""Replies with their probabilities, which sum to 1. A reply may occur more than once."""


@dataclass(slots=True)
class Situation:
    """The input of a model: a state, my move in it, and the value of each reply for me."""

    state: gdl.State
    choices: Choices
    seats: Seats
    move: gdl.Move
    deadline: Deadline
    look: Callable[[Joint], float]  # computes the value of a reply; called once for each reply
    _known: dict[Joint, float] = field(default_factory=dict)

    @property
    def replies(self) -> Iterator[Joint]:
        """The replies: joint moves with my move and with the first legal move of `random`."""
        return replies_to(self.choices, self.seats, self.move)

    @property
    def num_replies(self) -> int:
        """Number of possible replies to my move."""
        return num_replies(self.choices, self.seats)

    def value(self, reply: Joint) -> float:
        """Return my expected goal after a reply, 0..100. The main search computes it."""
        known = self._known.get(reply)
        if known is None:
            known = self._known[reply] = self.look(reply)
        return known


OpponentModel = Callable[[Situation], Distribution]
"""A model of what the other players will do. Replies that it leaves out are impossible."""


def adversarial(situation: Situation) -> Distribution:
    """Predict the reply that is worst for me, as MIN in minimax. So the others know my move."""
    return [(min(situation.replies, key=situation.value), 1.0)]


def cooperative(situation: Situation) -> Distribution:
    """Predict the reply that is best for me."""
    return [(max(situation.replies, key=situation.value), 1.0)]


def uniform(situation: Situation) -> Distribution:
    """Predict every reply with the same probability."""
    probability = 1 / situation.num_replies
    return ((reply, probability) for reply in situation.replies)


@dataclass(frozen=True)
class Mixture:
    """A mixture of models. In each situation, one of them is drawn in proportion to its weight.

    Weights are above 0.
    """

    parts: Sequence[tuple[OpponentModel, float]]

    def __call__(self, situation: Situation) -> Distribution:
        """Yield the replies of each part, with probabilities scaled by the weight of the part."""
        total = sum(weight for _, weight in self.parts)
        for model, weight in self.parts:
            for reply, probability in model(situation):
                yield reply, probability * weight / total


MAX_POLICIES = 100_000  # maximum number of states whose best moves are kept in memory


class DepthMinimax:
    """A model in which each opponent searches a few plies deep and expects no help from others.

    An opponent makes the best move that it finds. If several are best, all are equally likely.
    Opponents that decide at once do so independently. The model is slow, because it runs a search
    in each state of the main search. The result for each state and opponent is cached.
    """

    def __init__(self, machine: gdl.StateMachine, depth: int, evaluate: Evaluation) -> None:
        self.machine = machine
        self.depth = depth
        self.evaluate = evaluate
        self._policies: dict[gdl.State, dict[int, tuple[gdl.Move, ...]]] = {}

    def __call__(self, situation: Situation) -> Distribution:
        """Yield all combinations of the opponents' best moves, with equal probabilities."""
        best = self._policy(situation)
        narrowed = tuple(best.get(i, moves) for i, moves in enumerate(situation.choices))
        probability = 1 / num_replies(narrowed, situation.seats)
        for reply in replies_to(narrowed, situation.seats, situation.move):
            yield reply, probability

    def _policy(self, situation: Situation) -> dict[int, tuple[gdl.Move, ...]]:
        known = self._policies.get(situation.state)
        if known is None:
            if len(self._policies) >= MAX_POLICIES:
                self._policies.clear()
            known = {
                index: self._best_moves(situation, index)
                for index in situation.seats.others
                if len(situation.choices[index]) > 1
            }
            self._policies[situation.state] = known
        return known

    def _best_moves(self, situation: Situation, index: int) -> tuple[gdl.Move, ...]:
        role = self.machine.roles[index]
        values = move_values(
            self.machine,
            situation.state,
            role,
            depth=self.depth,
            evaluate=self.evaluate,
            deadline=situation.deadline,
        )
        best = max(values.values())
        return tuple(move for move, value in values.items() if value == best)


PLAIN: dict[str, OpponentModel] = {
    "adversarial": adversarial,
    "cooperative": cooperative,
    "random": uniform,
}
MINIMAX = "minimax"
NAMES = (*PLAIN, MINIMAX)


@dataclass(frozen=True, slots=True)
class MinimaxHabit:
    """Behaviour of the opponents in the model `minimax`."""

    depth: int = 2  # plies that the opponents look ahead
    p: float = 0.8
    """Probability that the opponents make the best move they find, from 0 to 1. Otherwise they move
    at random."""


def parse_mixture(text: str) -> tuple[tuple[str, float], ...]:
    """Parse a mixture into names and weights.

    Raises:
        ValueError: The text is not a mixture.
    """
    return tuple(map(_parse_part, text.split("+")))


def _parse_part(text: str) -> tuple[str, float]:
    name, colon, number = text.strip().partition(":")
    weight = float(number) if colon else 1.0
    if name not in NAMES or not math.isfinite(weight) or weight <= 0:
        raise ValueError(text)
    return name, weight


def make_model(
    mixture: str, machine: gdl.StateMachine, evaluate: Evaluation, habit: MinimaxHabit
) -> OpponentModel:
    """Create the model that `mixture` describes. `minimax` uses `evaluate` at its depth limit.

    Raises:
        ValueError: The text is not a mixture.
    """
    parts = [
        (_model(name, machine, evaluate, habit), weight) for name, weight in parse_mixture(mixture)
    ]
    return parts[0][0] if len(parts) == 1 else Mixture(parts)


def _model(
    name: str, machine: gdl.StateMachine, evaluate: Evaluation, habit: MinimaxHabit
) -> OpponentModel:
    if name != MINIMAX:
        return PLAIN[name]
    searching = DepthMinimax(machine, habit.depth, evaluate)
    weighed = ((searching, habit.p), (uniform, 1 - habit.p))
    return Mixture([(model, weight) for model, weight in weighed if weight > 0])

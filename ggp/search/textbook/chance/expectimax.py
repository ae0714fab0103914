"""Expectimax of the lecture "Search in Games": a model gives probabilities of the others' moves.

    value(s)     = goal(s) at the end of the game, evaluation(s) where the depth ends,
                   else max-value(s)
    max-value(s) = the maximum of exp-value(s, m) over my moves m
    exp-value    = the sum of P(reply) * value(successor) over the others' replies to m

The probabilities come from an opponent model, see `ggp.search.textbook.chance.models`. With the
model `adversarial` this is minimax: "it all collapses into one game tree".
"""

from __future__ import annotations

from functools import partial

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Choices
from ggp.search.core.result import DepthResult
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.textbook.adversarial.scope import Scope
from ggp.search.textbook.chance.expectiminimax import Expectiminimax
from ggp.search.textbook.chance.models import OpponentModel, Situation, adversarial
from ggp.search.textbook.chance.ply import depth_result, num_replies, replies_to
from ggp.search.textbook.deepening import MAX_DEPTH

DIGITS = 9
"""Values are rounded to this many digits, so that equally good moves have equal values. For
example, seven sevenths of 50 must be 50."""


class Expectimax(Expectiminimax):
    """The recursion at the top of this module.

    The value of a MIN node is the mean over the others' replies, weighted by the probabilities that
    the model gives them.
    """

    def __init__(self, scope: Scope, model: OpponentModel) -> None:
        super().__init__(scope)
        self.model = model

    def min_node(self, state: gdl.State, choices: Choices, move: gdl.Move, depth: int) -> float:
        """Return exp-value: the mean value of the replies to my move, weighted by probability."""
        look = partial(self.chance_node, state, choices, depth=depth)
        if num_replies(choices, self.seats) == 1:  # no need for a model
            return look(next(replies_to(choices, self.seats, move)))
        situation = Situation(state, choices, self.seats, move, self.scope.deadline, look)
        v = 0.0
        for reply, probability in self.model(situation):
            v += probability * situation.value(reply)
        return round(v, DIGITS)


def search(  # noqa: PLR0913  # the contract of the depth-limited searches
    machine: gdl.StateMachine,
    state: gdl.State,
    role: gdl.Role,
    *,
    depth: int | None,
    evaluate: Evaluation,
    deadline: Deadline,
    model: OpponentModel,
) -> DepthResult:
    """Find the best move of a role in a state that is not terminal, against modelled opponents.

    A value can be guaranteed (`lower == upper`) only with the model `adversarial`, or if there are
    no other players. Otherwise it is an expectation, which is only as good as the model.

    Args:
        depth: Plies to look ahead, at least 1; None for the end of the game. The maximum is
            `MAX_DEPTH`.
        model: Predicts the replies of the other players.

    Raises:
        OutOfTime: The deadline came first.
    """
    plies = min(depth or MAX_DEPTH, MAX_DEPTH)
    scope = Scope(machine, role, evaluate, deadline, depth=plies)
    recursion = Expectimax(scope, model)
    values = recursion.move_values(state)
    # Without other players, the model does not matter.
    is_guaranteed = model is adversarial or not recursion.seats.others
    return depth_result(values, scope, is_guaranteed=is_guaranteed)

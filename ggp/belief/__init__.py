"""Beliefs: the worlds that a role considers possible in a game of incomplete information (GDL-II).

belief = Belief(game, role)
belief.advance(own_move, percepts)
belief.worlds.num, belief.is_complete, belief.probabilities()
"""

from ggp.belief.belief import Belief
from ggp.belief.information import first_information, information
from ggp.belief.worlds import TurnPercepts, World, Worlds

__all__ = ["Belief", "TurnPercepts", "World", "Worlds", "first_information", "information"]

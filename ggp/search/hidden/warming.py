"""Getting the kernels of the searches of hidden information into memory, by the smallest poker."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

import gdl
from ggp.belief import Belief
from ggp.search.hidden.ismcts.search import InformationSetSearch, InformationSetSettings
from ggp.search.hidden.oos.search import OutcomeSampling, OutcomeSettings
from ggp.search.hidden.solving.best_response import exploitability, move_values
from ggp.search.hidden.solving.full_width import FullWidth
from ggp.search.hidden.solving.growing import grow

ROOMS: Final = [Path(__file__).with_name(room) for room in ("ismcts", "oos", "solving")]

_MEMORY: Final = 1 << 16

# A card is dealt to one role, which bets or not; the other calls or not.
_POKER = """
(role one) (role two) (role random) (init (step 1)) (card low) (card high)
(<= (legal random ?c) (card ?c) (true (step 1))) (<= (legal one wait) (not (true (step 2))))
(<= (legal one bet) (true (step 2))) (<= (legal one pass) (true (step 2)))
(<= (legal two call) (true (step 3))) (<= (legal two fold) (true (step 3)))
(<= (legal two wait) (not (true (step 3)))) (<= (legal random wait) (not (true (step 1))))
(<= (sees one ?c) (does random ?c)) (<= (sees two ?m) (does one ?m))
(succ 1 2) (succ 2 3) (succ 3 4) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (has ?c)) (does random ?c)) (<= (next (has ?c)) (true (has ?c)))
(<= (next (did ?m)) (does one ?m) (distinct ?m wait)) (<= (next (did ?m)) (true (did ?m)))
(<= (next (did ?m)) (does two ?m) (distinct ?m wait))
(<= terminal (true (step 4))) (<= won (true (has high)) (true (did bet)) (true (did call)))
(<= won (true (did bet)) (true (did fold)))
(<= (goal one 100) won) (<= (goal two 0) won)
(<= (goal one 0) (not won)) (<= (goal two 100) (not won)) (goal random 0)
"""


def warm_up_hidden() -> None:
    """Load all kernels of these searches."""
    game = gdl.load(_POKER, "scalar")
    tree = grow(game)
    learner = FullWidth(tree)
    learner.run(1)
    shares = learner.average()
    exploitability(tree, shares)
    move_values(tree, 0, shares)
    role = game.roles[0]
    outcomes = OutcomeSampling(game, role, 1, OutcomeSettings(memory=_MEMORY))
    outcomes.run(1)
    trees = InformationSetSearch(game, role, 1, InformationSetSettings(memory=_MEMORY))
    worlds = Belief(game, role, seed=1).worlds
    trees.look_at(worlds)
    trees.run(1)
    trees.likelihoods(1, worlds.known[:, 1], np.zeros(worlds.num, np.int32))

"""Input of the grounder: a rulesheet's clauses, rewritten so that few instances result.

Long bodies are always split. Relations that would explode are computed on demand; where there are
any, the rest of the rewriting pays as well: their clauses in layers, choices of conditions merged,
bodies split even where that takes a copy of some conditions.
"""

from __future__ import annotations

from dataclasses import dataclass

from gdl.ground.clauses import Clause, NewRelations
from gdl.ground.demand import restrict
from gdl.ground.domains import Domains
from gdl.ground.layers import separate
from gdl.ground.loop_guards import without_loop_guards
from gdl.ground.merge import merge
from gdl.ground.normal import normalise
from gdl.ground.split import split
from gdl.ground.unfold import unfold
from gdl.rulesheet import Relation, Rulesheet


@dataclass(frozen=True, slots=True)
class GroundingLimits:
    """From which size on it pays to do more than to split bodies, see `Domains.size`.

    Attributes:
        on_demand: Of a relation that is computed on demand.
        gain: Of what is asked about it.
        unfolded: Of a choice of comparisons that is replaced by what it says.
    """

    on_demand: int = 2**16
    gain: int = 2**7  # more than the cells of most boards: each of them will be asked about
    unfolded: int = 2**14


DEFAULT_LIMITS = GroundingLimits()


@dataclass(frozen=True, slots=True)
class GroundingPlan:
    """Clauses, and the relations in them that say what is asked (see `gdl.ground.demand`)."""

    clauses: list[Clause]
    asked: frozenset[Relation] = frozenset()


def prepare(rulesheet: Rulesheet, limits: GroundingLimits = DEFAULT_LIMITS) -> GroundingPlan:
    """The clauses to be grounded.

    Raises:
        GroundingError: The rules have no ground program, see `normalise`.
    """
    new = NewRelations()
    clauses = without_loop_guards(normalise(rulesheet, new), new)
    domains = Domains(clauses)
    unfolded = unfold(clauses, domains, limits.unfolded)
    restricted, asked = restrict(unfolded, domains, new, limits.on_demand, limits.gain)
    if not asked:
        return GroundingPlan(split(clauses, new))
    layered, questions = separate(restricted, asked, new)
    return GroundingPlan(split(merge(layered, new), new, with_binders=True), questions)

"""Tournaments: what is to be played next, and the table of what has been played."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ggp.manager.store.tournaments import FixtureEntry
from ggp.tournament.fixtures import Fixture, Result, next_round
from ggp.tournament.plan import TournamentPlan
from ggp.tournament.table import Table, make_table


def still_to_plan(
    plan: TournamentPlan, num_roles: dict[str, int], found: Sequence[FixtureEntry]
) -> Iterator[Fixture]:
    """The missing fixtures of the round that is planned; if none is missing, the next round."""
    last = max((entry.fixture.round for entry in found), default=0)
    before = [entry for entry in found if entry.fixture.round < last]
    if any(entry.result is None for entry in before):  # annulled, to be played again first
        return iter(())
    rest = itertools.islice(
        next_round(plan, num_roles, _results(before)), len(found) - len(before), None
    )
    for fixture in rest:
        return itertools.chain([fixture], rest)
    if any(entry.result is None for entry in found):
        return iter(())
    return next_round(plan, num_roles, _results(found))


def _results(found: Sequence[FixtureEntry]) -> list[Result]:
    return [entry.result for entry in found if entry.result is not None]


def table_of(plan: TournamentPlan, found: Sequence[FixtureEntry]) -> Table:
    """The table of what has been played so far."""
    return make_table([entrant.name for entrant in plan.players], _results(found))

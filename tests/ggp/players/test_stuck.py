"""Players whose rules leave a role without a move: an error in words, not one of an index."""

from __future__ import annotations

import pytest

import gdl
from ggp.clock import Deadline
from ggp.players import create, names
from ggp.players.registry import player_class
from ggp.players.searching import SearchPlayer
from ggp.search.core.choices import StuckError
from tests.thorough import all_but

pytestmark = pytest.mark.usefixtures("kernels")

ALONE = """
(role a) (init x) (<= (next y) (true x)) (<= (legal a go) (true y)) (<= terminal (true z))
(goal a 50)
"""
TWO = """
(role a) (role b) (init x) (<= (next w) (true x)) (legal a go) (legal a stay)
(<= (legal b go) (true w)) (<= terminal (true y)) (goal a 50)
"""
SEARCHING = [name for name in names() if issubclass(player_class(name), SearchPlayer)]


@pytest.mark.parametrize("engine", all_but(["lanes"], ["interpreter", "lanes"]))
@pytest.mark.parametrize("rules", [ALONE, TWO], ids=["alone", "two"])
@pytest.mark.parametrize("name", SEARCHING)
def test_no_search_begins_where_a_role_is_stuck(name: str, rules: str, engine: gdl.Engine) -> None:
    """Preparing and pondering come to nothing, choosing and searching tell the role."""
    machine = gdl.load(gdl.read_kif(rules, "stuck.kif"), engine)
    player = create(name, machine, machine.roles[0], {}, 1)
    state = machine.initial_state()
    assert isinstance(player, SearchPlayer)

    player.prepare(state, Deadline.after(0.1))
    player.ponder(state, Deadline.after(0.1))

    with pytest.raises(StuckError, match=f"role {machine.roles[-1]} no legal move"):
        player.choose(state, Deadline.after(0.1))
    with pytest.raises(StuckError, match=f"role {machine.roles[-1]} no legal move"):
        _searched(player, state)


def _searched(player: SearchPlayer, state: gdl.State) -> None:
    search = player.new_search(state)
    while search.step(Deadline.after(0.1)):
        pass
    search.result()

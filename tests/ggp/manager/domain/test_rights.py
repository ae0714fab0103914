"""What is seen of a turn by whom."""

from __future__ import annotations

from ggp.manager.domain.rights import VisibleMatch
from ggp.manager.store.matches import PlayedTurn


def test_what_a_player_thought_is_told_to_its_owner() -> None:
    """As why it failed is; of the other player, which is everybody's, all is told."""
    reply = {"fallback": "", "thoughts": {"depth": 3}}
    turn = PlayedTurn(1, ("a", "b"), (), ("", ""), 0, (reply, reply))

    def thoughts(*unexplained: int) -> list[object]:
        seen = VisibleMatch(is_whole=True, unexplained=frozenset(unexplained)).turn(turn)
        return [one["thoughts"] for one in seen["replies"]]

    assert thoughts() == [{"depth": 3}, {"depth": 3}]
    assert thoughts(0) == [{}, {"depth": 3}]

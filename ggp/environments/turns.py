"""The choices of all roles of a game one after another, by one caller."""

from __future__ import annotations

from ggp.environments.episode import Episode


class Turns:
    """The order in which roles choose in an episode; the joint move is made when all have chosen.

    In each state those choose who have more than one legal move, in the order of the rulesheet.
    Choices at the same time are made one after the other, and none changes the state before the
    last. If nobody has a choice, the role to move makes its only move.

    Attributes:
        role: Whose turn it is; when the game is over, whose it was last.
    """

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self.role = episode.players[0]
        self._enter()

    def play(self, action: int) -> bool:
        """Let the role whose turn it is make an action; tells whether a joint move was made.

        Raises:
            IllegalMoveError: The action is not legal.
        """
        episode = self._episode
        episode.check(self.role, action)
        self._chosen[self.role] = action
        if len(self._chosen) < len(self._choosing):
            self.role = self._choosing[len(self._chosen)]
            return False
        episode.step(self._chosen)
        self._enter()
        return True

    def _enter(self) -> None:
        episode = self._episode
        self._chosen: dict[int, int] = {}
        if episode.is_over:
            return
        self._choosing = episode.deciding or (self._waiting_role(),)
        self.role = self._choosing[0]

    def _waiting_role(self) -> int:
        """The role to move where nobody has a choice, or only `random`."""
        game, players = self._episode.game, self._episode.players
        control = game.control(self._episode.state)
        own = [role for role in players if game.roles[role] is control]
        return (own or players)[0]

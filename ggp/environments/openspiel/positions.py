"""The positions of a game in which a role chooses, and how players observe them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import pyspiel
from numpy.typing import NDArray

import gdl
from ggp.environments.encoding import Encoding
from ggp.environments.episode import illegal_action
from ggp.environments.observations import Observation
from ggp.search.hidden.solving.game_tree import hides_information

Legal = tuple[Mapping[int, gdl.Move], ...]
"""For each role, its legal moves by action number, in ascending order."""

Choices = tuple[Legal, tuple[int, ...], bool]
"""Legal moves, the roles that have a choice, and whether the game is stuck because faulty rules
leave a role without a legal move. The first two are empty if the game is over."""

Floats = NDArray[np.float32]

MEMORY: Final = 10_000  # number of states, and of joint moves, to cache
LARGEST_HISTORY: Final = 100_000  # maximum number of elements of a history


class TurnOrder(Enum):
    """The order in which players choose if the rules let several choose at the same time."""

    ALTERNATING = "no two players ever have a choice at the same time"
    SIMULTANEOUS = "at the same time"
    SERIALIZED = "one after the other, without knowing of each other"


class Step(NamedTuple):
    """A joint move that was made: the action, the move and the percepts of each role."""

    actions: tuple[int, ...]
    moves: tuple[str, ...]
    percepts: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class SpielPosition:
    """An immutable state of the game, with its history and the roles that have to choose.

    Attributes:
        steps: The joint moves that led here, including forced ones.
        legal: For each role, its legal moves by action number, in ascending order. Empty if the
            game is over.
        waiting: Roles that have a choice and have not made it yet: players first, `random` last.
            Empty only if the game is over.
        chosen: The actions of the roles that have already chosen in this state.
        is_undecided: Whether the game ended although the rules do not say so: it was too long, or a
            role had no legal move.
    """

    state: gdl.State
    steps: tuple[Step, ...] = ()
    legal: Legal = ()
    waiting: tuple[int, ...] = ()
    chosen: Mapping[int, int] = field(default_factory=dict)
    is_undecided: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the game is over, so that no role has to choose."""
        return not self.waiting

    def __deepcopy__(self, memo: object) -> SpielPosition:
        return self


class Positions:
    """The positions of a game. Roles are numbers in the order of the rulesheet.

    Attributes:
        encoding: The moves and facts of the game as numbers.
        players: The roles except `random`.
        has_percepts: Whether roles know only their percepts (GDL-II).
        percepts: For each role, a number for each of its possible percepts. None if the percepts
            are unknown because the game is not compiled.
    """

    def __init__(
        self, game: gdl.Game, encoding: Encoding, max_moves: int, order: TurnOrder
    ) -> None:
        self.game, self.encoding, self.max_moves, self.order = game, encoding, max_moves, order
        roles = range(len(game.roles))
        self.chance = tuple(role for role in roles if gdl.is_random(game.roles[role]))
        self.players = tuple(role for role in roles if role not in self.chance)
        self.has_percepts = hides_information(game)
        self.percepts = _percepts(game)
        self._choices = lru_cache(MEMORY)(self._find_choices)
        self._move = lru_cache(MEMORY)(self._make_move)
        self.first = self._settle(game.initial_state(), ())

    def __deepcopy__(self, memo: object) -> Positions:
        return self  # positions never change

    def __reduce__(self) -> tuple[type[Positions], tuple[object, ...]]:
        return type(self), (self.game, self.encoding, self.max_moves, self.order)

    def after(self, position: SpielPosition, actions: Mapping[int, int]) -> SpielPosition:
        """Return the position after roles in `position.waiting` have chosen `actions`."""
        for role, action in actions.items():
            if action not in position.legal[role]:
                raise illegal_action(self.game.roles[role], position.legal[role], action)
        chosen = {**position.chosen, **actions}
        waiting = tuple(role for role in position.waiting if role not in chosen)
        if waiting:
            return replace(position, chosen=chosen, waiting=waiting)
        return self._settle(*self._made(position.state, position.steps, position.legal, chosen))

    def goals(self, position: SpielPosition) -> tuple[int, ...]:
        """Return the goal of each player in a position."""
        return tuple(self.game.goal(position.state, self.game.roles[role]) for role in self.players)

    def _settle(self, state: gdl.State, steps: tuple[Step, ...]) -> SpielPosition:
        while True:
            legal, waiting, is_stuck = self._choices(state)
            if is_stuck or (legal and len(steps) >= self.max_moves):
                return SpielPosition(state, steps, is_undecided=True)
            if not legal:
                return SpielPosition(state, steps)
            if waiting:
                return SpielPosition(state, steps, legal, waiting)
            state, steps = self._made(state, steps, legal, {})

    def _made(
        self, state: gdl.State, steps: tuple[Step, ...], legal: Legal, chosen: Mapping[int, int]
    ) -> tuple[gdl.State, tuple[Step, ...]]:
        actions = tuple(
            chosen[role] if role in chosen else next(iter(actions))
            for role, actions in enumerate(legal)
        )
        state, step = self._move(state, actions)
        return state, (*steps, step)

    def _make_move(self, state: gdl.State, actions: tuple[int, ...]) -> tuple[gdl.State, Step]:
        legal, _, _ = self._choices(state)
        moves = [legal[role][action] for role, action in enumerate(actions)]
        percepts: tuple[tuple[str, ...], ...] = ()
        if self.has_percepts:
            percepts = tuple(
                tuple(map(str, self.game.percepts(state, moves, role))) for role in self.game.roles
            )
        step = Step(actions, tuple(map(str, moves)), percepts)
        return self.game.next_state(state, moves), step

    def _find_choices(self, state: gdl.State) -> Choices:
        if self.game.is_terminal(state):
            return (), (), False
        legal = tuple(self.encoding.legal(state, role) for role in range(len(self.game.roles)))
        if not all(legal):
            return (), (), True
        waiting = tuple(role for role in (*self.players, *self.chance) if len(legal[role]) > 1)
        self._check(waiting)
        return legal, waiting, False

    def _check(self, waiting: tuple[int, ...]) -> None:
        deciding = [str(self.game.roles[role]) for role in waiting if role in self.players]
        if self.order is TurnOrder.ALTERNATING and len(deciding) > 1:
            raise ValueError(
                f"{' and '.join(deciding)} choose at the same time, although this did not "
                'happen in random play; load the game with dynamics="simultaneous"'
            )


def _percepts(game: gdl.Game) -> tuple[dict[str, int], ...] | None:
    if game.circuit is None:
        return None
    texts: list[set[str]] = [set() for _ in game.roles]
    for role, percept, _ in game.circuit.netlist.sees:
        texts[role].add(str(percept))
    return tuple({text: number for number, text in enumerate(sorted(each))} for each in texts)


class Observer:
    """An observer of a `GdlState` from the point of view of a player.

    With perfect recall, an observation shows everything that the player has seen: in GDL-II its own
    moves and percepts, otherwise all moves. Without perfect recall, it shows only the present: in
    GDL-II the player's last move and percepts, otherwise the facts. Pending simultaneous choices of
    other players are never shown.

    Attributes:
        tensor: The last observation that was set, flat. None if there is no tensor.
        dict: The parts of the tensor, by name.
    """

    def __init__(
        self,
        positions: Positions,
        observation: Observation,
        kind: pyspiel.IIGObservationType,
        has_tensor: bool,
    ) -> None:
        """Create an observer.

        Args:
            observation: The observation of states in games without hidden information.
            kind: What the observer shows.
            has_tensor: Whether the observer writes tensors. Otherwise it only returns texts.
        """
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("private_info: expected NONE or SINGLE_PLAYER, got ALL_PLAYERS")
        self._positions, self._observation, self._kind = positions, observation, kind
        self._has_recall = bool(kind.perfect_recall)
        self._is_private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        # In GDL-II no information counts as public.
        self._knows = self._is_private if positions.has_percepts else bool(kind.public_info)
        self.tensor: Floats | None = None
        self.dict: dict[str, Floats] = {}
        if has_tensor and self._knows:
            shapes = self._shapes()
            self.tensor = np.zeros(sum(map(_size, shapes.values())), np.float32)
            start = 0
            for name, shape in shapes.items():
                self.dict[name] = self.tensor[start : start + _size(shape)].reshape(shape)
                start += _size(shape)

    def __reduce__(self) -> tuple[Callable[..., Observer], tuple[object, ...]]:
        kind = self._kind
        parts = bool(kind.public_info), bool(kind.perfect_recall), kind.private_info
        return _stored_observer, (self._positions, self._observation, parts, self.tensor)

    def set_from(self, state: pyspiel.State, player: int) -> None:
        """Write the observation of a player to the tensor."""
        if self.tensor is None:
            return
        position, role = state.position, self._positions.players[player]
        self.tensor.fill(0)
        if "player" in self.dict:
            self.dict["player"][player] = 1
        if "state" in self.dict:
            self.dict["state"][:] = self._observation.of(position.state, role)
        if "history" in self.dict:
            for row, step in zip(self.dict["history"], position.steps, strict=False):
                self._write(row, step, role)
        if "last" in self.dict and position.steps:
            self._write(self.dict["last"], position.steps[-1], role)

    def string_from(self, state: pyspiel.State, player: int) -> str:
        """Return the observation of a player as text."""
        if not self._knows:
            return ""
        position, role = state.position, self._positions.players[player]
        parts = self._known(position, role)
        if self._is_private and role in position.chosen:
            parts.append(f"chosen {position.legal[role][position.chosen[role]]}")
        return f"{self._positions.game.roles[role]}: " + "; ".join(parts)

    def _known(self, position: SpielPosition, role: int) -> list[str]:
        if self._has_recall:
            return [self._seen(step, role) for step in position.steps]
        if self._positions.has_percepts:
            return [self._seen(step, role) for step in position.steps[-1:]]
        return [" ".join(map(str, self._positions.game.facts(position.state)))]

    def _seen(self, step: Step, role: int) -> str:
        if self._positions.has_percepts:
            return " ".join([step.moves[role], *step.percepts[role]])
        return " ".join(step.moves)

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        positions = self._positions
        if not self._has_recall and not positions.has_percepts:
            return {"state": self._observation.shape}
        shapes: dict[str, tuple[int, ...]] = {}
        if len(positions.players) > 1:
            shapes["player"] = (len(positions.players),)
        if self._has_recall:
            shapes["history"] = history_shape(positions)
        else:
            shapes["last"] = history_shape(positions)[1:]
        return shapes

    def _write(self, row: Floats, step: Step, role: int) -> None:
        """Write a joint move: in GDL-II the role's own move and percepts, otherwise all moves."""
        if not self._positions.has_percepts:
            starts = np.cumsum([0, *self._positions.encoding.num_actions[:-1]])
            row[starts + step.actions] = 1
            return
        assert self._positions.percepts is not None
        row[step.actions[role]] = 1
        numbers, start = self._positions.percepts[role], _most_actions(self._positions)
        row[[start + numbers[percept] for percept in step.percepts[role]]] = 1


def _stored_observer(
    positions: Positions,
    observation: Observation,
    parts: tuple[bool, bool, pyspiel.PrivateInfoType],
    tensor: Floats | None,
) -> Observer:
    """Restore a pickled observer, with the parts of its tensor as views of the tensor."""
    kind = pyspiel.IIGObservationType(*parts)
    observer = Observer(positions, observation, kind, has_tensor=tensor is not None)
    if tensor is not None and observer.tensor is not None:
        observer.tensor[:] = tensor
    return observer


def history_shape(positions: Positions) -> tuple[int, int]:
    """Return the shape of a player's whole history, with one row for each joint move."""
    if not positions.has_percepts:
        return positions.max_moves, sum(positions.encoding.num_actions)
    most = max(map(len, positions.percepts or ({},)))
    return positions.max_moves, _most_actions(positions) + most


def _most_actions(positions: Positions) -> int:
    return max(positions.encoding.num_actions[role] for role in positions.players)


def _size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape))

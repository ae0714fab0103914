"""OpenSpiel games made from rules, for direct use or for `pyspiel.load_game`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import pyspiel

import gdl
from ggp import games
from ggp.environments.encoding import make_encoding
from ggp.environments.observations import Observation, View, make_observation
from ggp.environments.openspiel.positions import (
    LARGEST_HISTORY,
    Observer,
    Positions,
    SpielPosition,
    TurnOrder,
    history_shape,
)
from ggp.environments.openspiel.utilities import Utilities, Utility, survey
from ggp.environments.task import Rules, load_game
from ggp.search.hidden.solving.game_tree import hides_information

Dynamics = Literal["auto", "sequential", "simultaneous"]

DYNAMICS: Final[tuple[Dynamics, ...]] = ("auto", "sequential", "simultaneous")

Key = tuple[str | float | None, ...]

_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
SIMULTANEOUS: Final = int(pyspiel.PlayerId.SIMULTANEOUS)
TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


class GdlGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game whose rules are GDL. Create it with `load`."""

    def __init__(
        self, name: str, positions: Positions, utilities: Utilities, observation: Observation
    ) -> None:
        kind = _kind(name, positions, utilities)
        super().__init__(kind, _info(positions, utilities), {})
        self.positions, self.utilities = positions, utilities
        self._observation = observation
        self._has_history = bool(kind.provides_information_state_tensor)
        self._has_observation = bool(kind.provides_observation_tensor)

    def new_initial_state(self) -> GdlState:
        """Return the state in which the game starts."""
        return GdlState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> Observer:
        """Return an observer of states.

        Raises:
            ValueError: `params` is not empty, or the private information of all players is
                requested.
        """
        if params:
            raise ValueError(f"expected no parameters of an observation, got {dict(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        has_tensor = self._has_history if kind.perfect_recall else self._has_observation
        return Observer(self.positions, self._observation, kind, has_tensor)

    def __copy__(self) -> GdlGame:
        return self  # a game never changes

    def __deepcopy__(self, memo: object) -> GdlGame:
        return self

    def __reduce__(self) -> tuple[Callable[..., GdlGame], tuple[str, Key]]:
        return _registered_game, (str(self.get_type().short_name), self.key)

    @property
    def key(self) -> Key:
        """The rules' digest, and the options. Together they distinguish games of the same name."""
        positions, utilities = self.positions, self.utilities
        rulesheet = positions.game.rulesheet
        digest = "" if rulesheet is None else rulesheet.digest
        values = utilities.lowest, utilities.highest, utilities.total
        return digest, positions.order.name, positions.max_moves, *values

    def max_chance_nodes_in_history(self) -> int:
        """Return the maximum number of moves that `random` makes in a game."""
        return self.positions.max_moves if self.max_chance_outcomes() else 0


def _kind(name: str, positions: Positions, utilities: Utilities) -> pyspiel.GameType:
    kind = pyspiel.GameType
    is_simultaneous = positions.order is TurnOrder.SIMULTANEOUS
    is_hidden = positions.has_percepts or positions.order is TurnOrder.SERIALIZED
    has_numbers = not positions.has_percepts or positions.percepts is not None
    outcomes = _most_outcomes(positions)
    rows, columns = history_shape(positions)
    chance, information = kind.ChanceMode, kind.Information
    if utilities.total is None:
        utility = kind.Utility.GENERAL_SUM
    else:
        utility = kind.Utility.CONSTANT_SUM if utilities.total else kind.Utility.ZERO_SUM
    return kind(
        short_name=name,
        long_name=name,
        dynamics=kind.Dynamics.SIMULTANEOUS if is_simultaneous else kind.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if outcomes else chance.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION
        if is_hidden
        else information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=len(positions.players),
        min_num_players=len(positions.players),
        provides_information_state_string=True,
        provides_information_state_tensor=is_hidden
        and has_numbers
        and rows * columns <= LARGEST_HISTORY,
        provides_observation_string=True,
        provides_observation_tensor=has_numbers,
        parameter_specification={},
    )


def _info(positions: Positions, utilities: Utilities) -> pyspiel.GameInfo:
    num_actions = positions.encoding.num_actions
    num_players = len(positions.players)
    num_turns = num_players if positions.order is TurnOrder.SERIALIZED else 1
    return pyspiel.GameInfo(
        num_distinct_actions=max(num_actions[role] for role in positions.players),
        max_chance_outcomes=_most_outcomes(positions),
        num_players=num_players,
        min_utility=utilities.lowest,
        max_utility=utilities.highest,
        utility_sum=utilities.total,
        max_game_length=positions.max_moves * num_turns,
    )


def _most_outcomes(positions: Positions) -> int:
    """Return the maximum number of legal moves of `random`, or 0 if it never has a choice."""
    most = max((positions.encoding.num_actions[role] for role in positions.chance), default=0)
    return most if most > 1 else 0


class GdlState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state of a game whose rules are GDL.

    OpenSpiel copies and stores a state by its `__dict__`, which holds only the position. Positions
    are immutable, so copies may share them.
    """

    __slots__ = ("__dict__", "_game")

    position: SpielPosition

    def __init__(self, game: GdlGame) -> None:
        super().__init__(game)
        self._game = game
        self.position = game.positions.first

    def current_player(self) -> int:
        """Return the choosing player, or OpenSpiel's number for chance, several players or none."""
        waiting = self.position.waiting
        if not waiting:
            return TERMINAL
        positions = self._game.positions
        if waiting[0] in positions.chance:
            return CHANCE
        are_several = len(waiting) > 1 and waiting[1] in positions.players
        if are_several and positions.order is TurnOrder.SIMULTANEOUS:
            return SIMULTANEOUS
        return positions.players.index(waiting[0])

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """Return the utilities of the players. They are 0 until the game is over."""
        position, game = self.position, self._game
        if not position.is_over:
            return [0.0] * len(game.positions.players)
        if position.is_undecided:
            return game.utilities.undecided()
        return game.utilities.of(game.positions.goals(position))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the actions of `random` and their probabilities, which are all equal."""
        legal = self.position.legal[self.position.waiting[0]]
        return [(action, 1 / len(legal)) for action in legal]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal[self._game.positions.players[player]])

    def _apply_action(self, action: int) -> None:
        position = self.position
        self.position = self._game.positions.after(position, {position.waiting[0]: action})

    def _apply_actions(self, actions: list[int]) -> None:
        chosen = dict(zip(self._game.positions.players, actions, strict=True))
        self.position = self._game.positions.after(self.position, chosen)

    def _action_to_string(self, player: int, action: int) -> str:
        positions, legal = self._game.positions, self.position.legal
        role = positions.chance[0] if player == CHANCE else positions.players[player]
        if legal and action in legal[role]:
            return str(legal[role][action])
        names = positions.encoding.action_names(role)
        if not 0 <= action < len(names):
            raise ValueError(
                f"action of role {positions.game.roles[role]}: expected 0 to {len(names) - 1}, "
                f"got {action}"
            )
        return names[action]

    def __copy__(self) -> GdlState:
        return self.clone()  # type: ignore[no-any-return]

    def __deepcopy__(self, memo: object) -> GdlState:
        return self.clone()  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Callable[..., GdlState], tuple[GdlGame, str]]:
        return _stored_state, (self._game, self.serialize())

    def __str__(self) -> str:
        position, game = self.position, self._game.positions.game
        words = [str(fact) for fact in game.facts(position.state)]
        for role, action in position.chosen.items():
            words.append(f"{game.roles[role]}: {position.legal[role][action]}")
        return " ".join([*words, "undecided"] if position.is_undecided else words)


def _registered_game(name: str, key: Key) -> GdlGame:
    """Return the game that a pickle refers to.

    Raises:
        SpielError: The name is not registered in this process, or belongs to another game.
    """
    found = pyspiel.load_game(name) if name in pyspiel.registered_names() else None
    if isinstance(found, GdlGame) and found.key == key:
        return found
    wrong = "is not registered in this process"
    if found is not None:
        wrong = "is registered in this process with other rules or options"
    raise pyspiel.SpielError(
        f"game {name} {wrong}: a pickle contains only the name of the game, so "
        "register the game in this process as well, with openspiel.register(...) "
        "and the same arguments"
    )


def _stored_state(game: GdlGame, text: str) -> GdlState:
    state = game.deserialize_state(text)
    assert isinstance(state, GdlState)
    return state


def load(
    rules: Rules,
    short_name: str | None = None,
    *,
    dynamics: Dynamics = "auto",
    utility: Utility | None = None,
    zero_sum: bool | None = None,
    max_game_length: int | None = None,
    observation: Literal["facts", "planes"] = "facts",
    view: View = "fixed",
    engine: gdl.Engine = "scalar",
) -> GdlGame:
    """Return the OpenSpiel game that has these rules.

    Properties that the rules do not state are found by a survey: it visits all states of a small
    game, and plays other games at random. For `rules`, `view`, `engine` and further errors, see
    `ggp.environments.task.Task`.

    Args:
        short_name: The game's name in OpenSpiel. None means `ggp_` and the name of the game.
        dynamics: Whether players may choose at the same time (`simultaneous`), or one after the
            other without knowing the other choices (`sequential`). `auto` decides by the survey.
        utility: The utilities of the goals 0 and 100, or a function of the goal. See `Utilities`.
        zero_sum: Whether the utilities always have the same sum. None decides by the survey.
        max_game_length: Number of joint moves after which a game ends undecided. None means the
            length of the longest game, or, if it is unknown, many more moves than in random play.
        observation: The source of observation tensors: the `facts` of the state, or `planes` of its
            boards. It has no effect if roles know only their percepts.

    Raises:
        ValueError: An option is invalid or does not fit the game, or `random` plays alone.
    """
    game = load_game(rules, engine)
    name = _short_name(game) if short_name is None else short_name
    _check(game, name, dynamics, max_game_length, observation)
    encoding = make_encoding(game)
    numbers = make_observation(game, encoding, observation, view)
    seen = survey(game)
    is_simultaneous = seen.is_simultaneous if dynamics == "auto" else dynamics == "simultaneous"
    order = TurnOrder.SERIALIZED if seen.is_simultaneous else TurnOrder.ALTERNATING
    order = TurnOrder.SIMULTANEOUS if is_simultaneous else order
    max_moves = max(1, seen.length) if max_game_length is None else max_game_length
    positions = Positions(game, encoding, max_moves, order)
    utilities = Utilities(seen, len(positions.players), _goals(game), utility, zero_sum)
    return GdlGame(name, positions, utilities, numbers)


_digests: dict[str, str] = {}
"""The digest of the rules of each registered game, by its name."""


def register(rules: Rules, short_name: str | None = None, **options: Any) -> str:
    """Register a game for `pyspiel.load_game`, with the arguments of `load`. Return its name.

    The same rules may be registered again, with other options.

    Raises:
        ValueError: Another game has that name already.
    """
    game = load(rules, short_name, **options)
    kind, rulesheet = game.get_type(), game.positions.game.rulesheet
    name = str(kind.short_name)
    digest = f"part {id(game)}" if rulesheet is None else rulesheet.digest
    if name in pyspiel.registered_names() and _digests.get(name) != digest:
        raise ValueError(
            f"short_name: expected a name that is not in use, but {name} is another game"
        )
    _digests[name] = digest
    pyspiel.register_game(kind, _Registered(game))
    return name


def register_bundled() -> tuple[str, ...]:
    """Register all bundled games for `pyspiel.load_game`, and return their names."""
    return tuple(map(register, games.names()))


class _Registered:
    def __init__(self, game: GdlGame) -> None:
        self._game = game
        # Keep the object alive. Otherwise OpenSpiel would release it after Python has ended, when
        # nothing may be freed any more.
        self._itself = self

    def __call__(self, params: Mapping[str, Any]) -> GdlGame:
        return self._game


def _check(
    game: gdl.Game, name: str, dynamics: str, max_game_length: int | None, observation: str
) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"short_name: expected an ASCII letter, then ASCII letters, digits or _; got {name!r}"
        )
    if dynamics not in DYNAMICS:
        raise ValueError(f"dynamics: expected one of {', '.join(DYNAMICS)}, got {dynamics!r}")
    if max_game_length is not None and max_game_length < 1:
        raise ValueError(f"max_game_length: expected at least 1, got {max_game_length}")
    if observation not in {"facts", "planes"}:
        raise ValueError(f"observation: expected facts or planes, got {observation!r}")
    if observation != "facts" and hides_information(game):
        raise ValueError(
            "observation: expected facts, because planes would show information that "
            "the game hides from the players"
        )
    if all(map(gdl.is_random, game.roles)):
        raise ValueError(
            "expected a game with at least one role for a player, got one with only the role random"
        )


def _short_name(game: gdl.Game) -> str:
    if game.rulesheet is None:
        raise ValueError("short_name: expected a name, because a subgame has none of its own")
    stem = Path(game.rulesheet.name).stem
    if stem.startswith("<"):
        stem = game.rulesheet.digest[:8]
    return "ggp_" + re.sub(r"\W", "_", stem, flags=re.ASCII)


def _goals(game: gdl.Game) -> list[int]:
    if game.circuit is None:
        return list(range(101))
    goals = game.circuit.netlist.goals
    return [goal for role, goal, _ in goals if not gdl.is_random(game.roles[role])]

"""A position as one role knows it: what the role did, saw and believes, and how it should play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import gdl
from ggp.belief import Belief, TurnPercepts, Worlds
from ggp.clock import Deadline
from ggp.errors import WrongUseError
from ggp.search.core.choices import Joint
from ggp.search.hidden.solving.best_response import move_values
from ggp.search.hidden.solving.game_tree import hides_information, percepts_of_all
from ggp.search.hidden.solving.growing import grow
from ggp.search.hidden.solving.solution import Solution, solve

SOURCE: Final = "--seen"
_SECONDS_OF_BELIEF: Final = 2.0  # time limit for computing the belief after each turn


@dataclass(frozen=True)
class RoleView:
    """A position as one role knows it.

    Attributes:
        turns: What the role did and saw.
        num_worlds: Number of worlds found that agree with `turns`. It is 1 if nothing is hidden.
        is_complete: Whether these are all worlds that agree with `turns`.
        facts: The probability of each fact that is true in at least one of the worlds.
        worlds: The worlds themselves.
    """

    name: str
    loaded: gdl.Game
    role: gdl.Role
    turns: tuple[TurnPercepts, ...]
    num_worlds: int
    is_complete: bool
    facts: dict[gdl.Term, float]
    worlds: Worlds

    @property
    def certain(self) -> list[gdl.Term]:
        """The facts that are true in all worlds, sorted by text."""
        return sorted((fact for fact, share in self.facts.items() if _is_sure(share)), key=str)

    @property
    def possible(self) -> list[tuple[gdl.Term, float]]:
        """The facts that are true in some but not all of the worlds, the likeliest first."""
        unsure = [(fact, share) for fact, share in self.facts.items() if not _is_sure(share)]
        return sorted(unsure, key=lambda pair: (-pair[1], str(pair[0])))

    def to_json(self) -> dict[str, Any]:
        """Return the view as JSON data."""
        return {
            "game": self.name,
            "engine": self.loaded.engine,
            "roles": list(map(str, self.loaded.roles)),
            "role": str(self.role),
            "seen": [
                {"move": str(turn.own_move), "percepts": sorted(map(str, turn.percepts))}
                for turn in self.turns
            ],
            "worlds": self.num_worlds,
            "complete": self.is_complete,
            "facts": {
                str(fact): round(share, 6)
                for fact, share in sorted(self.facts.items(), key=lambda pair: str(pair[0]))
            },
        }


@dataclass(frozen=True)
class Advice:
    """Advice to a role for a position, from a solution of the game.

    Attributes:
        solution: The solution of the whole game.
        game_value: The goal that the role may expect from the initial position.
        value: The goal that the role may expect in this position, given its knowledge there. None
            if the solution's moves of the other roles never lead here. Also None if the role has no
            choice here, unless this is the initial position.
        moves: Each legal move with its share and the goal expected after it, if that is known. The
            most frequent move is first. None if the role has no choice there.
    """

    solution: Solution
    game_value: float
    value: float | None
    moves: list[tuple[gdl.Move, float, float | None]] | None

    def to_json(self) -> dict[str, Any]:
        """Return the advice as JSON data."""
        moves = [
            {"move": str(move), "share": round(share, 6), "value": value}
            for move, share, value in self.moves or []
        ]
        return {
            "value": self.value,
            "game_value": self.game_value,
            "exploitability": self.solution.exploitability,
            "nodes": self.solution.tree.num_nodes,
            "information_sets": self.solution.tree.num_sets,
            "steps": self.solution.num_steps,
            "seconds": round(self.solution.seconds, 3),
            "moves": moves,
        }


def view_after(name: str, loaded: gdl.Game, role: gdl.Role, moves: Sequence[Joint]) -> RoleView:
    """Return a role's view after joint moves from the start."""
    seat, state = loaded.roles.index(role), loaded.initial_state()
    turns = []
    for joint in moves:
        percepts = percepts_of_all(loaded, state, joint)[seat]
        state = loaded.next_state(state, joint)
        turns.append(TurnPercepts(joint[seat], percepts, loaded.is_terminal(state)))
    if hides_information(loaded):
        return _believed(name, loaded, role, turns)
    facts = dict.fromkeys(loaded.facts(state), 1.0)
    belief = Belief(loaded, role)
    belief.know(state)
    return RoleView(name, loaded, role, tuple(turns), 1, True, facts, belief.worlds)


def view_of_seen(name: str, loaded: gdl.Game, role: gdl.Role, texts: Sequence[str]) -> RoleView:
    """Return the view of a role whose moves and percepts are given by `texts`.

    For each turn, `texts` contains a move and a list of percepts, as in `noop ((got king))`. Worlds
    in which the game is over are left out, unless it is over in all of them.

    Raises:
        WrongUseError: The texts cannot be read, or no match can look like this to the role.
    """
    turns = read_turns(loaded, texts)
    if turns and not hides_information(loaded):
        raise WrongUseError(
            f"{SOURCE}: game {name} hides no information; describe the position with --moves"
        )
    return _believed(name, loaded, role, turns)


def read_turns(loaded: gdl.Game, texts: Sequence[str]) -> list[TurnPercepts]:
    """Parse the turns of a role in `texts`, with a move and a list of percepts each.

    Raises:
        WrongUseError: The texts cannot be read.
    """
    assert loaded.rulesheet is not None
    try:
        forms = gdl.read_forms(" ".join(texts), SOURCE)
        moves = [loaded.rulesheet.term(form) for form in forms[::2]]
        lists = [str(form) for form in forms[1::2]]
        if len(moves) != len(lists):
            raise WrongUseError(f"{SOURCE}: expected percepts after the move {moves[-1]}, got none")
        turns = []
        for move, text in zip(moves, lists, strict=True):
            if not text.startswith("("):
                raise WrongUseError(
                    f"{SOURCE}: expected a list of percepts after {move}, such as (), got {text}"
                )
            inner = gdl.read_forms(text[1:-1], SOURCE)
            turns.append(TurnPercepts(move, frozenset(map(loaded.rulesheet.term, inner))))
    except gdl.GdlError as error:
        raise WrongUseError(f"{error}") from error
    return turns


def advise(view: RoleView, deadline: Deadline, target: float) -> Advice:
    """Solve the game, and return how the role should play in the position.

    Args:
        target: Stop once a best response can gain at most this many goal points.

    Raises:
        UnsolvableError: The game is too large, or has no known kind of solution.
    """
    solution = solve(grow(view.loaded, deadline=deadline), target, deadline)
    tree = solution.tree
    player = tree.player(view.role)
    game_value, number = solution.values[player], tree.find_set(player, view.turns)
    if number is None:
        return Advice(solution, game_value, None if view.turns else game_value, None)
    worths = move_values(tree, number, solution.shares)
    shares = solution.shares[list(tree.slots(number))]
    value = None if worths is None else float(shares @ worths)
    moves = [
        (
            tree.moves[slot],
            float(solution.shares[slot]),
            None if worths is None else float(worths[k]),
        )
        for k, slot in enumerate(tree.slots(number))
    ]
    return Advice(solution, game_value, value, sorted(moves, key=lambda each: -each[1]))


def _believed(
    name: str, loaded: gdl.Game, role: gdl.Role, turns: Sequence[TurnPercepts]
) -> RoleView:
    belief = Belief(loaded, role, seed=0)
    for number, turn in enumerate(turns, start=1):
        belief.advance(
            turn.own_move,
            turn.percepts,
            Deadline.after(_SECONDS_OF_BELIEF),
            is_over=turn.is_over if number == len(turns) else False,
        )
        if not belief.is_consistent:
            raise WrongUseError(
                f"{SOURCE}: turn {number}: in no match of {name} can {role} see this "
                "after these moves"
            )
    if turns and turns[-1].is_over is None:  # users ask only about decisions
        belief.assume(is_over=False)
    worlds = belief.worlds
    facts, is_complete = belief.probabilities(), belief.is_complete
    return RoleView(name, loaded, role, tuple(turns), worlds.num, is_complete, facts, worlds)


def _is_sure(share: float) -> bool:
    return share > 1 - 1e-9

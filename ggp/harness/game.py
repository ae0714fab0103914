"""A game as harnesses use it: its matches, and the information that a model may have."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import gdl
from ggp.boards.plain_names import read_names
from ggp.boards.state_view import StateView
from ggp.boards.wording import samples
from ggp.harness.turn import RoleTurn, system_text
from ggp.language_models.briefing import legend_of, prose_of
from ggp.language_models.prompt import turn_message
from ggp.match.seat import TurnReport
from ggp.naming.annotations import head_comment
from ggp.naming.move_names import names_of

WHY_SECONDS: Final = 2.0
"""Time limit for finding out why a move is illegal."""
Opponent: TypeAlias = Callable[["HarnessMatch", str], str]
"""Function that chooses the move of a role in a match."""


class HarnessGame:
    """Game that models can play. Any number of its matches can be played at the same time.

    Attributes:
        briefing: A description of the rules, and of how positions are drawn.
        players: The roles except `random`.
        names: Names of moves, which may be used in answers.
    """

    def __init__(self, name: str, rules: str, briefing: str = "") -> None:
        """Parse the rules. Write a briefing if `briefing` is empty.

        Raises:
            GdlError: The rules cannot be read or played.
        """
        self.name = name
        self.rulesheet = gdl.read_rules(rules, name)
        self.machine = gdl.load(self.rulesheet, "interpreter")
        self.roles = tuple(map(str, self.machine.roles))
        self.players = tuple(str(role) for role in self.machine.roles if not gdl.is_random(role))
        self.is_hidden = self.rulesheet.has_percepts
        self.seen = samples(self.machine)
        states = [sample.facts for sample in self.seen]
        self.view = StateView(states, names=read_names(rules))
        self.briefing = briefing or self._briefing(rules)
        self.names = names_of(self.machine, rules)
        self._explainer = gdl.Explainer(self.rulesheet, WHY_SECONDS)

    def _briefing(self, rules: str) -> str:
        head = head_comment(rules)
        about = f"Its author says of the game: {head}\n\n" if head else ""
        prose = prose_of(self.rulesheet, self.machine, self.seen, rules).text()
        legend = "" if self.is_hidden else legend_of(self.view, self.seen[0].facts)
        return f"{about}{prose}\n\n{legend}".strip()

    def match(self, seed: int = 0, opponent: Opponent | None = None) -> HarnessMatch:
        """Start a new match.

        Args:
            seed: Seed for everything random: the role `random`, opponents and replacement moves.
            opponent: Function that chooses the moves of the players that are not asked. If None,
                they move at random.
        """
        return HarnessMatch(self, seed, opponent or random_opponent)

    def why_not(self, role: str, move: str, path: Sequence[Sequence[gdl.Term]]) -> str:
        """Return a sentence that says why a move is not legal, or "" if no reason is given.

        In games with hidden information no reason is given, because it may reveal secrets.
        """
        if self.is_hidden:
            return ""
        try:
            answer = self._explainer.why(f"(legal {role} {move})", path)
        except gdl.GdlError:
            return ""
        return "" if answer.holds else answer.sentence


class HarnessMatch:
    """Match of a harness, from its start to its end.

    Attributes:
        path: The joint moves so far, in role order.
        rng: Random generator for all random choices.
    """

    def __init__(self, game: HarnessGame, seed: int, opponent: Opponent) -> None:
        self.game = game
        self.path: list[tuple[gdl.Term, ...]] = []
        self.rng = random.Random(seed)
        self._opponent = opponent
        self._states = [game.machine.initial_state()]

    @property
    def state(self) -> gdl.State:
        """The current state."""
        return self._states[-1]

    @property
    def facts(self) -> list[str]:
        """Facts of the current state, as texts."""
        return list(map(str, self.game.machine.facts(self.state)))

    @property
    def is_over(self) -> bool:
        """Whether the match is over, or cannot continue because a role has no legal move."""
        machine = self.game.machine
        return machine.is_terminal(self.state) or not all(map(self.legal, self.game.roles))

    def legal(self, role: str) -> list[str]:
        """Return the legal moves of a role, sorted by their texts."""
        moves = self.game.machine.legal_moves(self.state, gdl.Constant(role))
        return sorted(map(str, moves))

    def deciding(self) -> list[str]:
        """Return the players that have a choice in the current state. Leave out `random`."""
        if self.is_over:
            return []
        return [role for role in self.game.players if len(self.legal(role)) > 1]

    def ask(self, role: str, rethinks: int = 3, *, shows_legal: bool = True) -> RoleTurn:
        """Return the turn of a role in the current position, with messages to send to a model."""
        return RoleTurn(self, role, rethinks, shows_legal=shows_legal)

    def play(self, moves: Mapping[str, str]) -> None:
        """Make a joint move: the given moves, and moves that are chosen for the other roles.

        Raises:
            ValueError: A move is not legal.
        """
        joint = []
        for role in self.game.roles:
            legal = self.legal(role)
            move = moves.get(role) or (legal[0] if len(legal) == 1 else self._choice(role, legal))
            if move not in legal:
                raise ValueError(f"{move} is not legal for {role}")
            joint.append(gdl.read_term(move))
        self._states.append(self.game.machine.next_state(self.state, joint))
        self.path.append(tuple(joint))

    def _choice(self, role: str, legal: Sequence[str]) -> str:
        return self._opponent(self, role) if role in self.game.players else self.rng.choice(legal)

    def goals(self) -> dict[str, int]:
        """Return the goal of each role in the current state."""
        machine = self.game.machine
        return {role: machine.goal(self.state, gdl.Constant(role)) for role in self.game.roles}

    # --- What a role may know about the match -----------------------------------------------------

    def system_text(self, role: str) -> str:
        """Return the message that tells a role the rules."""
        return system_text(self.game.briefing, role, self.legal(role), self.game.is_hidden)

    def question(self, role: str, *, shows_legal: bool = True) -> str:
        """Return the message that shows a role the position, as far as the role may know it."""
        facts = None if self.game.is_hidden else self.facts
        text = turn_message(self._reports(role), facts, self.legal(role) if shows_legal else [])
        if facts is None or not self.game.view.boards:
            return text
        drawn = "\n".join(self.game.view.lines(facts))
        return f"{drawn}\n\n{text}"

    def _reports(self, role: str) -> list[TurnReport]:
        machine, index = self.game.machine, self.game.roles.index(role)
        found = []
        for turn, (state, joint) in enumerate(zip(self._states, self.path, strict=False), start=1):
            moves = tuple(map(str, joint))
            if self.game.is_hidden:
                seen = machine.percepts(state, joint, machine.roles[index])
                seen_texts = tuple(map(str, seen))
                found.append(
                    TurnReport(turn, None, seen_texts, moves[index], roles=self.game.roles)
                )
            else:
                found.append(TurnReport(turn, moves, None, moves[index], roles=self.game.roles))
        return found

    def to_json(self, role: str | None = None) -> dict[str, Any]:
        """Return the match as JSON that fits its schema.

        Args:
            role: The role that will see the result. If None, include everything. In games with
                hidden information a role gets no facts and no moves of others.
        """
        sees_all = role is None or not self.game.is_hidden
        facts: dict[str, list[list[str]]] = {}
        for fact in self.game.machine.facts(self.state) if sees_all else ():
            args = fact.args if isinstance(fact, gdl.Compound) else ()
            facts.setdefault(fact_key(fact), []).append(list(map(str, args)))
        shown = [role] if role is not None and self.game.is_hidden else list(self.game.roles)
        is_over = self.is_over
        return {
            "game": self.game.name,
            "turn": len(self.path) + 1,
            "over": is_over,
            "facts": facts,
            "legal": {one: [] if is_over else self.legal(one) for one in shown},
            "history": [
                {
                    one: str(move)
                    for one, move in zip(self.game.roles, joint, strict=True)
                    if one in shown
                }
                for joint in self.path
            ],
            "goals": self.goals() if is_over else None,
        }


def fact_key(fact: gdl.Term) -> str:
    """Return the name of a fact's relation, under which JSON lists the fact."""
    return fact.name if isinstance(fact, gdl.Compound) else str(fact)


def random_opponent(match: HarnessMatch, role: str) -> str:
    """Return a random legal move of a role."""
    return match.rng.choice(match.legal(role))

"""Worked examples of legal and illegal moves, each checked against the game."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ggp.boards.wording import Sample
from ggp.harness.game import HarnessGame, HarnessMatch
from ggp.language_models.reading import nearest

NUM_EXAMPLES: Final = 3
"""Number of examples of each kind."""
MAX_PATH: Final = 12
"""Maximum length of the path to an example's position, if there are positions with short paths."""
MAX_LISTED: Final = 12
"""Maximum number of legal moves that an example lists."""


@dataclass(frozen=True, slots=True)
class Example:
    """Example of a move in a position, and whether the move is legal there.

    Attributes:
        path: The joint moves that lead to the position.
        why: Why the move is illegal. Empty for legal moves, or if the reason must stay hidden.
    """

    path: tuple[tuple[str, ...], ...]
    role: str
    move: str
    is_legal: bool
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the example in the format of a harness file."""
        return {
            "path": [list(joint) for joint in self.path],
            "role": self.role,
            "move": self.move,
            "legal": self.is_legal,
            "why": self.why,
        }


def examples_of(game: HarnessGame, seed: int = 0) -> list[Example]:
    """Return legal and illegal moves in random positions. The same seed gives the same examples."""
    rng = random.Random(seed)
    known = _known_moves(game)
    found: list[Example] = []
    for is_legal in (True, False):
        mine = _chosen(game, known, rng, is_legal=is_legal)
        found += mine
    return found


def _known_moves(game: HarnessGame) -> dict[str, list[str]]:
    """Return, for each role, all moves that were legal in some position."""
    found: dict[str, dict[str, None]] = {role: {} for role in game.roles}
    for sample in game.seen:
        for role, legal in zip(game.roles, sample.legal, strict=False):
            found[role].update(dict.fromkeys(legal))
    return {role: sorted(moves) for role, moves in found.items()}


def _chosen(
    game: HarnessGame, known: dict[str, list[str]], rng: random.Random, *, is_legal: bool
) -> Iterator[Example]:
    seen: set[tuple[str, str]] = set()
    for sample in _positions(game.seen, rng):
        for role, legal in zip(game.roles, sample.legal, strict=True):
            if role not in game.players or len(legal) < 2:
                continue
            others = list(legal) if is_legal else [one for one in known[role] if one not in legal]
            fresh = [move for move in others if (role, move) not in seen]
            if not fresh and not is_legal:
                malformed = _malformed(rng.choice(legal))
                fresh = [malformed] if (role, malformed) not in seen else []
            if not fresh:
                continue
            move = rng.choice(fresh if is_legal else nearest(rng.choice(legal), fresh, 3))
            example = _checked(game, sample, role, move, is_legal=is_legal)
            seen.add((role, move))
            yield example
            if len(seen) == NUM_EXAMPLES:
                return


def _malformed(move: str) -> str:
    """Return a move with one argument removed, or with one added if it has at most one."""
    words = move.strip("()").split()
    if len(words) > 2 and "(" not in move[1:]:
        return f"({' '.join(words[:-1])})"
    return f"({words[0]} 1)" if len(words) == 1 else f"({move.strip('()')} 1)"


def _positions(seen: Sequence[Sample], rng: random.Random) -> list[Sample]:
    """Return the first position, then the positions with short paths, then all others.

    Positions with short paths, and all others, are in a random order. Final positions are left out.
    """
    later = [sample for sample in seen[1:] if sample.legal]
    rng.shuffle(later)
    return [*seen[:1], *sorted(later, key=lambda sample: len(sample.path) > MAX_PATH)]


def _checked(game: HarnessGame, sample: Sample, role: str, move: str, *, is_legal: bool) -> Example:
    path = tuple(tuple(map(str, joint)) for joint in sample.path)
    why = "" if is_legal else game.why_not(role, move, sample.path)
    example = Example(path, role, move, is_legal, why)
    assert is_true(game, example)
    return example


def is_true(game: HarnessGame, example: Example) -> bool:
    """Return whether an example is right about the legality of its move."""
    match = game.match()
    for joint in example.path:
        match.play(dict(zip(game.roles, joint, strict=True)))
    return (example.move in match.legal(example.role)) == example.is_legal


def text_of(game: HarnessGame, examples: Sequence[Example]) -> str:
    """Return the examples as text, for a section of the briefing."""
    return "\n\n".join(["Examples", *(_one(game, example) for example in examples)])


def _one(game: HarnessGame, example: Example) -> str:
    match = game.match()
    for joint in example.path:
        match.play(dict(zip(game.roles, joint, strict=True)))
    if example.is_legal:
        legal = match.legal(example.role)
        more = f" and {len(legal) - MAX_LISTED} more" if len(legal) > MAX_LISTED else ""
        verdict = (
            f"Legal for {example.role} here: {', '.join(legal[:MAX_LISTED])}{more}. "
            f"So this answer is legal:\nMOVE: {example.move}"
        )
    else:
        verdict = f"Not legal for {example.role} here:\nMOVE: {example.move}\n{example.why}"
    return f"{_position(match, example)}\n{verdict.rstrip()}"


def _position(match: HarnessMatch, example: Example) -> str:
    game = match.game
    if not example.path:
        return "At the start."
    made = "; ".join(" ".join(joint) for joint in example.path)
    after = f"After these moves ({' '.join(game.roles)}): {made}."
    if game.is_hidden:
        return after
    return "\n".join([after, *game.view.lines(match.facts)])

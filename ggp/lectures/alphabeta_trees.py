"""The trees that the lectures prune, as far as their text gives them.

The pictures are lost; node names, values, alpha and beta stand in the captions of the steps. From
these the trees follow: the nodes bear the letters of the alphabet level by level. What does not
follow are leaves that no step ever looks at, and some of which the steps give bounds only. Such
leaves have values of ours (`trees.guess`); others that the text allows would change no cut-off.
"""

from __future__ import annotations

from dataclasses import dataclass

from ggp.lectures.trees import Scale, Tree, guess, leaf, node

Said = tuple[str, str, str]
"""(kind, node, what the lecture says): `value`, `cut` or `choice`; see `alphabeta`."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """A tree of a lecture and what the lecture says of the search of it."""

    heading: str
    tree: Tree
    scale: Scale
    said: tuple[Said, ...]


ALPHA_CUTOFF = Pruned(
    heading="Alpha cutoff (Game Playing)",
    tree=node(
        "S",
        node("A", guess("C", 200), leaf("D", 100)),
        node("B", guess("E", 120), leaf("F", 20), guess("G", 50)),
    ),
    scale=Scale(0, 200),
    said=(
        ("value", "A", "= 100"),
        ("value", "B", "≤ 20"),
        ("cut", "B", "alpha, without G"),
        ("choice", "S", "A"),
    ),
)

BETA_CUTOFF = Pruned(
    heading="Beta cutoff (Game Playing)",
    tree=node(
        "S",
        node(
            "A",
            node("B", leaf("D", 20), guess("E", -10)),
            node("C", guess("F", -20), leaf("G", 25), guess("H", 0)),
        ),
    ),
    scale=Scale(-50, 50),
    said=(
        ("value", "B", "= 20"),
        ("value", "C", "≥ 25"),
        ("cut", "C", "beta, without H"),
    ),
)

GAME_PLAYING = Pruned(
    heading="Alpha-Beta Example (Game Playing)",
    tree=node(
        "A",
        node(
            "B",
            node("F", leaf("N", 4), node("O", leaf("W", -3), guess("X", -5))),
            leaf("G", -5),
        ),
        node(
            "C",
            leaf("H", 3),
            guess("I", 8),
            node("J", leaf("P", 9), guess("Q", -6), guess("R", 0)),
        ),
        leaf("D", 0),
        node(
            "E",
            node("K", guess("S", 3), guess("T", 5)),
            leaf("L", 2),
            node("M", guess("U", -7), guess("V", -9)),
        ),
    ),
    scale=Scale(-10, 10),
    said=(
        ("value", "O", "≤ -3"),
        ("cut", "O", "alpha, without X"),
        ("value", "F", "= 4"),
        ("value", "B", "= -5"),
        ("value", "J", "≥ 9"),
        ("cut", "J", "beta, without Q, R"),
        ("value", "C", "= 3"),
        ("value", "D", "= 0"),
        ("value", "E", "≤ 2"),
        ("cut", "E", "alpha, without M"),
        ("choice", "A", "C"),
    ),
)

SEARCH_IN_GAMES = Pruned(
    heading="Alpha-Beta Pruning (Search in Games)",
    tree=node(
        "root",
        node(
            "L",
            node(
                "LL",
                node("LLL", leaf("LLL1", 8), leaf("LLL2", 7)),
                node("LLR", leaf("LLR1", 3), guess("LLR2", 5)),
            ),
            node(
                "LR",
                node("LRL", leaf("LRL1", 9), leaf("LRL2", 8)),
                node("LRR", guess("LRR1", 2), guess("LRR2", 4)),
            ),
        ),
        node(
            "R",
            node(
                "RL",
                node("RLL", leaf("RLL1", 1), guess("RLL2", 6)),
                node("RLR", leaf("RLR1", 8), leaf("RLR2", 9)),
            ),
            node(
                "RR",
                node("RRL", leaf("RRL1", 9), leaf("RRL2", 9)),
                node("RRR", guess("RRR1", 3), guess("RRR2", 4)),
            ),
        ),
    ),
    scale=Scale(0, 10),
    said=(
        ("value", "LLL", "= 7"),
        ("value", "LLR", "≤ 3"),
        ("value", "LL", "= 7"),
        ("value", "LRL", "= 8"),
        ("value", "LR", "≥ 8"),
        ("value", "L", "= 7"),
        ("value", "RLL", "≤ 1"),
        ("value", "RLR", "= 8"),
        ("value", "RL", "= 8"),
    ),
)

PRUNED = (ALPHA_CUTOFF, BETA_CUTOFF, GAME_PLAYING, SEARCH_IN_GAMES)

"""The trees on which the lectures demonstrate pruning, searched step by step.

The trees are from "Game Playing" (the two cut-offs, and the example with the nodes A to X) and
"Search in Games" (the binary tree with 16 leaves). Each tree becomes a rulesheet. Alpha-beta
searches it like any other game, in the order of the names, without special knowledge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import gdl
from ggp.clock import Deadline
from ggp.lectures.report import Claim, LectureReport, Part, Picture, ReportTable
from ggp.lectures.sketch import Sketch
from ggp.lectures.trees import MAX, MIN, Scale, Tree, name_of, rulesheet, tree_of
from ggp.search.core.result import DepthResult
from ggp.search.evaluation.evaluation import EvenEvaluation
from ggp.search.textbook.adversarial import alphabeta, minimax
from ggp.search.textbook.adversarial.alphabeta import AlphaBetaOptions
from ggp.search.textbook.adversarial.trace import Cut, Left, Recorder, Visited

Said = tuple[str, str, str]
"""(kind, node, the lecture's statement). Kinds are `value`, `cut` and `choice`, see `alphabeta`."""


@dataclass(frozen=True, slots=True)
class PrunedTree:
    """A tree of a lecture, and the lecture's statements about its search."""

    heading: str
    tree: Tree
    scale: Scale
    said: tuple[Said, ...]


ALPHA_CUTOFF = PrunedTree(
    heading="Alpha cutoff (Game Playing)",
    tree=tree_of("(S (A C=200? D=100) (B E=120? F=20 G=50?))"),
    scale=Scale(0, 200),
    said=(
        ("value", "A", "= 100"),
        ("value", "B", "≤ 20"),
        ("cut", "B", "alpha, without G"),
        ("choice", "S", "A"),
    ),
)

BETA_CUTOFF = PrunedTree(
    heading="Beta cutoff (Game Playing)",
    tree=tree_of("(S (A (B D=20 E=-10?) (C F=-20? G=25 H=0?)))"),
    scale=Scale(-50, 50),
    said=(
        ("value", "B", "= 20"),
        ("value", "C", "≥ 25"),
        ("cut", "C", "beta, without H"),
    ),
)

GAME_PLAYING = PrunedTree(
    heading="Alpha-Beta Example (Game Playing)",
    tree=tree_of(
        """
        (A (B (F N=4 (O W=-3 X=-5?)) G=-5)
           (C H=3 I=8? (J P=9 Q=-6? R=0?))
           D=0
           (E (K S=3? T=5?) L=2 (M U=-7? V=-9?)))
        """
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

SEARCH_IN_GAMES = PrunedTree(
    heading="Alpha-Beta Pruning (Search in Games)",
    tree=tree_of(
        """
        (root (L (LL (LLL LLL1=8 LLL2=7) (LLR LLR1=3 LLR2=5?))
                 (LR (LRL LRL1=9 LRL2=8) (LRR LRR1=2? LRR2=4?)))
              (R (RL (RLL RLL1=1 RLL2=6?) (RLR RLR1=8 RLR2=9))
                 (RR (RRL RRL1=9 RRL2=9) (RRR RRR1=3? RRR2=4?))))
        """
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


NOTE = (
    "The text of the lectures does not contain their pictures; the trees were reconstructed from "
    "the captions of the steps. A value with a question mark is ours: the text gives only bounds "
    "for it, or nothing, because no search visits it."
)


@dataclass(frozen=True, slots=True)
class TracedStep:
    """A step in which the search leaves a child and updates its parent."""

    child: str
    parent: str
    value: float
    """The best value that the parent has seen so far (`v` in the lecture), as a goal."""
    alpha: float
    beta: float
    cut: str = ""
    """`alpha` or `beta` if the parent's remaining children are cut off."""


@dataclass(slots=True)
class TracedSearch:
    """Path of alpha-beta through a tree. Nodes are given by name, and values as goals.

    Attributes:
        visited: The visited nodes, in order.
        values: Values of the nodes that the search has left. After a cut-off they are bounds.
        cuts: The kind of each cut-off, by the node whose remaining children were skipped.
        steps: The updates of parents, in order.
    """

    tree: Tree
    result: DepthResult
    num_plain: int
    """Number of nodes that minimax visits."""
    visited: list[str] = field(default_factory=list)
    values: dict[str, float] = field(default_factory=dict)
    cuts: dict[str, str] = field(default_factory=dict)
    steps: list[TracedStep] = field(default_factory=list)

    @property
    def unvisited(self) -> list[str]:
        """The nodes that were never visited, in tree order."""
        seen = set(self.visited)
        return [place.name for place, _ in self.tree.walk() if place.name not in seen]


def run() -> LectureReport:
    """Search every tree of the lectures and compare the results."""
    walks = [(pruned, walk(pruned.tree, pruned.scale)) for pruned in PRUNED]
    parts: list[Part] = []
    claims: list[Claim] = []
    for pruned, found in walks:
        parts += [Picture(pruned.heading, picture(found, pruned.scale)), _steps(found, pruned)]
        claims += _claims(pruned, found)
    parts.append(_summary(walks))
    return LectureReport(
        title="Alpha-beta on the trees of the lectures",
        source="Game Playing, and Search in Games",
        claims=tuple(claims),
        parts=tuple(parts),
        notes=(NOTE,),
    )


def walk(tree: Tree, scale: Scale) -> TracedSearch:
    """Search a tree with alpha-beta as the lecture does, and record each step."""
    machine = gdl.Interpreter(rulesheet(tree, scale, (MAX, MIN)))
    state, role = machine.initial_state(), machine.roles[0]
    even, recorder = EvenEvaluation(machine), Recorder()
    deadline = Deadline.never()
    plain = minimax.search(machine, state, role, depth=None, evaluate=even, deadline=deadline)
    result = alphabeta.search(
        machine,
        state,
        role,
        depth=None,
        evaluate=even,
        deadline=deadline,
        means=AlphaBetaOptions(trace=recorder),
    )
    found = TracedSearch(tree, result, plain.nodes)
    _follow(machine, recorder, found)
    found.values[tree.name] = result.value
    return found


@dataclass(slots=True)
class _Open:
    name: str
    is_max: bool
    alpha: float
    beta: float
    value: float


def _follow(machine: gdl.StateMachine, recorder: Recorder, found: TracedSearch) -> None:
    path: list[_Open] = []
    for event in recorder.events:
        name = name_of(machine, event.state)
        if isinstance(event, Visited):
            found.visited.append(name)
            is_max = len(path) % 2 == 0
            start = -math.inf if is_max else math.inf
            path.append(_Open(name, is_max, event.alpha, event.beta, start))
        elif isinstance(event, Left):
            path.pop()
            found.values[name] = event.value
            found.steps.append(_learn(path[-1], name, event.value))
        elif isinstance(event, Cut):
            found.cuts[name] = event.kind
            found.steps[-1] = replace(found.steps[-1], cut=event.kind)


def _learn(parent: _Open, child: str, value: float) -> TracedStep:
    if parent.is_max:
        parent.value = max(parent.value, value)
        parent.alpha = max(parent.alpha, parent.value)
    else:
        parent.value = min(parent.value, value)
        parent.beta = min(parent.beta, parent.value)
    return TracedStep(child, parent.name, parent.value, parent.alpha, parent.beta)


def _steps(found: TracedSearch, pruned: PrunedTree) -> ReportTable:
    write = pruned.scale.written
    rows = [
        (
            step.child,
            step.parent,
            write(step.value),
            write(step.alpha),
            write(step.beta),
            f"{step.cut} cutoff" if step.cut else "",
        )
        for step in found.steps
    ]
    return ReportTable(
        "What is known after each node",
        ("after", "at", "v", "alpha", "beta", ""),
        tuple(rows),
        ("v", "alpha", "beta"),
    )


def _summary(walks: list[tuple[PrunedTree, TracedSearch]]) -> ReportTable:
    rows = [
        (
            pruned.heading,
            pruned.scale.written(found.result.value),
            str(found.num_plain),
            str(found.result.nodes),
            ", ".join(found.unvisited),
        )
        for pruned, found in walks
    ]
    return ReportTable(
        "Nodes visited",
        ("tree", "value", "minimax", "alpha-beta", "never visited"),
        tuple(rows),
        ("value", "minimax", "alpha-beta"),
    )


def _claims(pruned: PrunedTree, found: TracedSearch) -> list[Claim]:
    where = pruned.heading.partition(" (")[0]
    return [
        Claim.same(f"{where}: {_wording(kind, name)}", said, _ours(kind, name, pruned, found))
        for kind, name, said in pruned.said
    ]


def _wording(kind: str, name: str) -> str:
    words = {"value": f"v({name})", "cut": f"cutoff at {name}", "choice": f"{name} chooses"}
    return words[kind]


def _ours(kind: str, name: str, pruned: PrunedTree, found: TracedSearch) -> str:
    if kind == "choice":
        return str(found.result.result.move)
    if kind == "value":
        return _bounded(name, found, pruned.scale)
    [place] = [place for place, _ in pruned.tree.walk() if place.name == name]
    left_out = ", ".join(one.name for one in place.children if one.name in found.unvisited)
    return f"{found.cuts.get(name, 'none')}, without {left_out}"


def _bounded(name: str, found: TracedSearch, scale: Scale) -> str:
    """Return a node's value as a text, such as `= 3`, or `≤ 3` if the node was cut off."""
    sign = {"": "=", "alpha": "≤", "beta": "≥"}[found.cuts.get(name, "")]
    return f"{sign} {scale.written(found.values[name])}"


def picture(found: TracedSearch, scale: Scale) -> Sketch:
    """Draw the tree with the results of the search at each node."""
    return _sketch(found.tree, found, scale, 0, str(found.result.result.move))


def _sketch(place: Tree, found: TracedSearch, scale: Scale, depth: int, chosen: str) -> Sketch:
    is_seen = place.name in found.values
    remark = "" if is_seen else "never visited"
    if place.name in found.cuts:
        remark = f"{found.cuts[place.name]} cutoff"
    if place.children:
        kind = "MAX" if depth % 2 == 0 else "MIN"
        value = f" {_bounded(place.name, found, scale)}" if is_seen else ""
        label = f"{place.name} {kind}{value}"
    else:
        label = f"{place.name} {place.value}{'' if place.is_given else '?'}"
    children = tuple(_sketch(child, found, scale, depth + 1, chosen) for child in place.children)
    is_chosen = depth == 1 and place.name == chosen
    return Sketch(label, remark, children, is_faded=not is_seen, is_chosen=is_chosen)

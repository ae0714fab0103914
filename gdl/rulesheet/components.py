"""Strongly connected components of a graph.

The algorithm is Tarjan's, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1972,
without recursion because rulesheets come from strangers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Components(Generic[Node]):
    """One walk over a graph.

    Args:
        successors: The nodes that each node leads to. Every node has an entry.
    """

    def __init__(self, successors: Mapping[Node, Iterable[Node]]) -> None:
        self._successors = successors
        self._order: dict[Node, int] = {}
        self._lowest: dict[Node, int] = {}
        self._path: list[Node] = []
        self._on_path: set[Node] = set()
        self._work: list[tuple[Node, Iterator[Node]]] = []

    def find(self) -> Iterator[tuple[Node, ...]]:
        """The components; each comes after all that it leads to."""
        for root in self._successors:
            if root not in self._order:
                self._enter(root)
                yield from self._walk()

    def _walk(self) -> Iterator[tuple[Node, ...]]:
        while self._work:
            node, rest = self._work[-1]
            successor = next(rest, None)
            if successor is None:
                yield from self._leave(node)
            elif successor not in self._order:
                self._enter(successor)
            elif successor in self._on_path:
                self._lower(node, self._order[successor])

    def _enter(self, node: Node) -> None:
        self._order[node] = self._lowest[node] = len(self._order)
        self._path.append(node)
        self._on_path.add(node)
        self._work.append((node, iter(self._successors[node])))

    def _leave(self, node: Node) -> Iterator[tuple[Node, ...]]:
        self._work.pop()
        if self._work:
            self._lower(self._work[-1][0], self._lowest[node])
        if self._lowest[node] == self._order[node]:
            component = [self._take()]
            while component[-1] != node:
                component.append(self._take())
            yield tuple(component)

    def _take(self) -> Node:
        node = self._path.pop()
        self._on_path.discard(node)
        return node

    def _lower(self, node: Node, value: int) -> None:
        self._lowest[node] = min(self._lowest[node], value)

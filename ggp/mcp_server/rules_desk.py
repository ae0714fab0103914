"""Tools on rules, without the protocol: they are checked, counted, and compared with others."""

from __future__ import annotations

from typing import Any

from ggp.mcp_server.known_rules import RulesShelf
from ggp.mcp_server.refusals import Code, RefusalError
from ggp.sandbox import SandboxPool, questions, tree_questions

Answer = tuple[dict[str, Any], str]
"""Of a tool: data for programs, and a short text for models."""


class RulesDesk:
    """All that clients can ask of rules before a match."""

    def __init__(self, rules: RulesShelf, sandboxes: SandboxPool) -> None:
        self._rules = rules
        self._sandboxes = sandboxes

    async def load_rules(self, text: str, name: str) -> Answer:
        """Findings on rules, and their handle if they can be played."""
        findings = await self._rules.check(text)
        lines = [
            f"line {one['line']}, column {one['column']}: {one['severity']}: {one['message']}"
            + "".join(f"; cure: {cure['title']}" for cure in one["cures"])
            for one in findings
        ]
        is_playable = not any(one["severity"] == "error" for one in findings)
        found: dict[str, Any] = {"is_playable": is_playable, "findings": findings, "rules": None}
        if not is_playable:
            return found, "\n".join(["The rules cannot be relied on:", *lines])
        known = await self._rules.add(text, name)
        found |= {"rules": known.handle, "roles": list(known.roles)}
        head = f"rules {known.handle}, roles {', '.join(known.roles)}; begin with new_match"
        return found, "\n".join([head, *lines])

    async def perft(self, handle: str, depth: int, max_nodes: int, seconds: float) -> Answer:
        """Count a tree."""
        rules = await self._rules.find(handle)
        tree = await self._sandboxes.ask(
            tree_questions.perft, rules.text, [], depth, max_nodes, seconds
        )
        random_games = await self._sandboxes.ask(questions.statistics, rules.text, seconds=1.0)
        lines = [
            f"depth {number}: {one['sequences']:,} sequences, {one['states']:,} states, "
            f"{one['ends']:,} ends"
            for number, one in enumerate(tree["levels"], start=1)
        ]
        return {**tree, "random_games": random_games}, "\n".join(lines)

    async def compare(
        self,
        handle: str,
        reference: str | None,
        trace: str | None,
        *,
        facts: bool,
        playouts: int,
        seed: int,
    ) -> Answer:
        """The first difference to other rules or a trace."""
        rules = await self._rules.find(handle)
        if (reference is None) == (trace is None):
            cure = "Give either `reference` or `trace`."
            raise RefusalError(Code.ARGUMENT, "expected one of reference and trace", cure)
        if trace is not None:
            found = await self._sandboxes.ask(
                tree_questions.compare_trace, rules.text, trace, has_facts=facts, seconds=10.0
            )
        else:
            assert reference is not None
            other = await self._rules.find(reference)
            found = await self._sandboxes.ask(
                tree_questions.compare_rules,
                rules.text,
                other.text,
                has_facts=facts,
                playouts=playouts,
                seed=seed,
                seconds=10.0,
            )
        difference = found["difference"]
        if difference is None:
            return found, f"no difference in {found['states']} states"
        return found, (
            f"{difference['what']}: expected {difference['expected']}, got {difference['got']}, "
            f"after {found['moves']}"
        )

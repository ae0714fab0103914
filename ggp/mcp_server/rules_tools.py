"""Tools for rules, independent of the protocol: check, count and compare them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ggp.mcp_server.known_rules import RulesStore
from ggp.mcp_server.refusals import Code, RefusalError
from ggp.sandbox import SandboxPool, questions, tree_questions

MAX_SHOWN: Final = 200
"""Maximum number of characters of a text change to show in an answer."""
Answer = tuple[dict[str, Any], str]
"""Answer of a tool: data for programs, and a short text for models."""


class RulesTools:
    """The tools that work on rules, without a match."""

    def __init__(self, rules: RulesStore, sandboxes: SandboxPool) -> None:
        self._rules = rules
        self._sandboxes = sandboxes

    async def load_rules(self, text: str, name: str) -> Answer:
        """Return findings on rules, and a handle if the rules can be played."""
        findings = await self._rules.check(text)
        lines = [line for one in findings for line in _finding_lines(one)]
        is_playable = not any(one["severity"] == "error" for one in findings)
        found: dict[str, Any] = {"is_playable": is_playable, "findings": findings, "rules": None}
        if not is_playable:
            return found, "\n".join(["The rules have errors and cannot be played:", *lines])
        known = await self._rules.add(text, name)
        found |= {"rules": known.handle, "roles": list(known.roles)}
        head = f"rules {known.handle}, roles {', '.join(known.roles)}; begin with new_match"
        return found, "\n".join([head, *lines])

    async def scramble(
        self, handle: str, seed: int, *, symbols: bool, board: bool, has_mapping: bool
    ) -> Answer:
        """Return the same game under other names, with the mapping of names on request."""
        if not symbols and not board:
            cure = "Set symbols or board to true, or both."
            raise RefusalError(Code.ARGUMENT, "symbols, board: nothing would change", cure)
        rules = await self._rules.find(handle)
        found = await self._sandboxes.ask(
            questions.scramble, rules.text, seed, symbols=symbols, board=board
        )
        known = await self._rules.add(found["text"], "scrambled")
        mapping = {**found["mapping"], "game": rules.name} if has_mapping else None
        answer = {"rules": known.handle, "roles": list(known.roles), "mapping": mapping}
        return answer, f"rules {known.handle}, roles {', '.join(known.roles)}; begin with new_match"

    async def perft(self, handle: str, depth: int, max_nodes: int, seconds: float) -> Answer:
        """Return the number of nodes at each depth of a game tree, and results of random games."""
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
        if not tree["is_complete"]:
            lines.append(
                f"depth {len(lines) + 1} is not counted: {max_nodes:,} joint moves or "
                f"{seconds:g} s were too few (max_nodes, seconds)"
            )
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
        """Return the first difference from other rules or from a trace."""
        rules = await self._rules.find(handle)
        if (reference is None) == (trace is None):
            cure = "Give either `reference` or `trace`."
            raise RefusalError(
                Code.ARGUMENT, "expected either reference or trace, got both or none", cure
            )
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


def _finding_lines(finding: Mapping[str, Any]) -> list[str]:
    """Return a finding and its fixes as lines of text."""
    place = f"line {finding['line']}, column {finding['column']}"
    cures = [
        f"  cure: {cure['title']}: " + "; ".join(map(_edit, cure["edits"]))
        for cure in finding["cures"]
    ]
    return [f"{place}: {finding['severity']}: {finding['message']}", *cures]


def _edit(edit: Mapping[str, Any]) -> str:
    text = " ".join(edit["text"].split())
    shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]} ..."
    place = f"at line {edit['line']}, column {edit['column']}"
    if not edit["length"]:
        return f"{place} insert {shown}"
    what = f"{edit['length']} character" + ("s" if edit["length"] > 1 else "")
    return f"{place} replace {what} by {shown}" if shown else f"{place} delete {what}"

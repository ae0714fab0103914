"""The rules of a game, opened to play by them: our own here, those of strangers in a process."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import gdl
from ggp.manager.store.tables import RulesheetRow
from ggp.match.rulebook import MachineRulebook, Rulebook
from ggp.protocol.rules import epilog_of
from ggp.sandbox import SandboxPool, SandboxRulebook


@dataclass(frozen=True, slots=True)
class OpenRules:
    """Rules that are open; whoever opened them closes them."""

    sheet: RulesheetRow
    rulebook: Rulebook
    kif: str
    """As START carries them."""

    @classmethod
    async def open(cls, sheet: RulesheetRow, sandboxes: SandboxPool) -> OpenRules:
        """Read rules; those that did not come with the program in a sandbox.

        Raises:
            GgpError: They cannot be read.
            GdlError: Likewise.
        """
        if not sheet.is_bundled:
            sandboxed = await SandboxRulebook.open(sheet.text, sheet.name, sandboxes)
            return cls(sheet, sandboxed, sandboxed.kif)
        rules = await asyncio.to_thread(gdl.read_rules, sheet.text, sheet.name)
        machine = await asyncio.to_thread(gdl.load, rules, "interpreter")
        book = MachineRulebook(machine, has_percepts=("sees", 2) in rules.definitions)
        return cls(sheet, book, " ".join(map(str, rules.forms)))

    async def epilog(self) -> str:
        """The rules in Epilog.

        Raises:
            GgpError: There are no words for them.
        """
        if isinstance(self.rulebook, SandboxRulebook):
            return await self.rulebook.epilog()
        return await asyncio.to_thread(epilog_of, self.sheet.text, self.sheet.name)

    async def close(self) -> None:
        """End the process, if there is one."""
        if isinstance(self.rulebook, SandboxRulebook):
            await self.rulebook.close()

"""Rules that nobody vouches for, read in a process that is bounded and can be killed.

async with SandboxPool(num_places=2) as pool:
    async with pool.lent() as sandbox:
        findings = await sandbox.check(text)
    book = await SandboxRulebook.open(text, pool=pool)
position = await book.first()
"""

from ggp.sandbox.belief import BelievedPosition, SandboxBelief
from ggp.sandbox.pool import SandboxBusyError, SandboxPool
from ggp.sandbox.process import Sandbox, SandboxBounds, SandboxError
from ggp.sandbox.rulebook import SandboxRulebook

__all__ = [
    "BelievedPosition",
    "Sandbox",
    "SandboxBelief",
    "SandboxBounds",
    "SandboxBusyError",
    "SandboxError",
    "SandboxPool",
    "SandboxRulebook",
]

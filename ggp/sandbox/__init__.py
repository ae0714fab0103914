"""Rules that nobody vouches for, read in a process that is bounded and can be killed.

async with Sandbox() as sandbox:
    findings = await sandbox.check(text)
book = await SandboxRulebook.open(text)
position = await book.first()
"""

from ggp.sandbox.process import Bounds, Sandbox, SandboxError
from ggp.sandbox.rulebook import SandboxRulebook

__all__ = ["Bounds", "Sandbox", "SandboxError", "SandboxRulebook"]

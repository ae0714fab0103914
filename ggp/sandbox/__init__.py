"""Evaluate untrusted rules in a separate process, which has limits and can be killed.

async with SandboxPool(num_places=2) as pool:
    findings = await pool.ask(questions.check, text)
    book = await SandboxRulebook.open(text, pool=pool)
position = await book.first()
"""

from ggp.sandbox.process import (
    Sandbox,
    SandboxBounds,
    SandboxBusyError,
    SandboxError,
    SandboxPool,
    SandboxQuestionError,
)
from ggp.sandbox.rulebook import BelievedPosition, SandboxBeliefs, SandboxRulebook

__all__ = [
    "BelievedPosition",
    "Sandbox",
    "SandboxBeliefs",
    "SandboxBounds",
    "SandboxBusyError",
    "SandboxError",
    "SandboxPool",
    "SandboxQuestionError",
    "SandboxRulebook",
]

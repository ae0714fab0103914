"""Positions that random play comes by: what may ever stand on a game's boards, and where.

A first position shows neither: discs come later in `connectFour`, and rows whose cells hold nothing
are seen when somebody goes there.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

from ggp.clock import Deadline
from ggp.match.rulebook import Position, Rulebook

MAX_POSITIONS = 160
SECONDS = 2.0


async def sample_positions(
    book: Rulebook, max_positions: int = MAX_POSITIONS, seconds: float = SECONDS
) -> list[Sequence[str]]:
    """Facts of positions in random games, the initial one first; the same each time it is asked.

    Args:
        book: The rules.
        max_positions: How many are enough.
        seconds: After which those seen must do.

    Raises:
        GdlError: The rules cannot be evaluated.
        GgpError: Likewise, in a process of their own.
    """
    luck, deadline = random.Random(0), Deadline.after(seconds)
    first = position = await book.first()
    seen: list[Sequence[str]] = [first.facts]
    while len(seen) < max_positions and not deadline.is_over():
        if position.is_terminal or not all(position.legal):
            if position is first:
                break
            position = first
            continue
        position = await _after(book, position, luck)
        seen.append(position.facts)
    return seen


async def played(book: Rulebook, turns: int) -> tuple[Sequence[str], Sequence[str] | None]:
    """Facts of a position in a random game, and those of the one before it, if there is one.

    Args:
        book: The rules.
        turns: After how many; of a shorter game it is the last position before the end.

    Raises:
        GdlError: The rules cannot be evaluated.
    """
    luck = random.Random(0)
    position = await book.first()
    before = None
    for _ in range(turns):
        if position.is_terminal or not all(position.legal):
            break
        following = await _after(book, position, luck)
        if following.is_terminal:
            break
        before, position = position.facts, following
    return position.facts, before


async def _after(book: Rulebook, position: Position, luck: random.Random) -> Position:
    moves = [luck.choice(legal) for legal in position.legal]
    await asyncio.sleep(0)  # rules in this process would not let anybody else have a turn
    return await book.after(position.facts, moves)

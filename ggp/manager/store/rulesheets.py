"""Rulesheets in the database. Each text is stored only once per name."""

from __future__ import annotations

import hashlib

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from ggp.manager.store.tables import RulesheetRow

MAX_CUSTOM = 200
"""Largest number of added games that are listed, the newest ones."""


async def keep(
    session: AsyncSession, name: str, text: str, now: int, *, is_bundled: bool = False
) -> int:
    """Store a rulesheet if it is new, and return its number."""
    digest = hashlib.sha256(f"{name}\0{text}".encode()).hexdigest()
    known = await session.scalar(select(RulesheetRow).where(RulesheetRow.digest == digest))
    if known is not None:
        return known.id
    row = RulesheetRow(
        name=name,
        digest=digest,
        text=text,
        is_bundled=is_bundled,
        created=now,
        edition=await _next_edition(session),
    )
    session.add(row)
    await session.flush()
    return row.id


async def prefer(session: AsyncSession, number: int) -> None:
    """Make a rulesheet the latest one with its name, even if others were stored after it."""
    edition = await _next_edition(session)
    (await session.get_one(RulesheetRow, number)).edition = edition


async def _next_edition(session: AsyncSession) -> int:
    return 1 + (await session.scalar(select(func.max(RulesheetRow.edition))) or 0)


async def custom(session: AsyncSession) -> list[RulesheetRow]:
    """Return up to `MAX_CUSTOM` rulesheets that are not bundled with the program, latest first."""
    query = select(RulesheetRow).where(RulesheetRow.is_bundled.is_(False))
    return list(
        await session.scalars(query.order_by(RulesheetRow.edition.desc()).limit(MAX_CUSTOM))
    )


async def latest(session: AsyncSession, name: str) -> RulesheetRow | None:
    """Return the latest rulesheet with this name, or None if there is none. See `prefer`."""
    query = select(RulesheetRow).where(RulesheetRow.name == name)
    found: RulesheetRow | None = await session.scalar(
        query.order_by(RulesheetRow.edition.desc()).limit(1)
    )
    return found

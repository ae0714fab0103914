"""Seats count replaced answers, and matches of tournaments can be annulled."""

from __future__ import annotations

from collections import Counter

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_COUNTS = {"TO": "timeouts", "IL": "illegal", "CE": "connection"}


def upgrade() -> None:
    """Apply the migration. Earlier matches are counted too."""
    with op.batch_alter_table("seats") as seats:
        for name in _COUNTS.values():
            seats.add_column(sa.Column(name, sa.Integer, nullable=False, server_default="0"))
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("annulled", sa.Integer, nullable=True))
    _count()


def _count() -> None:
    turns = sa.table("turns", sa.column("match_id"), sa.column("errors", sa.JSON))
    text = sa.cast(turns.c.errors, sa.Text)
    faulty = sa.or_(*(text.like(f'%"{kind}%') for kind in _COUNTS))
    found: Counter[tuple[int, int, str]] = Counter()
    for match, errors in op.get_bind().execute(sa.select(*turns.c).where(faulty)):
        for index, error in enumerate(errors):
            if error[:2] in _COUNTS:
                found[match, index, _COUNTS[error[:2]]] += 1
    names = ("match_id", "role_index", *_COUNTS.values())
    seats = sa.table("seats", *map(sa.column, names))
    for (match, index, name), count in found.items():
        seat = sa.and_(seats.c.match_id == match, seats.c.role_index == index)
        op.execute(seats.update().where(seat).values({name: count}))

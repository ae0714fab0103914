"""Rulesheets are numbered in the order in which they became current, independent of the clock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Apply the migration. Until now the clock decided the order."""
    with op.batch_alter_table("rulesheets") as rulesheets:
        rulesheets.add_column(sa.Column("edition", sa.Integer, nullable=False, server_default="0"))
    rows = sa.table("rulesheets", *map(sa.column, ("id", "created", "edition")))
    order = sa.select(rows.c.id).order_by(rows.c.created, rows.c.id)
    for edition, number in enumerate(op.get_bind().scalars(order).all(), start=1):
        op.execute(rows.update().where(rows.c.id == number).values(edition=edition))

"""Absent players: players most of whose moves were replaced."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Apply the migration. Finished matches count as before."""
    op.add_column(
        "seats", sa.Column("is_absent", sa.Boolean, nullable=False, server_default=sa.false())
    )

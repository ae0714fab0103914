"""Matches with hidden information: percepts of roles, keys of people, what spectators see."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Apply the migration. Existing matches stay as visible as they were."""
    with op.batch_alter_table("turns") as turns:
        turns.add_column(sa.Column("percepts", sa.JSON, nullable=False, server_default="[]"))
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("key", sa.String(32), nullable=False, server_default=""))
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("hides", sa.Boolean, nullable=False, server_default="0"))
        matches.add_column(
            sa.Column("spectators", sa.String(10), nullable=False, server_default="nothing")
        )

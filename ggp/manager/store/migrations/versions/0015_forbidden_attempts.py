"""Forbidden attempts of uploaded players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Apply the migration. Nothing is known about earlier matches."""
    op.add_column("seats", sa.Column("attempts", sa.String, nullable=False, server_default=""))

"""Attempts of uploaded players at what they may not do."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Make the change; of matches before, nothing is known."""
    op.add_column("seats", sa.Column("attempts", sa.String, nullable=False, server_default=""))

"""Players in whose place so many moves were made that they did not play."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the change; matches that are over by now count as they did."""
    op.add_column(
        "seats", sa.Column("is_absent", sa.Boolean, nullable=False, server_default=sa.false())
    )

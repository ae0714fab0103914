"""Uploaded files belong to accounts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Apply the migration. The owners of earlier files are unknown."""
    op.create_table(
        "uploads",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("owner_id", sa.Integer, nullable=True),
        sa.Column("num_bytes", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_uploads"),
        sa.UniqueConstraint("digest", "owner_id", name="uq_uploads_digest"),
    )
    for name in ("digest", "owner_id"):
        op.create_index(f"ix_uploads_{name}", "uploads", [name])

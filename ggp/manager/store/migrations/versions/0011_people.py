"""People who play against each other: accounts, clocks, agreed endings and challenges."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Apply the migration. All matches completed so far were ended by their rules."""
    op.add_column("seats", sa.Column("account_id", sa.Integer, nullable=True))
    op.add_column("seats", sa.Column("clock_left", sa.BigInteger, nullable=True))
    op.create_index("ix_seats_account_id", "seats", ["account_id"])
    for column in (
        sa.Column("clock", sa.JSON, nullable=True),
        sa.Column("ending", sa.String(10), nullable=False, server_default=""),
        sa.Column("rematch", sa.Integer, nullable=True),
        sa.Column("is_revealed", sa.Boolean, nullable=False, server_default=sa.false()),
    ):
        op.add_column("matches", column)
    op.execute("UPDATE matches SET ending = 'rules' WHERE status = 'completed'")
    # Matches that were broken off before this migration have already been shown to everybody.
    revealed = sa.text("UPDATE matches SET is_revealed = :yes WHERE status = 'aborted'")
    op.execute(revealed.bindparams(yes=True))
    op.create_table(
        "challenges",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("plan", sa.JSON, nullable=False),
        sa.Column("sides", sa.String(10), nullable=False),
        sa.Column("places", sa.JSON, nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("owner_id", sa.Integer, nullable=True),
        sa.Column("owner_name", sa.String(60), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("match_id", sa.Integer, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
    )
    for name in ("owner_id", "address", "status"):
        op.create_index(f"ix_challenges_{name}", "challenges", [name])

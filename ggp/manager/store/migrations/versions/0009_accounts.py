"""Accounts, their keys, and the owners of players and matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

OWNED = ("players", "matches")


def upgrade() -> None:
    """Apply the migration."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("folded_name", sa.String(120), nullable=False),
        sa.Column("role", sa.String(12), nullable=False),
        sa.Column("password_hash", sa.String(200), nullable=False),
        sa.Column("is_locked", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("folded_name", name="uq_accounts_folded_name"),
    )
    op.create_index("ix_accounts_role", "accounts", ["role"])
    op.create_table(
        "account_keys",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("account_id", sa.Integer, nullable=True),
        sa.Column("role", sa.String(12), nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("uses_left", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_account_keys_account_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_account_keys"),
        sa.UniqueConstraint("digest", name="uq_account_keys_digest"),
    )
    op.create_index("ix_account_keys_kind", "account_keys", ["kind"])
    op.create_index("ix_account_keys_account_id", "account_keys", ["account_id"])
    for table in OWNED:
        # There is no foreign key here. To add one, SQLite would have to replace the table, which
        # deletes the rows that refer to the old table. No account is ever deleted.
        op.add_column(table, sa.Column("owner_id", sa.Integer, nullable=True))
        op.create_index(f"ix_{table}_owner_id", table, ["owner_id"])

"""Continuous tournaments: their entrants and the sums of these entrants' matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Apply the migration."""
    op.create_table(
        "entrants",
        sa.Column("tournament_id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("player", sa.String(500), nullable=False),
        sa.Column("dialect", sa.String(10), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("retry", sa.BigInteger, nullable=True),
        sa.Column("rest", sa.Integer, nullable=False),
        sa.Column("last_over", sa.BigInteger, nullable=False),
        sa.Column("last_met", sa.JSON, nullable=False),
        sa.Column("seatings", sa.JSON, nullable=False),
        *(
            sa.Column(name, sa.Integer, nullable=False)
            for name in ("matches", "goals", "timeouts", "illegal", "connection")
        ),
        _of_tournament("entrants"),
        sa.PrimaryKeyConstraint("tournament_id", "name", name="pk_entrants"),
    )
    op.create_table(
        "encounters",
        sa.Column("tournament_id", sa.Integer, nullable=False),
        sa.Column("first", sa.String(100), nullable=False),
        sa.Column("second", sa.String(100), nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("wins", "draws", "losses")),
        _of_tournament("encounters"),
        sa.PrimaryKeyConstraint("tournament_id", "first", "second", name="pk_encounters"),
    )
    with op.batch_alter_table("tournaments") as tournaments:
        tournaments.add_column(sa.Column("closes", sa.BigInteger, nullable=True))
    with op.batch_alter_table("fixtures") as fixtures:
        fixtures.add_column(
            sa.Column("is_counted", sa.Boolean, nullable=False, server_default=sa.false())
        )
    op.create_index("ix_fixtures_open", "fixtures", ["tournament_id", "is_counted"])
    op.create_index("ix_matches_annulled", "matches", ["tournament_id", "annulled"])


def _of_tournament(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["tournament_id"],
        ["tournaments.id"],
        name=f"fk_{table}_tournament_id",
        ondelete="CASCADE",
    )

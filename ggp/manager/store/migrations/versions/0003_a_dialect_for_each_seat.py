"""Each seat stores the dialect of its player, and dialects get their current names."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_NAMES = {"kif": "ggp-base", "epilog": "gamemaster"}


def upgrade() -> None:
    """Apply the migration. Until now the manager used GGP-Base's dialect with every player."""
    with op.batch_alter_table("seats") as seats:
        seats.add_column(
            sa.Column("dialect", sa.String(length=10), nullable=False, server_default="ggp-base")
        )
    op.execute("UPDATE matches SET dialect = ''")
    _rename("players", _NAMES)


def _rename(table: str, names: dict[str, str]) -> None:
    rows = sa.table(table, sa.column("dialect", sa.String))
    for old, new in names.items():
        op.execute(rows.update().where(rows.c.dialect == old).values(dialect=new))

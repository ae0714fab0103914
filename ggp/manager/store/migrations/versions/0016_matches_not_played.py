"""The number of matches in which an entrant of a continuous tournament was absent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

ABSENT = """
UPDATE entrants SET absent = (
    SELECT count(*) FROM fixtures JOIN seats ON seats.match_id = fixtures.match_id
    WHERE fixtures.tournament_id = entrants.tournament_id AND fixtures.is_counted
        AND seats.player_name = entrants.name AND seats.is_absent)
"""


def upgrade() -> None:
    """Apply the migration, and count earlier matches too."""
    op.add_column("entrants", sa.Column("absent", sa.Integer, nullable=False, server_default="0"))
    op.execute(ABSENT)

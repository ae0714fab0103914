"""The migrations of the tables, in order, run by alembic."""

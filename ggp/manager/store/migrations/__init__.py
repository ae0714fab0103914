"""The migrations of the tables, in order. Alembic runs them."""

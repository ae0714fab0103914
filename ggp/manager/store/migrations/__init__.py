"""How the tables came to be as they are, one step after another, run by alembic."""

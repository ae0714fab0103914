"""The steps by which the tables came to be as they are, one after another, run by alembic."""

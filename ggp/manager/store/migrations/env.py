"""Alembic's entry: it runs the steps on the connection that the manager has opened."""

from __future__ import annotations

from alembic import context

from ggp.manager.store.tables import DatabaseTable


def run() -> None:
    """Bring the database up to date, in one transaction where the database can do that."""
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=DatabaseTable.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
    )
    with context.begin_transaction():
        context.run_migrations()


run()

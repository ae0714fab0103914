"""Alembic's entry point, which runs the migrations on the manager's open connection."""

from __future__ import annotations

from alembic import context

from ggp.manager.store.tables import DatabaseTable


def run() -> None:
    """Upgrade the schema, in one transaction if the database supports that."""
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=DatabaseTable.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
    )
    with context.begin_transaction():
        context.run_migrations()


run()

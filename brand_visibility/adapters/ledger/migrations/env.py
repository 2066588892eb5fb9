"""Alembic's entry: runs the migrations on the connection that `migrate` hands over."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(
    connection=connection, version_table="alembic_version", version_table_schema="ledger"
)
with context.begin_transaction():
    context.run_migrations()

"""Owners of shards with their heartbeats, and each account's rate beside its pace."""

from alembic import op

revision = "0003"
down_revision = "0002"

_UPGRADE = """
CREATE TABLE ledger.shard_owner (
    plan_date date NOT NULL,
    platform_id text NOT NULL,
    shard_index smallint NOT NULL,
    shard_count smallint NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    backend_pid integer NOT NULL,
    run_id text NOT NULL,
    owned_at timestamptz NOT NULL,
    heartbeat_at timestamptz NOT NULL,
    PRIMARY KEY (plan_date, platform_id, shard_index, shard_count)
);
ALTER TABLE ledger.account_pace ADD COLUMN rate_per_second double precision;
"""


def upgrade() -> None:
    """Create the table and the column."""
    op.execute(_UPGRADE)


def downgrade() -> None:
    """Drop them."""
    op.execute(
        "DROP TABLE ledger.shard_owner; ALTER TABLE ledger.account_pace DROP COLUMN rate_per_second"
    )

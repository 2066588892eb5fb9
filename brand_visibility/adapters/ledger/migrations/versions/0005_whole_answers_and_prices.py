"""All that an answer brought, the price that a plan counts by, and costs without a budget."""

from alembic import op

revision = "0005"
down_revision = "0004"

# `plan.tariff` was there only where a tenant has a budget; `is_budgeted` says that now.
# `answer.raw_zstd` is null for an answer of an earlier version.
_UPGRADE = """
ALTER TABLE ledger.plan
    ADD COLUMN price jsonb,
    ADD COLUMN is_budgeted boolean NOT NULL DEFAULT false;
UPDATE ledger.plan SET is_budgeted = tariff IS NOT NULL;

ALTER TABLE ledger.answer
    ADD COLUMN reasoning_tokens bigint,
    ADD COLUMN cached_tokens bigint,
    ADD COLUMN search_count bigint,
    ADD COLUMN search text NOT NULL DEFAULT 'unknown'
        CHECK (search IN ('searched', 'not_searched', 'unknown')),
    ADD COLUMN sources jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN raw_zstd bytea,
    ADD COLUMN raw_bytes integer;
"""

# What was planned without a budget has no spends to book to.
_DOWNGRADE = """
UPDATE ledger.plan SET tariff = NULL WHERE NOT is_budgeted;
ALTER TABLE ledger.plan DROP COLUMN price, DROP COLUMN is_budgeted;
ALTER TABLE ledger.answer
    DROP COLUMN reasoning_tokens, DROP COLUMN cached_tokens, DROP COLUMN search_count,
    DROP COLUMN search, DROP COLUMN sources, DROP COLUMN raw_zstd, DROP COLUMN raw_bytes;
"""


def upgrade() -> None:
    """Add the columns."""
    op.execute(_UPGRADE)


def downgrade() -> None:
    """Drop them again."""
    op.execute(_DOWNGRADE)

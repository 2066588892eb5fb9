"""Whom a query serves, the tenants' weights, and what a day costs them."""

from alembic import op

revision = "0002"
down_revision = "0001"

# `plan.tariff` is null where no tenant of the plan has a budget: nothing is counted then.
# `query.payer_ids` is set while `worst_cost_usd` is reserved for a running query.
# `spend.budget_usd` is null for a tenant without one that shares queries with others.
_UPGRADE = """
ALTER TABLE ledger.plan
    ADD COLUMN tenant_weights jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN tariff jsonb;

ALTER TABLE ledger.query
    ADD COLUMN tenant_ids text[] NOT NULL DEFAULT '{}',
    ADD COLUMN worst_cost_usd numeric(18, 9),
    ADD COLUMN payer_ids text[];

ALTER TABLE ledger.attempt
    ADD COLUMN cost_usd numeric(18, 9),
    ADD COLUMN is_cost_estimated boolean;

CREATE TABLE ledger.spend (
    plan_date date NOT NULL,
    tenant_id text NOT NULL,
    budget_usd numeric(18, 9) CHECK (budget_usd >= 0),
    reserved_usd numeric(18, 9) NOT NULL DEFAULT 0 CHECK (reserved_usd >= 0),
    settled_usd numeric(18, 9) NOT NULL DEFAULT 0 CHECK (settled_usd >= 0),
    estimated_usd numeric(18, 9) NOT NULL DEFAULT 0,
    CHECK (estimated_usd BETWEEN 0 AND settled_usd),
    PRIMARY KEY (plan_date, tenant_id)
);
"""


def upgrade() -> None:
    """Add the columns and the table."""
    op.execute(_UPGRADE)


def downgrade() -> None:
    """Drop them again."""
    op.execute("DROP TABLE ledger.spend")
    op.execute("ALTER TABLE ledger.attempt DROP COLUMN cost_usd, DROP COLUMN is_cost_estimated")
    op.execute(
        "ALTER TABLE ledger.query DROP COLUMN tenant_ids, DROP COLUMN worst_cost_usd,"
        " DROP COLUMN payer_ids"
    )
    op.execute("ALTER TABLE ledger.plan DROP COLUMN tenant_weights, DROP COLUMN tariff")

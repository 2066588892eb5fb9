"""First tables: plan, task, query, attempt, answer and the accounts' pace."""

from alembic import op

revision = "0001"
down_revision = None

# Partitioned by day, so that a day is dropped and never deleted row by row.
_UPGRADE = """
CREATE TABLE ledger.installation (
    is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row),
    installed_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO ledger.installation DEFAULT VALUES;

CREATE TABLE ledger.plan (
    plan_date date NOT NULL,
    platform_id text NOT NULL,
    catalog_version text NOT NULL,
    task_count integer NOT NULL,
    query_count integer NOT NULL,
    expected_cost_usd double precision,
    verdicts jsonb NOT NULL,
    planned_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (plan_date, platform_id)
);

CREATE TABLE ledger.task (
    plan_date date NOT NULL,
    task_id text NOT NULL,
    tenant_id text NOT NULL,
    brand_id text NOT NULL,
    question_id text NOT NULL,
    topic_id text NOT NULL,
    question_kind text NOT NULL,
    platform_id text NOT NULL,
    channel text NOT NULL,
    prompt_id text NOT NULL,
    repeats smallint NOT NULL,
    PRIMARY KEY (plan_date, task_id)
) PARTITION BY LIST (plan_date);

CREATE TABLE ledger.query (
    plan_date date NOT NULL,
    query_id text NOT NULL,
    platform_id text NOT NULL,
    channel text NOT NULL,
    prompt_id text NOT NULL,
    prompt text NOT NULL,
    repeat smallint NOT NULL,
    priority integer NOT NULL,
    shard_key integer NOT NULL,
    state text NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'running', 'answered', 'failed')),
    reason text,
    detail text,
    http_status integer,
    attempt_count smallint NOT NULL DEFAULT 0,
    earlier_attempt_count smallint NOT NULL DEFAULT 0,
    maybe_paid_count smallint NOT NULL DEFAULT 0,
    account_id text,
    next_attempt_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((state = 'failed') = (reason IS NOT NULL)),
    PRIMARY KEY (plan_date, query_id)
) PARTITION BY LIST (plan_date);
CREATE INDEX query_by_platform ON ledger.query (plan_date, platform_id, state);

CREATE TABLE ledger.attempt (
    plan_date date NOT NULL,
    query_id text NOT NULL,
    attempt_number smallint NOT NULL,
    account_id text NOT NULL,
    sent_at timestamptz NOT NULL,
    latency_ms bigint NOT NULL,
    reason text,
    http_status integer,
    wait_s double precision,
    PRIMARY KEY (plan_date, query_id, attempt_number)
) PARTITION BY LIST (plan_date);

CREATE TABLE ledger.answer (
    plan_date date NOT NULL,
    query_id text NOT NULL,
    account_id text NOT NULL,
    text_zstd bytea NOT NULL,
    text_bytes integer NOT NULL,
    model text,
    finish_reason text,
    prompt_tokens bigint,
    completion_tokens bigint,
    request_id text,
    sent_at timestamptz NOT NULL,
    latency_ms bigint NOT NULL,
    PRIMARY KEY (plan_date, query_id)
) PARTITION BY LIST (plan_date);

CREATE TABLE ledger.account_pace (
    platform_id text NOT NULL,
    account_id text NOT NULL,
    next_at timestamptz NOT NULL,
    PRIMARY KEY (platform_id, account_id)
);
"""


def upgrade() -> None:
    """Create the tables."""
    op.execute(_UPGRADE)


def downgrade() -> None:
    """Drop the tables."""
    op.execute(
        "DROP TABLE ledger.account_pace, ledger.answer, ledger.attempt, ledger.query,"
        " ledger.task, ledger.plan, ledger.installation"
    )

"""`brand-visibility status`: how a night stands, or one query's story."""

import dataclasses
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime

import click
from rich.console import Console, Group, RenderableType
from rich.table import Table

from brand_visibility.adapters.ledger.night_status import (
    RETRY_BUCKETS,
    AccountStatus,
    Counts,
    NightStatus,
    read_night,
)
from brand_visibility.adapters.ledger.query_status import QueryStatus, find_query
from brand_visibility.adapters.settings import Settings, read_settings
from brand_visibility.commands.night_report import open_console
from brand_visibility.commands.open_ledger import open_ledger
from brand_visibility.domain.errors import InputError
from brand_visibility.domain.night import NightTimes

_STATES = ("planned", "pending", "waiting", "running", "answered")


@click.command()
@click.option(
    "--date",
    "plan_date",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Day of the night.  [default: today in BRAND_VISIBILITY_TIMEZONE]",
)
@click.option("--query", "query_id", help="Show one query by its id instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def status(plan_date: datetime | None, query_id: str | None, *, as_json: bool) -> None:
    """Show a night by platform, account and tenant: states, pace, retries, projected end.

    Reads the ledger of BRAND_VISIBILITY_DATABASE_URL, or the embedded one, while a night
    runs or when it is over. Changes nothing.
    """
    settings = read_settings()
    console = open_console()
    with open_ledger(settings) as url:
        if query_id is not None:
            _show_query(console, settings, _require_query(url, query_id), as_json=as_json)
            return
        night = read_night(url, plan_date.date() if plan_date else _today(settings))
    _show_night(console, settings, night, as_json=as_json)


def _today(settings: Settings) -> date:
    return datetime.now(UTC).astimezone(settings.zone).date()


def _require_query(url: str, query_id: str) -> QueryStatus:
    found = find_query(url, query_id)
    if found is None:
        raise InputError(f"--query: found no query {query_id} in the ledger")
    return found


def _show_night(console: Console, settings: Settings, night: NightStatus, *, as_json: bool) -> None:
    if as_json:
        fields = dataclasses.asdict(night) | {"projected_end": night.projected_end}
        click.echo(_json(fields, settings))
    else:
        console.print(_night_view(night, settings))


def _show_query(console: Console, settings: Settings, query: QueryStatus, *, as_json: bool) -> None:
    if as_json:
        click.echo(_json(dataclasses.asdict(query), settings))
    else:
        console.print(_query_view(query, settings))


def _json(fields: Mapping[str, object], settings: Settings) -> str:
    def write(value: object) -> str:
        if isinstance(value, datetime):
            return value.astimezone(settings.zone).isoformat(timespec="seconds")
        return str(value)

    return json.dumps(fields, default=write, ensure_ascii=False, indent=2)


def _night_view(night: NightStatus, settings: Settings) -> Group:
    title = f"[bold]{night.plan_date}[/bold] at {_clock(night.read_at, settings)}"
    parts: list[RenderableType] = [
        f"{title}: {_outlook(night, settings)}",
        _platform_table(night, settings),
        _account_table(night.accounts),
        _tenant_table(night),
    ]
    if night.owners:
        parts.append(_owner_table(night))
    return Group(*parts)


def _outlook(night: NightStatus, settings: Settings) -> str:
    if night.is_over:
        return "every query has an outcome"
    end = night.projected_end
    if end is None:
        return "a platform has had no outcome for a minute: no end in sight"
    times = NightTimes(settings.zone, settings.cut_off_at, settings.deadline_at)
    cut_off = datetime.combine(night.plan_date, settings.cut_off_at, settings.zone)
    return (
        f"at this pace {_clock(end, settings)}, {_distance(end, cut_off)} the cut-off and"
        f" {_distance(end, times.deadline(night.plan_date))} the deadline"
    )


def _distance(moment: datetime, limit: datetime) -> str:
    minutes = round((moment.timestamp() - limit.timestamp()) / 60)
    return f"{abs(minutes)} min {'after' if minutes > 0 else 'before'}"


def _platform_table(night: NightStatus, settings: Settings) -> Table:
    table = _count_table("Platforms", "platform")
    for name in ("outcomes/s", "next retry", "at this pace"):
        table.add_column(name, justify="right")
    for platform in night.platforms:
        counts = platform.counts
        table.add_row(
            platform.platform_id,
            *_count_cells(counts),
            f"{platform.outcomes_per_second:.1f}",
            _clock(counts.next_attempt_at, settings, seconds=True),
            _clock(platform.projected_end, settings),
        )
    return table


def _account_table(accounts: tuple[AccountStatus, ...]) -> Table:
    table = _count_table("Accounts", "platform", "account")
    for name in ("sends/s", "limit/s", "used"):
        table.add_column(name, justify="right")
    for account in accounts:
        table.add_row(
            account.platform_id,
            account.account_id or "not sent yet",
            *_count_cells(account.counts),
            f"{account.sends_per_second:.1f}",
            *_limit_cells(account),
        )
    return table


def _limit_cells(account: AccountStatus) -> tuple[str, str]:
    limit = account.limit_per_second
    return (f"{limit:g}", f"{account.sends_per_second / limit:.0%}") if limit else ("", "")


def _tenant_table(night: NightStatus) -> Table:
    table = _count_table("Tenants (a shared query counts for each)", "tenant")
    for tenant in night.tenants:
        table.add_row(tenant.tenant_id, *_count_cells(tenant.counts))
    return table


def _owner_table(night: NightStatus) -> Table:
    table = Table(title="Owners of shards", title_justify="left")
    for name in ("platform", "shard", "host", "pid", "run", "heartbeat"):
        table.add_column(name)
    for owner in night.owners:
        table.add_row(
            owner.platform_id,
            f"{owner.shard_index + 1} of {owner.shard_count}",
            owner.host,
            str(owner.pid),
            owner.run_id[:8],
            f"{owner.heartbeat_age_s:.0f} s ago",
        )
    return table


def _count_table(title: str, *names: str) -> Table:
    table = Table(title=title, title_justify="left")
    for name in names:
        table.add_column(name)
    for state in _STATES:
        table.add_column(state, justify="right")
    for kind in ("refused, blocked", "failed"):
        table.add_column(kind)
    table.add_column(f"retries {'/'.join(RETRY_BUCKETS)}", justify="right")
    table.add_column("maybe paid", justify="right")
    return table


def _by_reason(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {reason}" for reason, number in counts.items())


def _count_cells(counts: Counts) -> list[str]:
    retries = "/".join(str(counts.retries[name]) for name in RETRY_BUCKETS)
    states = [str(getattr(counts, state)) for state in _STATES]
    return [
        *states,
        _by_reason(counts.withheld),
        _by_reason(counts.failed),
        retries,
        str(counts.maybe_paid),
    ]


def _query_view(query: QueryStatus, settings: Settings) -> Group:
    day = f"{query.platform_id} on {query.plan_date}, repeat {query.repeat}"
    reason = f": {query.reason}" if query.reason else ""
    lines = [
        f"[bold]{query.query_id}[/bold] of {day}",
        f"{query.state}{reason}, {query.attempt_count} calls, {query.maybe_paid_count} maybe paid",
    ]
    if query.next_attempt_at is not None:
        lines.append(f"next attempt at {_clock(query.next_attempt_at, settings, seconds=True)}")
    table = Table(title="Calls", title_justify="left")
    for name in ("call", "account", "sent at", "took", "outcome", "status", "then waited"):
        table.add_column(name)
    for call in query.calls:
        table.add_row(
            str(call.number),
            call.account_id,
            _clock(call.sent_at, settings, seconds=True),
            f"{call.latency_ms} ms",
            call.reason or "answered",
            str(call.http_status or ""),
            "" if call.wait_s is None else f"{call.wait_s:.1f} s",
        )
    return Group(*lines, table)


def _clock(moment: datetime | None, settings: Settings, *, seconds: bool = False) -> str:
    if moment is None:
        return ""
    local = moment.astimezone(settings.zone)
    return f"{local:%H:%M:%S}" if seconds else f"{local:%H:%M}"

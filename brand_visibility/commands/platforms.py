"""`brand-visibility platforms`: which platforms are configured, and does each answer?"""

import asyncio
import dataclasses
import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from brand_visibility.adapters.catalog.loader import load_catalog
from brand_visibility.adapters.platform_check import QUESTION, AccountCheck, check_accounts
from brand_visibility.adapters.platforms.registry import adapter_of, is_simulated
from brand_visibility.commands.options import catalog_option
from brand_visibility.domain.catalog import Platform
from brand_visibility.domain.errors import InputError

_WIDTH = 120


@click.group()
def platforms() -> None:
    """Look at the configured platforms, and try their accounts."""


@platforms.command("list")
@catalog_option("The folder of the catalog's files.")
def list_platforms(catalog: Path) -> None:
    """List the platforms with their accounts and where they are asked."""
    table = _table("platform", "adapter", "model", "accounts", "asked at")
    for platform in load_catalog(catalog, None).platforms:
        accounts = ", ".join(account.account_id for account in platform.accounts)
        table.add_row(*map(escape, (*_names(platform), accounts, _place(platform))))
    _console().print(table)


def _names(platform: Platform) -> tuple[str, str, str]:
    return platform.platform_id, platform.adapter, platform.model


def _place(platform: Platform) -> str:
    if is_simulated(platform):
        return "the local simulator"
    return platform.base_url or adapter_of(platform).base_url or ""


@platforms.command()
@click.argument("name", required=False)
@catalog_option("The folder of the catalog's files.")
@click.option("--question", default=QUESTION, show_default=True, help="What to ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object an account.")
@click.pass_context
def check(
    context: click.Context, name: str | None, catalog: Path, question: str, *, as_json: bool
) -> None:
    """Ask every account of a platform, or of all, one small question.

    Real accounts are really asked, once each, which costs what a small answer costs. Exits
    with 1 when any account did not answer.
    """
    chosen = _chosen(load_catalog(catalog, None).platforms, name)
    day = datetime.now(UTC).date()
    checks = asyncio.run(check_accounts(chosen, os.environ, question=question, day=day))
    if as_json:
        for one in checks:
            click.echo(json.dumps({"is_ok": one.is_ok, **dataclasses.asdict(one)}, default=str))
    else:
        _console().print(_findings(checks))
    failed = sum(not one.is_ok for one in checks)
    if failed:
        click.echo(f"{failed} of {len(checks)} accounts did not answer", err=True)
        context.exit(1)


def _chosen(known: Sequence[Platform], name: str | None) -> list[Platform]:
    chosen = [platform for platform in known if name in (None, platform.platform_id)]
    if not chosen:
        ids = ", ".join(platform.platform_id for platform in known)
        raise InputError(f"platform: found {name!r}; the catalog has {ids}")
    return chosen


def _findings(checks: Sequence[AccountCheck]) -> Table:
    table = _table("platform", "account", "ok", "ms", "model", "limits seen", "verdict", "USD")
    for one in checks:
        limits = ", ".join(f"{value} {name}" for name, value in one.limits.items())
        verdict = f"{one.verdict}: {one.detail}" if one.detail else one.verdict
        cells = (
            one.platform_id,
            one.account_id,
            "yes" if one.is_ok else "NO",
            "" if one.latency_ms is None else f"{one.latency_ms:,}",
            one.model or "",
            limits,
            verdict,
            "" if one.cost_usd is None else f"{one.cost_usd:.6f}",
        )
        table.add_row(*map(escape, cells))
    return table


def _table(*columns: str) -> Table:
    table = Table()
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _console() -> Console:
    console = Console(highlight=False)
    return console if console.is_terminal else Console(width=_WIDTH, highlight=False)

"""A canary key goes through success, every error, a crash and a traceback: nowhere is it left."""

import json
import logging
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import dagster as dg
import psycopg
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from keyed_platform import Asked, KeyedPlatform, Reply, answer, error, serving
from psycopg import sql

from brand_visibility.adapters.lake.files import Lake
from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.plans import PlanStore
from brand_visibility.adapters.ledger.shards import Shard
from brand_visibility.adapters.platforms.adapter import Asking
from brand_visibility.adapters.platforms.http import HttpSender
from brand_visibility.adapters.platforms.openai_compatible import ADAPTER
from brand_visibility.adapters.shard_collection import ShardCollector
from brand_visibility.domain.catalog import Account, AccountLimits, Platform, RetrySettings
from tests.builders import DAY, SENT_AT, a_plan, a_platform

CANARY = "sk-canary-5e1f0c9d8b7a"
SHARD = Shard(DAY, "deepseek", 0, 1)

# Hunyuan's own API: the first half names the signer of each call, the second never leaves.
SECRET_ID, SECRET_KEY = "AKIDcanary7f3e9b1d", "canarysecret4a6c8e2f"
PAIR = f"{SECRET_ID}:{SECRET_KEY}"


def pieces(secret: str) -> list[str]:
    """Return all that must not be left: half a key is half of a secret."""
    return [secret[start : start + 8] for start in range(3, len(secret) - 7)]


def a_keyed_platform(adapter: str = "openai_compatible") -> Platform:
    return replace(
        a_platform(),
        adapter=adapter,
        accounts=(Account("main", AccountLimits(100, 4), "CANARY_KEY"),),
        attempt_timeout_s=2.0,
        retry=RetrySettings(
            max_retries=1, server_fault_s=0.02, rate_limit_base_s=0.02, timeout_base_s=0.02
        ),
    )


def echo(key: str) -> list[Reply]:
    """Return one reply of each kind, every one with the key in it."""
    masked = f"{key[:12]}********{key[-9:]}"
    chunk = answer(f"Your key {key} is fine. Dyson.")
    return [
        chunk,
        replace(chunk, headers={"X-Request-Id": key, "Set-Cookie": f"key={key}"}),
        error(400, "invalid_request_error", f"Incorrect API key provided: {key}"),
        error(400, key, f"Incorrect API key provided: {masked}"),
        error(429, "rate_limit_exceeded", f"Too fast for {key}", **{"X-Key": key}),
        error(500, "server_error", f"Traceback: {key}"),
        Reply(302, b"", {"Location": f"http://127.0.0.1:1/?key={key}"}),
        Reply(200, f'{{"choices": [{key}'.encode()),
        Reply(200, f'{{"error": "{key}"}}'.encode()),
        Reply(418, key.encode()),
        error(400, "content_filter", key),
    ]


def reply_to(state: KeyedPlatform, asked: Asked) -> Reply:
    replies = echo(asked.key)
    return replies[len(state.calls) % len(replies)]


def native(**response: object) -> Reply:
    return Reply(200, json.dumps({"Response": {"RequestId": "r-1", **response}}).encode())


def reply_natively(state: KeyedPlatform, asked: Asked) -> Reply:
    """Reply to a signed call with its signature, and so with the signer's name, in all places."""
    choice = {"Message": {"Content": f"Signed {asked.key}. Dyson."}, "FinishReason": "stop"}
    usage = {"PromptTokens": 5, "CompletionTokens": 5}
    replies = [
        native(Choices=[choice], Usage=usage),
        native(Choices=[choice], Usage=usage, RequestId=SECRET_ID),
        native(Error={"Code": "AuthFailure.SignatureFailure2", "Message": asked.key}),
        native(Error={"Code": "LimitExceeded", "Message": f"Too fast, {SECRET_ID}"}),
        native(Error={"Code": "InternalError", "Message": f"{SECRET_ID[:9]}****{SECRET_ID[-8:]}"}),
        native(ErrorMsg={"Code": 4000, "Msg": asked.key}),
        Reply(200, f'{{"Response": {asked.key}'.encode()),
        Reply(302, b"", {"Location": f"http://127.0.0.1:1/?{SECRET_ID}"}),
    ]
    # With more faults than answers the breaker would open, and a refused signature stops the
    # account: it comes last, when all else was said.
    order = [0, 1, 0, 3, 1, 4, 0, 5, 1, 6, 0, 7]
    at = len(state.calls) - 1
    return replies[2 if at >= 3 * len(order) else order[at % len(order)]]


def a_collector(
    folder: Path,
    database_url: str,
    base_url: str,
    platform: Platform | None = None,
    key: str = CANARY,
) -> ShardCollector:
    return ShardCollector(
        database_url=database_url,
        lake=Lake(folder / "lake"),
        outcomes=OutcomeStore(database_url, ZoneInfo("Asia/Shanghai")),
        platform=platform or a_keyed_platform(),
        keys={"main": key},
        base_url=base_url,
    )


def collect(folder: Path, database_url: str, base_url: str) -> None:
    collector = a_collector(folder, database_url, base_url)
    collector.collect(SHARD, cut_off=None, heartbeat=logging.getLogger("night").info)


def everything_in_the_ledger(database_url: str) -> Iterator[str]:
    with psycopg.connect(database_url) as session:
        tables = session.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'ledger'"
        ).fetchall()
        for (name,) in tables:
            for row in session.execute(
                sql.SQL("SELECT * FROM {}").format(sql.Identifier("ledger", name))
            ):
                yield repr(row)
        packed = session.execute(
            "SELECT text_zstd, text_bytes FROM ledger.answer"
            " UNION ALL SELECT raw_zstd, raw_bytes FROM ledger.answer"
        ).fetchall()
    for body, size in packed:
        yield repr(pa.decompress(body, decompressed_size=size, codec="zstd", asbytes=True))


def everything_in_the_lake(folder: Path) -> Iterator[str]:
    paths = list((folder / "lake").rglob("*.parquet"))
    assert paths
    for path in paths:
        with pq.ParquetFile(path) as file:
            yield repr(file.read().to_pylist())


def assert_clean(places: Iterator[str] | list[str], *secrets: str) -> None:
    sought = [piece for secret in secrets or (CANARY,) for piece in pieces(secret)]
    assert sought
    for text in places:
        assert [piece for piece in sought if piece in text] == []


def test_whatever_a_platform_echoes_the_key_reaches_no_record(
    tmp_path: Path,
    database_url: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    PlanStore(database_url).freeze(a_plan(questions=40), [], None)
    with serving(reply_to) as state:
        collect(tmp_path, database_url, state.url)

    assert {call.key for call in state.calls} == {CANARY}
    assert_clean(everything_in_the_ledger(database_url))
    assert_clean(everything_in_the_lake(tmp_path))
    assert_clean([caplog.text, *capfd.readouterr()])


def test_the_secret_that_signs_is_never_sent_and_the_signers_name_reaches_no_record(
    tmp_path: Path,
    database_url: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    PlanStore(database_url).freeze(a_plan(questions=40), [], None)
    platform = a_keyed_platform("hunyuan_native")
    with serving(reply_natively) as state:
        base_url = state.url.removesuffix("/v1")
        collector = a_collector(tmp_path, database_url, base_url, platform, PAIR)
        collector.collect(SHARD, cut_off=None, heartbeat=logging.getLogger("night").info)

    assert all(f"Credential={SECRET_ID}/" in call.key for call in state.calls)
    assert_clean([repr(call) for call in state.calls], SECRET_KEY)
    assert_clean(everything_in_the_ledger(database_url), SECRET_ID, SECRET_KEY)
    assert_clean(everything_in_the_lake(tmp_path), SECRET_ID, SECRET_KEY)
    assert_clean([caplog.text, *capfd.readouterr(), repr(collector)], SECRET_ID, SECRET_KEY)


def test_a_killed_process_leaves_no_key_behind(
    tmp_path: Path, database_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    PlanStore(database_url).freeze(a_plan(questions=80), [], None)

    def slowly(state: KeyedPlatform, asked: Asked) -> Reply:
        time.sleep(0.02)
        return reply_to(state, asked)

    with serving(slowly) as state:
        process = multiprocessing.get_context("spawn").Process(
            target=collect, args=(tmp_path, database_url, state.url)
        )
        process.start()
        give_up_at = time.monotonic() + 60
        while len(state.calls) < 30:
            assert time.monotonic() < give_up_at
            time.sleep(0.01)
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()

    assert_clean(everything_in_the_ledger(database_url))
    assert_clean(list(capfd.readouterr()))
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert CANARY.encode() not in path.read_bytes()


def test_a_traceback_in_a_dagster_run_shows_no_key(
    tmp_path: Path, database_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    PlanStore(database_url).freeze(a_plan(questions=4), [], None)
    (tmp_path / "dagster").mkdir()
    (tmp_path / "lake").write_text("a file where the lake should be", encoding="utf-8")

    with serving(lambda *_: answer()) as state:

        @dg.asset
        def raw_answers() -> None:
            collect(tmp_path, database_url, state.url)

        with dg.instance_for_test(temp_dir=str(tmp_path / "dagster")) as instance:
            result = dg.materialize([raw_answers], instance=instance, raise_on_error=False)

    assert not result.success
    assert_clean(list(capfd.readouterr()))
    records = [path for path in (tmp_path / "dagster").rglob("*") if path.is_file()]
    assert any(b"NotADirectoryError" in path.read_bytes() for path in records)
    for path in records:
        assert_clean([path.read_bytes().decode("latin-1")])


def test_nothing_that_holds_a_key_shows_it(tmp_path: Path) -> None:
    platform, query = a_keyed_platform(), a_plan(questions=1).queries[0]
    asking = Asking(query, platform, "https://x", SENT_AT, CANARY)
    held: list[Any] = [
        asking,
        ADAPTER.build(asking),
        HttpSender(platform, {"main": CANARY}, "https://x"),
        a_collector(tmp_path, "postgresql://unused", "https://x"),
    ]
    assert_clean([shown for one in held for shown in (repr(one), str(one))])

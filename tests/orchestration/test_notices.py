"""What people are told of a night under way, and that telling them breaks nothing."""

import logging
from datetime import UTC, date, datetime

import httpx
import pytest

from assets.notices import tell
from brand_visibility.adapters.alerts import AlertChannels
from brand_visibility.collection.notices import Notice
from tests.webhooks import Webhook

NOTICE = Notice(
    platform_id="deepseek",
    account_id="main",
    what="is refused",
    since=datetime(2026, 11, 30, 2, 15, tzinfo=UTC),
    consequence="It rests for a minute.",
)
DAY = date(2026, 11, 30)
LOG = logging.getLogger("night")


def test_a_notice_is_logged_and_sent_under_a_key_of_day_platform_and_account(
    webhook: Webhook, caplog: pytest.LogCaptureFixture
) -> None:
    tell(NOTICE, DAY, AlertChannels(webhook_url=webhook.url), LOG)
    (alert,) = webhook.received
    assert alert == {
        "key": "unknown-429:2026-11-30:deepseek:main",
        "title": "deepseek: account main is refused",
        "text": "Since 2026-11-30 02:15 UTC. It rests for a minute.",
    }
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "account main is refused" in record.message


def test_without_a_channel_a_notice_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    tell(NOTICE, DAY, AlertChannels(webhook_url=None), LOG)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


@pytest.mark.parametrize("status", [400, 429, 500])
def test_a_channel_that_does_not_take_a_notice_is_logged_and_breaks_nothing(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(status))
    tell(
        NOTICE, DAY, AlertChannels(webhook_url="http://alerts.example/x", transport=transport), LOG
    )
    assert "was not delivered" in caplog.records[-1].message

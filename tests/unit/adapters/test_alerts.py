"""The generic webhook."""

import json

import httpx
import pytest

from brand_visibility.adapters.alerts import AlertChannels, AlertNotSentError, AlertRefusedError
from brand_visibility.domain.errors import BrandVisibilityError

SECRET_URL = "https://hooks.example.com/t0ken-in-the-path"  # pragma: allowlist secret
ALERT = {"key": "deadline:2026-11-30", "title": "late", "text": "gpt is missing"}


def channels(answer: httpx.Response | Exception, seen: list[httpx.Request]) -> AlertChannels:
    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return AlertChannels(webhook_url=SECRET_URL, transport=httpx.MockTransport(handle))


def test_an_alert_arrives_as_json_with_its_key() -> None:
    seen: list[httpx.Request] = []

    assert channels(httpx.Response(204), seen).send(**ALERT) == ["webhook"]

    assert json.loads(seen[0].content) == ALERT


def test_without_a_webhook_nothing_is_sent() -> None:
    assert AlertChannels(webhook_url=None).send(**ALERT) == []


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (httpx.Response(500), AlertNotSentError),
        (httpx.Response(429), AlertNotSentError),
        (httpx.Response(499), AlertRefusedError),
        (httpx.Response(404), AlertRefusedError),
        (httpx.Response(302), AlertRefusedError),
        (httpx.ConnectTimeout("slow"), AlertNotSentError),
        (httpx.ConnectError("refused"), AlertNotSentError),
    ],
)
def test_an_alert_that_was_not_taken_is_an_error_without_the_address(
    answer: httpx.Response | Exception, error: type[BrandVisibilityError]
) -> None:
    with pytest.raises(error) as caught:
        channels(answer, []).send(**ALERT)

    assert "t0ken" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("url", ["not a url", "ftp://example.com/x", "https://"])
def test_an_address_that_cannot_be_used_is_refused_without_naming_it(url: str) -> None:
    with pytest.raises(AlertRefusedError, match="http or https URL is expected"):
        AlertChannels(webhook_url=url).send(**ALERT)

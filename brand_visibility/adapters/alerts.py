"""Alert channels beyond the run's own log: for now a generic webhook that takes JSON."""

from urllib.parse import urlsplit

import httpx

from brand_visibility.domain.errors import PermanentError, TransientError

_TIMEOUT_S = 10.0


class AlertNotSentError(TransientError):
    """A channel did not take the alert; sending it again may help."""


class AlertRefusedError(PermanentError):
    """A channel refused the alert, or its address cannot be used."""


class AlertChannels:
    """Every configured channel. `transport` replaces the network in tests."""

    def __init__(
        self, *, webhook_url: str | None, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._webhook_url = webhook_url
        self._transport = transport

    def send(self, *, key: str, title: str, text: str) -> list[str]:
        """Send to every configured channel and return their names, none when there is none.

        The key names the episode, so that a receiver can fold repeats. Raises
        AlertNotSentError or AlertRefusedError when the webhook does not take it.
        """
        if self._webhook_url is None:
            return []
        self._post(self._webhook_url, {"key": key, "title": title, "text": text})
        return ["webhook"]

    def _post(self, url: str, body: dict[str, str]) -> None:
        host = urlsplit(url).hostname or "no host"
        try:
            with httpx.Client(
                timeout=_TIMEOUT_S, trust_env=False, transport=self._transport
            ) as client:
                status = client.post(url, json=body).status_code
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            # Never chained: the original error may name the URL, which may hold a token.
            raise AlertRefusedError(
                "the webhook's URL cannot be used; an http or https URL is expected"
            ) from None
        except httpx.HTTPError as error:
            kind = type(error).__name__
            raise AlertNotSentError(f"the webhook at {host} did not answer: {kind}") from None
        if status >= 500 or status == 429:
            raise AlertNotSentError(f"the webhook at {host} answered {status}; 2xx is expected")
        if not 200 <= status < 300:
            raise AlertRefusedError(f"the webhook at {host} answered {status}; 2xx is expected")

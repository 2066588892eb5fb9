"""The door to the alert channels."""

import os

import dagster as dg

from brand_visibility.adapters.alerts import AlertChannels


class AlertsResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Alerts go to the webhook whose URL the named variable holds.

    The URL may hold a token, so only the variable's name is configured.
    """

    webhook_url_env: str

    def channels(self) -> AlertChannels:
        """Return the channels that are configured now."""
        return AlertChannels(webhook_url=os.environ.get(self.webhook_url_env) or None)

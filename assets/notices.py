"""How what people must know of a night under way reaches them: the log and every channel."""

from datetime import date
from logging import Logger

from brand_visibility.adapters.alerts import AlertChannels
from brand_visibility.collection.notices import Notice
from brand_visibility.domain.errors import BrandVisibilityError


def tell(notice: Notice, plan_date: date, channels: AlertChannels, log: Logger) -> None:
    """Log a notice as a warning and send it. One that no channel takes is logged only.

    Every shard of the day sends the same key, so that a receiver can fold them.
    """
    title = f"{notice.platform_id}: account {notice.account_id} {notice.what}"
    text = f"Since {notice.since:%F %R %Z}. {notice.consequence}"
    # The run's own log is the channel that needs no configuration.
    log.warning(f"{title}. {text}")
    key = f"unknown-429:{plan_date}:{notice.platform_id}:{notice.account_id}"
    try:
        channels.send(key=key, title=title, text=text)
    except BrandVisibilityError as error:
        log.warning(f"the alert {key} was not delivered: {error}")

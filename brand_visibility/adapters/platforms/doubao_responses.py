"""Doubao in Volcengine Ark's Responses, which can search and cite what it found.

The protocol is OpenAI's, read in `openai_responses`: every search is an item of the answer,
and a page counts as a source when the text cites it. Its own: it searches when the catalog's
parameters hold `tools: [{"type": "web_search"}]`, and its errors mean what they mean in
`doubao`.

Source: volcengine.com, document 82379/1958524.
"""

from datetime import datetime

from brand_visibility.adapters.platforms import bodies, doubao, openai_responses
from brand_visibility.adapters.platforms.adapter import Adapter
from brand_visibility.adapters.platforms.chat import error_in, failed
from brand_visibility.adapters.platforms.verdicts import ErrorReport
from brand_visibility.adapters.platforms.wire import WireResponse
from brand_visibility.domain.outcomes import Outcome


def parse(response: WireResponse, now: datetime) -> Outcome:
    """Return what a response means. Never raises, whatever the bytes are."""
    report = error_in(bodies.load(response.body), is_failed=not response.is_success)
    if report is not None or not response.is_success:
        return failed(response, report or ErrorReport(), now, doubao.VERDICTS)
    return openai_responses.parse(response, now)


ADAPTER = Adapter(openai_responses.build, parse, base_url=doubao.BASE_URL, hosts=doubao.HOSTS)

"""Imported answers: what a person captured in an assistant's app.

An app answers differently from the API of the same platform, so an import has a channel of
its own and takes part in no plan. Reading files belongs to `adapters.importing`.
"""

from datetime import date

from brand_visibility.domain.planning import identify

IMPORT_CHANNEL = "import"


def imported_query_id(plan_date: date, platform_id: str, prompt: str, repeat: int) -> str:
    """Return the identity of an imported answer: the same question again finds the same id."""
    return identify(plan_date, platform_id, IMPORT_CHANNEL, prompt, repeat)

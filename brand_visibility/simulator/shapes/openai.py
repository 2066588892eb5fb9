"""OpenAI's chat completions, and the plain ones of a gateway that adds nothing."""

from brand_visibility.simulator.shapes.chat import ChatShape, Json, Manner
from brand_visibility.simulator.shapes.shape import Given


def annotations(given: Given) -> list[Json]:
    """Return the pages as citations, each of a place in the text."""
    length = len(given.text)
    return [
        {
            "type": "url_citation",
            "url_citation": {
                "url": page.url,
                "title": page.title,
                "start_index": max(0, length - place - 1),
                "end_index": length,
            },
        }
        for place, page in enumerate(given.shown_pages)
    ]


def _message(given: Given) -> Json:
    # A model that did not search has no such field.
    return {"annotations": annotations(given)} if given.shown_pages else {}


SHAPE = ChatShape(Manner(message=_message, refusal_field=True))
PLAIN = ChatShape(Manner())

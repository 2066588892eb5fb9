"""flashtext2's KeywordProcessor without regard to case."""

from collections.abc import Iterator, Sequence

from flashtext2 import KeywordProcessor
from job import Finder, Found, Text, answer


def build(aliases: Sequence[tuple[str, str]]) -> Finder:
    """Return the processor of all aliases; of equal ones the last brand's stands."""
    processor = KeywordProcessor(case_sensitive=False)
    for brand_id, alias in aliases:
        processor.add_keyword(alias, brand_id)

    def find(text: Text) -> Iterator[Found]:
        yield from processor.extract_keywords_with_span(text["text"])

    return find


if __name__ == "__main__":
    answer(build)

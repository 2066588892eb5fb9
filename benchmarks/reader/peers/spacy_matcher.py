"""spaCy's PhraseMatcher on small letters, the longest of overlapping spans, as documented."""

from collections.abc import Iterator, Sequence

import spacy
from job import Finder, Found, Text, answer
from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.util import filter_spans


def build(aliases: Sequence[tuple[str, str]]) -> Finder:
    """Return one matcher a language: English words, Chinese characters."""
    matchers = {name: _matcher(spacy.blank(name), aliases) for name in ("en", "zh")}

    def find(text: Text) -> Iterator[Found]:
        nlp, matcher = matchers[text["language"]]
        document = nlp.make_doc(text["text"])
        for span in filter_spans(matcher(document, as_spans=True)):
            yield span.label_, span.start_char, span.end_char

    return find


def _matcher(nlp: Language, aliases: Sequence[tuple[str, str]]) -> tuple[Language, PhraseMatcher]:
    matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
    for brand_id, alias in aliases:
        matcher.add(brand_id, [nlp.make_doc(alias)])
    return nlp, matcher


if __name__ == "__main__":
    answer(build)

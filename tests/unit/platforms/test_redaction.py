from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.adapters.platforms.redaction import without_key
from brand_visibility.domain.outcomes import Answer, Source

KEY = "sk-canary-0123456789"
PAIR = "AKIDcanary12345:secretcanary6789"


def an_answer(said: str) -> Answer:
    return Answer(
        text=f"Your key is {said}.",
        model=said,
        finish_reason=said,
        request_id=said,
        sources=(Source(1, f"https://example.com/?key={said}", said), Source(2, "https://x.com")),
        raw_body=f'{{"key": "{said}"}}'.encode(),
    )


@pytest.mark.parametrize(
    ("key", "said"),
    [(KEY, KEY), (PAIR, PAIR), (PAIR, "secretcanary6789"), (PAIR, "AKIDcanary12345")],
)
def test_a_key_that_a_platform_echoes_stands_nowhere_in_the_answer(key: str, said: str) -> None:
    cleaned = without_key(an_answer(said), key)

    assert said not in str(asdict(cleaned))
    assert cleaned.text == "Your key is …."
    assert cleaned.sources[1] == Source(2, "https://x.com")


@given(st.text(max_size=50), st.binary(max_size=50))
def test_an_answer_without_the_key_is_left_as_it_is(text: str, raw_body: bytes) -> None:
    answer = Answer(text, raw_body=raw_body)
    assert without_key(answer, KEY) is answer


def test_a_short_part_of_a_key_may_stand_in_any_text() -> None:
    answer = Answer("id and more")
    assert without_key(answer, "id:secretcanary6789") is answer

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brand_visibility.adapters.platforms.texts import clean, redact

KEY = "sk-canary-0123456789abcdef"
PROMPT = "扫地机器人哪个牌子好？预算三千元以内"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("two\nlines\tand  more ", "two lines and more"),
        ("bell\x07null\x00", "bell null"),
        ("turned\u202earound\ud800", "turned around"),
        ("戴森", "戴森"),
        ("", ""),
    ],
)
def test_a_clean_text_is_one_printable_line(text: str, expected: str) -> None:
    assert clean(text) == expected


@given(st.text(max_size=500), st.integers(1, 50))
def test_a_clean_text_is_bounded_and_printable(text: str, max_length: int) -> None:
    cleaned = clean(text, max_length)
    assert len(cleaned) <= max_length
    assert not any(unicodedata.category(character)[0] == "C" for character in cleaned)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Incorrect API key provided: {KEY}.", "Incorrect API key provided: …."),
        ("Incorrect API key: sk-canary-01*****cdef", "Incorrect API key: …*****…"),
        (f"The prompt '{PROMPT}' is not allowed", "The prompt '…' is not allowed"),
        (f"Blocked: {PROMPT[2:12]}", "Blocked: …"),
        ("No such model", "No such model"),
    ],
)
def test_what_a_message_quotes_of_key_and_prompt_is_hidden(text: str, expected: str) -> None:
    assert redact(text, key=KEY, prompt=PROMPT) == expected


def test_a_prompt_shorter_than_a_run_is_hidden_as_a_whole() -> None:
    assert redact("Not allowed: 手机推荐", key=None, prompt="手机推荐") == "Not allowed: …"


@given(
    before=st.text("ABC ", max_size=20), after=st.text("ABC ", max_size=20), cut=st.integers(8, 18)
)
def test_no_run_of_the_prompt_survives(before: str, after: str, cut: int) -> None:
    hidden = redact(before + PROMPT[:cut] + after, key=None, prompt=PROMPT)
    assert hidden == f"{before}…{after}"

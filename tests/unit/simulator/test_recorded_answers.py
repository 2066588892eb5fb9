from pathlib import Path

import pytest

from brand_visibility.domain.errors import InputError
from brand_visibility.simulator.recorded import RecordedAnswers, read_recordings

GOOD = '{"question": "a", "answer": "one"}'


def write(directory: Path, content: str | bytes) -> Path:
    path = directory / "answers.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_platform_replays_its_own_recordings_before_those_for_all() -> None:
    answers = RecordedAnswers({"a": ["all"], "b": ["all b"]}, {"kimi": {"a": ["own"]}})
    assert answers.answer("kimi", "a", 0) == "own"
    assert answers.answer("kimi", "b", 0) == "all b"
    assert answers.answer("deepseek", "a", 0) == "all"


def test_a_question_recorded_several_times_gives_its_answers_in_turn() -> None:
    answers = RecordedAnswers({"a": ["one", "two"]})
    assert [answers.answer("kimi", "a", number) for number in range(3)] == ["one", "two", "one"]


@pytest.mark.parametrize(("prompt", "expected"), [(" a\n", "one"), ("A", None), ("a b", None)])
def test_a_question_is_known_by_its_exact_text(prompt: str, expected: str | None) -> None:
    assert RecordedAnswers({"a": ["one"]}).answer("kimi", prompt, 0) == expected


def test_recordings_tell_no_truth() -> None:
    assert RecordedAnswers({"a": ["one"]}).truth("kimi") is None


def test_a_file_is_read_in_order_and_further_fields_are_left_alone(tmp_path: Path) -> None:
    lines = [
        GOOD,
        "",
        '{"question": " a ", "answer": "two", "model": "m"}',
        GOOD,
    ]
    path = write(tmp_path, "\ufeff" + "\r\n".join(lines))
    assert read_recordings(path) == {"a": ["one", "two", "one"]}


def test_a_line_separator_inside_an_answer_does_not_end_the_line(tmp_path: Path) -> None:
    path = write(tmp_path, '{"question": "a", "answer": "one\u2028two\u0085three"}\n')
    assert read_recordings(path) == {"a": ["one\u2028two\u0085three"]}


@pytest.mark.parametrize(
    ("content", "named"),
    [
        pytest.param(f"{GOOD}\n{{", "line 2", id="broken JSON"),
        pytest.param(f'{GOOD}\n\n{{"question": "a"}}', "line 3: found answer", id="no answer"),
        pytest.param('{"question": 1, "answer": "x"}', "line 1: found question", id="a number"),
        pytest.param('["a", "b"]', "line 1", id="no object"),
        pytest.param("\n \n", "no line", id="nothing"),
        pytest.param(b"\xff\xfe", "UTF-8", id="not text"),
    ],
)
def test_a_bad_file_is_named_with_its_line(
    tmp_path: Path, content: str | bytes, named: str
) -> None:
    path = write(tmp_path, content)
    with pytest.raises(InputError, match=named) as raised:
        read_recordings(path)
    assert str(path) in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl.*No such file"):
        read_recordings(tmp_path / "nowhere.jsonl")

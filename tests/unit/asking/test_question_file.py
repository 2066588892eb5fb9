from pathlib import Path

import pytest

from brand_visibility.adapters.asking.question_file import FileQuestion, read_questions
from brand_visibility.domain.errors import InputError


def written(tmp_path: Path, content: bytes | str, name: str = "questions.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_plain_text_has_one_question_a_line(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff哪款手机最好？\r\n\n  Which is best? \n{not json}")
    assert read_questions(path) == [
        FileQuestion("1", "哪款手机最好？", 1),
        FileQuestion("3", "Which is best?", 3),
        FileQuestion("4", "{not json}", 4),
    ]


def test_json_lines_name_the_text_and_perhaps_an_id(tmp_path: Path) -> None:
    lines = [
        '{"question": "a", "id": "first"}',
        "",
        '{"text": "b", "other": 1}',
        '{"prompt": " c ", "id": 7}',
    ]
    path = written(tmp_path, "\n".join(lines), "questions.jsonl")
    assert read_questions(path) == [
        FileQuestion("first", "a", 1),
        FileQuestion("3", "b", 3),
        FileQuestion("7", "c", 4),
    ]


def test_the_same_text_twice_is_two_questions(tmp_path: Path) -> None:
    assert len(read_questions(written(tmp_path, "a\na\n"))) == 2


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b'{"question": "a"', "broken JSON"),
        (b'["a"]', "JSON that is no object"),
        (b'{"frage": "a"}', r"the fields \['frage'\]"),
        (b'{"question": 1}', "no text"),
        (b'{"question": " "}', "no text"),
        (b'{"question": "a", "id": {}}', "an id that is neither"),
        (b'{"question": "a", "id": true}', "an id that is neither"),
        (b'{"question": "a", "id": ""}', "an id that is neither"),
        (b'{"question": "\\ud800"}', "broken JSON"),
        (b'{"question": "\xff"}', "bytes that are no UTF-8"),
    ],
)
def test_a_line_at_fault_is_named(tmp_path: Path, line: bytes, found: str) -> None:
    path = written(tmp_path, b'{"question": "fine"}\n' + line, "questions.jsonl")
    with pytest.raises(InputError, match=rf"questions\.jsonl: line 2: found {found}"):
        read_questions(path)


def test_every_line_at_fault_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "1\n2\n" + '{"text": "a", "id": 9}\n' * 2, "questions.jsonl")
    with pytest.raises(InputError) as caught:
        read_questions(path)
    message = str(caught.value)
    assert [f"line {number}: found" in message for number in (1, 2, 3, 4)] == [
        True,
        True,
        False,
        True,
    ]
    assert "the id '9' of line 3 again" in message


def test_a_flood_of_faults_is_cut_short(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"… and 80 more$"):
        read_questions(written(tmp_path, "x\n" * 100, "questions.jsonl"))


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_a_file_without_a_question_is_an_error(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="found no question"):
        read_questions(written(tmp_path, content))


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_questions(tmp_path / "absent.txt")

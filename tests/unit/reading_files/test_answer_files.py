from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from brand_visibility.adapters.answer_files import StoredAnswer, read_answers
from brand_visibility.domain.errors import InputError


def _lines(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"question": "q", "answer": "a"}', StoredAnswer("1", "a")),
        ('{"query_id": "x", "text": "a"}', StoredAnswer("x", "a")),
        ('{"id": 7, "answer": "a"}', StoredAnswer("7", "a")),
        ('{"query_id": "x", "id": "y", "text": "a", "answer": "b"}', StoredAnswer("x", "a")),
        ('{"text": ""}', StoredAnswer("1", "")),
        ('{"text": "\\ud800a"}', StoredAnswer("1", "?a")),
    ],
)
def test_a_line_is_an_answer(tmp_path: Path, line: str, expected: StoredAnswer) -> None:
    assert list(read_answers(_lines(tmp_path, line))) == [expected]


def test_blank_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    path = _lines(tmp_path, '{"text": "a"}\n\n{"text": "b"}\n')

    assert [answer.answer_id for answer in read_answers(path)] == ["1", "3"]


@pytest.mark.parametrize(
    ("line", "place", "found", "expected"),
    [
        (b"{", "line 2", "no JSON (", "one JSON object a line"),
        (b'{"text": "\xff"}', "line 2", "no JSON (", "one JSON object a line"),
        (b"[]", "line 2", "a JSON list", "a JSON object"),
        (b'{"question": "q"}', "line 2", "the fields 'question'", '"text" or "answer"'),
        (b"{}", "line 2", "the fields none", '"text" or "answer"'),
        (b'{"text": null}', "line 2, field 'text'", "null", "as a string"),
        (b'{"answer": 3}', "line 2, field 'answer'", "a int", "as a string"),
        (b'{"text": "a", "id": []}', "line 2, id", "a list", "a string or a whole number"),
    ],
)
def test_a_bad_line_is_named(
    tmp_path: Path, line: bytes, place: str, found: str, expected: str
) -> None:
    path = _lines(tmp_path, b'{"text": "fine"}\n' + line + b"\n")

    with pytest.raises(InputError) as raised:
        list(read_answers(path))

    assert str(raised.value).startswith(f"{path}: {place}: found {found}")
    assert expected in str(raised.value)


@pytest.mark.parametrize(
    ("name", "found"), [("missing.jsonl", "no such file"), ("answers.csv", "suffix '.csv'")]
)
def test_a_file_that_is_no_file_of_answers_is_named(tmp_path: Path, name: str, found: str) -> None:
    (tmp_path / "answers.csv").touch()

    with pytest.raises(InputError, match=f"found {found}"):
        read_answers(tmp_path / name)


def _parquet(path: Path, columns: dict[str, list[object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"query_id": ["x"], "text": ["a"]}, StoredAnswer("x", "a")),
        ({"question": ["q"], "answer": ["a"]}, StoredAnswer("1", "a")),
        ({"id": [7], "answer": ["a"]}, StoredAnswer("7", "a")),
        ({"id": pa.array([None], pa.string()), "answer": ["a"]}, StoredAnswer("1", "a")),
    ],
)
def test_a_row_is_an_answer(
    tmp_path: Path, columns: dict[str, list[object]], expected: StoredAnswer
) -> None:
    assert list(read_answers(_parquet(tmp_path / "a.parquet", columns))) == [expected]


def test_a_folder_is_its_files_in_order_and_unfinished_ones_left_out(tmp_path: Path) -> None:
    _parquet(tmp_path / "platform=b" / "0.parquet", {"text": ["third"]})
    _parquet(tmp_path / "platform=a" / "0.parquet", {"text": ["first", "second"]})
    (tmp_path / "platform=a" / ".1.parquet").write_bytes(b"half")

    assert list(read_answers(tmp_path)) == [
        StoredAnswer("1", "first"), StoredAnswer("2", "second"), StoredAnswer("3", "third"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"other": ["x"]}, "found the columns 'other'"),
        ({"text": [1]}, "column 'text': found type int64"),
        ({"text": ["a", None]}, "row 2, column 'text': found null"),
    ],
)
def test_a_bad_table_is_named(
    tmp_path: Path, columns: dict[str, list[object]], problem: str
) -> None:
    path = _parquet(tmp_path / "a.parquet", columns)

    with pytest.raises(InputError, match=problem):
        list(read_answers(path))


def test_a_broken_parquet_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 but not really")

    with pytest.raises(InputError, match=r"a\.parquet: found .* expected a readable Parquet file"):
        list(read_answers(path))


def test_a_folder_without_parquet_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no Parquet file"):
        list(read_answers(tmp_path))

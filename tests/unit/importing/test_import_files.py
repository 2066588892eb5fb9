"""Captured rows out of every kind of file, each at its own place."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from captures import capture, csv_file, json_file, parquet_file

from brand_visibility.adapters.importing.faults import RowFault
from brand_visibility.adapters.importing.lines import lines_of
from brand_visibility.adapters.importing.records import Record, read_records
from brand_visibility.domain.errors import InputError


def records(path: Path) -> list[Record]:
    return [record for record in read_records(path) if isinstance(record, Record)]


def bad_lines(path: Path) -> list[int]:
    return [record.line for record in read_records(path) if isinstance(record, RowFault)]


def written(folder: Path, content: bytes, name: str = "app.csv") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("write", [json_file, csv_file, parquet_file])
def test_the_same_rows_come_out_of_every_kind_of_file(tmp_path: Path, write: object) -> None:
    rows = [capture(), capture(text='says "no", twice\nand\x00more', repeat="1")]
    for row in rows:
        row.setdefault("repeat", "0")

    path = write(tmp_path, rows)  # type: ignore[operator]

    assert [dict(record.values) for record in records(path)] == rows


def test_a_csv_row_is_named_by_the_line_on_which_it_begins(tmp_path: Path) -> None:
    path = written(tmp_path, b'text,repeat\r\n"one\r\ntwo\r\n",0\r\n\r\nthree,1\r\n')

    assert [(record.line, record.values["text"]) for record in records(path)] == [
        (2, "one\r\ntwo\r\n"),
        (6, "three"),
    ]


def test_a_json_row_is_named_by_its_line_and_blank_lines_are_none(tmp_path: Path) -> None:
    path = json_file(tmp_path, [capture(), "", capture()])

    assert [record.line for record in records(path)] == [1, 3]


@pytest.mark.parametrize("name", ["app.csv", "app.jsonl"])
def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path, name: str) -> None:
    rows = {"app.csv": b"text\nyes\n", "app.jsonl": b'{"text": "yes"}\n'}

    (record,) = records(written(tmp_path, b"\xef\xbb\xbf" + rows[name], name))

    assert record.values == {"text": "yes"}


@pytest.mark.parametrize("cell", ["", "  "])
def test_an_empty_cell_and_a_null_are_as_good_as_absent(tmp_path: Path, cell: str) -> None:
    in_csv = csv_file(tmp_path, [{"text": "yes", "model": cell}])
    in_json = json_file(tmp_path, [{"text": "yes", "model": None}])
    table = pa.table({"text": ["yes"], "model": pa.array([None], pa.string())})
    pq.write_table(table, tmp_path / "app.parquet")

    for path in (in_csv, in_json, tmp_path / "app.parquet"):
        assert [record.values for record in records(path)] == [{"text": "yes"}]


@pytest.mark.parametrize(
    ("content", "bad"),
    [
        (b"text,repeat\nfine,0\nshort\nfine,0\n", [3]),
        (b"text,repeat\nfine,0\na,b,c\nfine,0\n", [3]),
        (b'text,repeat\nfine,0\n"a"b,0\nfine,0\n', [3]),
        (b'text,repeat\nfine,0\nfine,0\n"never closed,0\n', [4]),
    ],
    ids=["too few cells", "too many cells", "text after a quote", "an open quote"],
)
def test_a_broken_csv_row_is_a_fault_and_the_others_are_read(
    tmp_path: Path, content: bytes, bad: list[int]
) -> None:
    path = written(tmp_path, content)

    assert bad_lines(path) == bad
    assert [record.values["text"] for record in records(path)] == ["fine", "fine"]


@pytest.mark.parametrize(
    "line",
    ["{", "[1]", '"text"', "7", "null", "NaN", "[" * 5_000, '{"text": "\\ud800"}'],
)
def test_a_broken_json_line_is_a_fault_and_the_others_are_read(tmp_path: Path, line: str) -> None:
    path = json_file(tmp_path, [capture(), line, capture()])

    assert bad_lines(path) == [2]
    assert [record.line for record in records(path)] == [1, 3]


def test_bytes_that_are_no_utf_8_spoil_their_own_row_only(tmp_path: Path) -> None:
    in_csv = written(tmp_path, b"text\nfine\nb\xe9d\nfine\n")
    in_json = written(tmp_path, b'{"text": "b\xe9d"}\n{"text": "fine"}\n', "app.jsonl")

    texts = [record.values["text"] for record in records(in_csv)]
    assert texts == ["fine", "b\udce9d", "fine"]
    assert bad_lines(in_json) == [1]


def test_a_parquet_value_that_cannot_be_read_is_a_fault_of_its_row(tmp_path: Path) -> None:
    broken = pa.array([b"fine", b"\xff"], pa.binary()).cast(pa.string(), safe=False)
    pq.write_table(pa.table({"text": pa.StringArray.from_buffers(2, *broken.buffers()[1:])}),
                   tmp_path / "app.parquet")  # fmt: skip

    assert bad_lines(tmp_path / "app.parquet") == [2]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_parquet_times_of_any_precision_are_read(tmp_path: Path, unit: str) -> None:
    moments = pa.array([1_764_000_000], pa.int64()).cast(pa.timestamp("s", "UTC"))
    table = pa.table({"text": ["a"], "captured_at": moments.cast(pa.timestamp(unit, "UTC"))})
    pq.write_table(table, tmp_path / "app.parquet")

    (record,) = records(tmp_path / "app.parquet")

    assert str(record.values["captured_at"]) == "2025-11-24 16:00:00+00:00"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("app.csv", b"", "found an empty file"),
        ("app.csv", b"text,txt\na,b\n", "header: found the unknown column 'txt'"),
        ("app.csv", b"text;date\na;b\n", "found the unknown column 'text;date'"),
        ("app.csv", b"text,text\na,b\n", "header: found the column text 2 times"),
        ("app.parquet", b"PAR1", "a readable Parquet file"),
        ("app.xlsx", b"", "found suffix '.xlsx'"),
    ],
)
def test_a_file_with_other_columns_is_refused_as_a_whole(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        list(read_records(written(tmp_path, content, name)))


def test_a_file_that_is_not_there_is_said_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl: found No such file"):
        list(read_records(tmp_path / "none.jsonl"))


@pytest.mark.parametrize(("size", "kept"), [(7, 8), (8, 8), (9, 8), (80, 8)])
def test_what_a_line_has_beyond_its_bound_is_passed_over(
    tmp_path: Path, size: int, kept: int
) -> None:
    path = written(tmp_path, b"x" * size + b"\nnext\n")

    with path.open("rb") as file:
        first, *others = lines_of(file, longest=8)

    assert len(first) == kept
    assert others == [b"next\n"]

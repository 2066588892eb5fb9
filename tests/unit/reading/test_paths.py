import pytest
from readers import surfaces

from brand_visibility.reading.paths import is_in_path


@pytest.mark.parametrize(
    ("text", "is_path"),
    [
        ("lives in /data/nike/2024.", True),
        ("/nike/2024", True),
        ("~/nike/a", True),
        ("../nike/a", True),
        (r"c:\data\nike", True),
        ("reports/nike/a.csv", True),
        ("reports/nike/a.csv, b", True),
        ("nike/a.xyz", False),
        ("/nike", False),
        ("tesla/nike", False),
        ("tesla/nike/adidas", False),
        ("特斯拉/nike/adidas", False),
        ("and /nike/", False),
        ("/data/ nike", False),
    ],
)
def test_a_name_in_a_path_is_told_from_one_beside_a_slash(text: str, *, is_path: bool) -> None:
    start = text.index("nike")

    assert is_in_path(text, start, start + len("nike")) is is_path


def test_a_path_names_no_brand() -> None:
    assert surfaces("The Tesla files are in /data/nike/2024, Sony/KFC are not.") == [
        "Tesla",
        "Sony",
        "KFC",
    ]


def test_a_long_path_is_read_in_part_only() -> None:
    text = "/a" * 100_000 + "/nike/b"
    start = text.index("nike")

    assert is_in_path(text, start, start + 4) is False

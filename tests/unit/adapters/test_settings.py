"""Settings from the environment."""

from datetime import time
from pathlib import Path

import pytest

from brand_visibility.adapters.settings import read_settings
from brand_visibility.domain.errors import InputError


def test_an_empty_environment_gives_a_laptop() -> None:
    settings = read_settings({})

    assert settings.database_url is None
    assert (settings.timezone, settings.deadline_at) == ("Asia/Shanghai", time(8, 0))
    assert settings.lake_root == Path("var/lake")


def test_variables_are_read_by_their_prefixed_names() -> None:
    settings = read_settings(
        {
            "BRAND_VISIBILITY_HOME": "/srv/bv",
            "BRAND_VISIBILITY_NIGHT_STARTS_AT": "01:30",
            "BRAND_VISIBILITY_SHARD_COUNT": "4",
            "HOME": "/root",
        }
    )

    assert settings.lake_root == Path("/srv/bv/lake")
    assert (settings.night_starts_at, settings.shard_count) == (time(1, 30), 4)


def test_an_empty_variable_is_an_unset_one() -> None:
    assert read_settings({"BRAND_VISIBILITY_DATABASE_URL": ""}).database_url is None


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("TIMEZONE", "Mars/Olympus", "an IANA timezone"),
        ("TIMEZONE", "../etc/passwd", "an IANA timezone"),
        ("DEADLINE_AT", "8 o'clock", "a time of day such as 08:00"),
        ("DEADLINE_AT", "24:00", "hour"),
        ("DEADLINE_AT", "28800", "a time of day such as 08:00"),
        ("SHARD_COUNT", "0", "greater than or equal to 1"),
        ("SHARD_COUNT", "101", "less than or equal to 100"),
        ("SHARD_COUNT", "many", "integer"),
        ("START_DATE", "soon", "date"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_with_what_is_expected(
    name: str, value: str, expected: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_settings({f"BRAND_VISIBILITY_{name}": value})

    message = str(caught.value)
    assert f"BRAND_VISIBILITY_{name}: found {value!r}" in message
    assert expected in message


@pytest.mark.parametrize("count", ["1", "100"])
def test_shard_counts_at_the_bounds_are_taken(count: str) -> None:
    assert read_settings({"BRAND_VISIBILITY_SHARD_COUNT": count}).shard_count == int(count)


def test_another_database_is_refused_without_showing_its_password() -> None:
    url = "mysql://user:canary@host/db"  # pragma: allowlist secret

    with pytest.raises(InputError, match="postgresql://user:password@host") as caught:
        read_settings({"BRAND_VISIBILITY_DATABASE_URL": url})

    assert "canary" not in str(caught.value)


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(InputError, match=r"(?s)SHARD_COUNT.*TIMEZONE|TIMEZONE.*SHARD_COUNT"):
        read_settings({"BRAND_VISIBILITY_SHARD_COUNT": "x", "BRAND_VISIBILITY_TIMEZONE": "x"})


def test_a_password_in_the_database_url_is_not_shown() -> None:
    url = "postgresql://user:canary@host/db"  # pragma: allowlist secret

    assert "canary" not in repr(read_settings({"BRAND_VISIBILITY_DATABASE_URL": url}))

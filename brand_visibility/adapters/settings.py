"""Settings of a deployment, read from environment variables by name.

What varies per customer belongs to the catalog; what varies per run belongs to run
configuration; secrets are read where they are used.
"""

import os
import re
from collections.abc import Mapping
from datetime import date, time
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from brand_visibility.domain.errors import InputError

PREFIX = "BRAND_VISIBILITY_"
DATABASE_URL = f"{PREFIX}DATABASE_URL"
SIMULATOR_URL = f"{PREFIX}SIMULATOR_URL"
ALERT_WEBHOOK_URL = f"{PREFIX}ALERT_WEBHOOK_URL"

_CLOCK_TIME = re.compile(r"^\d{1,2}:\d{2}$")


def _clock_time(value: object) -> object:
    if isinstance(value, str) and not _CLOCK_TIME.match(value):
        raise ValueError("a time of day such as 08:00 is expected")
    return value


TimeOfDay = Annotated[time, BeforeValidator(_clock_time)]


class Settings(BaseModel):
    """One deployment. Every field is the variable of its name in capitals, prefixed.

    `timezone` rules the day's bounds and the three times of day: `night_starts_at` when
    collection begins, `cut_off_at` when what is missing is cut, `deadline_at` when the
    figures are owed. `start_date` is the first partition.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    home: Path = Path("var")
    catalog: Path = Path("examples/catalog")
    database_url: str | None = Field(default=None, repr=False)
    simulator_url: str | None = None
    timezone: str = "Asia/Shanghai"
    night_starts_at: TimeOfDay = time(0, 5)
    cut_off_at: TimeOfDay = time(7, 30)
    deadline_at: TimeOfDay = time(8, 0)
    start_date: date = date(2026, 11, 1)
    shard_count: int = Field(default=10, ge=1, le=100)
    deadline_lookback_days: int = Field(default=3, ge=0, le=30)
    judge_random_rate: float = Field(default=0.05, ge=0, le=1)
    judge_most_per_day: int = Field(default=1_000, ge=1, le=100_000)

    @field_validator("database_url")
    @classmethod
    def _is_postgresql(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(
            ("postgresql://", "postgresql+", "postgres:")
        ):
            raise ValueError("a URL such as postgresql://user:password@host:5432/name is expected")
        return value

    @field_validator("timezone")
    @classmethod
    def _is_known_timezone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError("an IANA timezone such as Asia/Shanghai is expected") from error
        return value

    @property
    def zone(self) -> ZoneInfo:
        """The timezone as an object."""
        return ZoneInfo(self.timezone)

    @property
    def lake_root(self) -> Path:
        """Folder of the Parquet datasets."""
        return self.home / "lake"

    @property
    def report_root(self) -> Path:
        """Folder of the HTML pages."""
        return self.home / "reports"


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of the environment, the process's own by default.

    Raises InputError that names every variable that cannot be used.
    """
    source = os.environ if environment is None else environment
    values = {
        name: source[PREFIX + name.upper()]
        for name in Settings.model_fields
        if source.get(PREFIX + name.upper())
    }
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        raise InputError(_explain(error)) from None


def _explain(error: ValidationError) -> str:
    lines = []
    for item in error.errors(include_url=False, include_context=False):
        name = PREFIX + str(item["loc"][0]).upper()
        # A database's URL may hold a password.
        found = "a text" if name == DATABASE_URL else repr(item["input"])
        message = item["msg"].removeprefix("Value error, ")
        lines.append(f"environment variable {name}: found {found}; {message}")
    return "\n".join(lines)

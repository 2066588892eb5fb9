"""The shape of one imported row.

Whether its question was asked belongs to `asked`; how rows lie in files, to `records`. A
cell of a spreadsheet is text whatever it starts with: nothing here evaluates anything.
"""

import re
from datetime import UTC, date, datetime
from typing import Annotated

import orjson
from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from brand_visibility.adapters.catalog.fields import Door, Id, Text, refusal

LONGEST_TEXT_BYTES = 8 * 2**20

_MOST_SOURCES = 1_000
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_WHOLE_NUMBER = re.compile(r"\d{1,9}\Z")
_WEB_ADDRESS = re.compile(r"https?://[^\s\x00-\x1f\x7f]+\Z", re.IGNORECASE)

_A_LIST = 'a list of web addresses or of {"url", "title"}'


def _answer(text: str) -> str:
    if not text.strip():
        raise refusal("an answer that is not empty")
    size = len(text.encode())
    if size > LONGEST_TEXT_BYTES:
        expected = f"at most {LONGEST_TEXT_BYTES:,} bytes of UTF-8"
        raise refusal(expected, found=f"a text of {size:,} bytes")
    return text


def _day(value: object) -> object:
    if isinstance(value, datetime):
        raise refusal("a date without a time of day, such as 2026-01-31")
    if not isinstance(value, str):
        return value
    try:
        if _DATE.match(value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise refusal("a date such as 2026-01-31")


def _moment(value: object) -> object:
    expected = "a time with its offset from UTC, such as 2026-01-31T09:15:00+08:00"
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        # Years at the ends of the calendar cannot be written in every timezone.
        if isinstance(moment, datetime) and moment.tzinfo and 1 < moment.year < 9999:
            return moment.astimezone(UTC)
    except ValueError as error:
        raise refusal(expected) from error
    raise refusal(expected)


def _whole_number(value: object) -> object:
    if isinstance(value, str) and value.isascii() and _WHOLE_NUMBER.match(value):
        return int(value)
    # A column with gaps comes out of many tools as floating point.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _yes_or_no(value: object) -> object:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.casefold(), value)
    return value


def _source_list(value: object) -> object:
    if isinstance(value, str):
        value = _split(value)
    if not isinstance(value, list | tuple):
        raise refusal(_A_LIST)
    if len(value) > _MOST_SOURCES:
        raise refusal(f"at most {_MOST_SOURCES:,} sources", found=f"{len(value):,} sources")
    return tuple({"url": item} if isinstance(item, str) else item for item in value)


def _split(cell: str) -> object:
    if not cell.lstrip().startswith("["):
        return cell.split()
    try:
        found: object = orjson.loads(cell)
    except ValueError as error:
        raise refusal(_A_LIST) from error
    return found


def _web_address(text: str) -> str:
    if not _WEB_ADDRESS.match(text):
        raise refusal("a web address such as https://example.com/page")
    return text


class SourceEntry(Door):
    """A page that the app showed for an answer."""

    url: Annotated[str, StringConstraints(max_length=10_000), AfterValidator(_web_address)]
    title: Annotated[str, StringConstraints(max_length=10_000)] | None = None


Day = Annotated[date, BeforeValidator(_day)]
Moment = Annotated[datetime, BeforeValidator(_moment)]
Prompt = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
AnswerText = Annotated[str, StringConstraints(min_length=0), AfterValidator(_answer)]
Repeat = Annotated[int, BeforeValidator(_whole_number), Field(ge=0, le=9_999)]
Sources = Annotated[tuple[SourceEntry, ...], BeforeValidator(_source_list)]
Searched = Annotated[bool, BeforeValidator(_yes_or_no)]
Label = Annotated[Text, StringConstraints(max_length=200)]


class ImportRow(Door):
    """One captured answer as written. What is left out is None.

    `repeat` tells several captures of one question on one day apart.
    """

    platform_id: Id | None = None
    date: Day | None = None
    prompt: Prompt | None = None
    question_id: Id | None = None
    brand_id: Id | None = None
    text: AnswerText
    captured_at: Moment | None = None
    model: Label | None = None
    repeat: Repeat = 0
    sources: Sources = ()
    searched: Searched | None = None
    captured_by: Label | None = None
    app_version: Label | None = None


COLUMNS = tuple(ImportRow.model_fields)

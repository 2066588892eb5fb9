"""The kinds of text, list and number that catalog files are made of.

Each type here raises pydantic errors that word themselves (see `refusal`). Which field
has which type belongs to `models` and `platform_models`.
"""

import re
import unicodedata
from datetime import date
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from brand_visibility.adapters.catalog.faults import describe

T = TypeVar("T", bound=str)

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LABEL = re.compile(r"(?!-)[^\W_](?:[^\W_]|-){0,62}(?<!-)\Z")
_CURRENCY = re.compile(r"[A-Z]{3}\Z")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z")


class Door(BaseModel):
    """Base of every shape read from a file: no unknown fields, no guessed types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


def refusal(expected: str, *, found: str | None = None) -> PydanticCustomError:
    """Return the error of a validator: what was expected and, if not the input, found."""
    context = {"expected": expected} if found is None else {"expected": expected, "found": found}
    return PydanticCustomError("refused", "refused", context)


def fold(text: str) -> str:
    """Return the text as it is compared regardless of case and width."""
    return unicodedata.normalize("NFKC", text).casefold()


def _id(text: str) -> str:
    if not _ID.match(text):
        raise refusal("an id of 1 to 64 of a-z, 0-9, '_' and '-' that starts with a-z or 0-9")
    return text


def _printable(text: str) -> str:
    if _CONTROL.search(text):
        raise refusal("text without control characters")
    return text


def _host_name(text: str) -> str:
    labels = text.split(".")
    is_host = len(text) <= 253 and len(labels) > 1 and all(map(_LABEL.match, labels))
    if not is_host or labels[-1].isdigit():
        raise refusal("a host name such as example.com")
    return text.lower()


def _language(text: str) -> str:
    if not _LANGUAGE.match(text):
        raise refusal("a language tag such as zh or en")
    return text


def _iso_date(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise refusal("a date such as 2026-01-31") from error


def _currency(code: str) -> str:
    if not _CURRENCY.match(code):
        raise refusal("a currency of three capital letters such as USD or CNY")
    return code


def _distinct(items: list[str]) -> list[str]:
    seen: set[str] = set()
    for item in items:
        if item in seen:
            raise refusal("each value once", found=f"{describe(item)} twice")
        seen.add(item)
    return items


Id = Annotated[str, AfterValidator(_id)]
Text = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_printable)
]
HostName = Annotated[str, AfterValidator(_host_name)]
Language = Annotated[str, AfterValidator(_language)]
IsoDate = Annotated[str, AfterValidator(_iso_date)]
Distinct = Annotated[list[T], AfterValidator(_distinct)]
Currency = Annotated[str, AfterValidator(_currency)]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
PositiveInt = Annotated[int, Field(ge=1)]

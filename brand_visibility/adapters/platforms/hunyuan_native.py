"""Tencent Hunyuan through Tencent Cloud's own API, `ChatCompletions` of 2023-09-01.

Its own: the account's key is `SecretId:SecretKey`, and every call is signed with it. Names
of fields are in capitals, the catalog's parameters too: `EnableEnhancement`, `Citation`,
`SearchInfo`, `ForceSearchEnhancement`. The parameter `Region` is sent as a header. Every body
is `{"Response": {…}}`, and an error inside decides, whatever the status is.

Searching is certain when pages are named. Without them it is unknown: pages are only named
when the request asked for them, and the request is not seen here.

Sources: tencentcloud.com, documents 1284/75542 and 1284/75543.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import urlsplit

import orjson

from brand_visibility.adapters.platforms import bodies
from brand_visibility.adapters.platforms.adapter import Adapter, Asking
from brand_visibility.adapters.platforms.chat import (
    Json,
    Reading,
    conclude,
    failed,
    failure,
    pages_found,
)
from brand_visibility.adapters.platforms.tencent_signature import (
    SignedCall,
    authorization,
    read_credential,
)
from brand_visibility.adapters.platforms.verdicts import ErrorReport, Row, Table
from brand_visibility.adapters.platforms.wire import WireRequest, WireResponse
from brand_visibility.domain.catalog import Platform
from brand_visibility.domain.errors import InputError
from brand_visibility.domain.outcomes import Outcome, Reason, Usage

_SERVICE = "hunyuan"
_ACTION = "ChatCompletions"
_VERSION = "2023-09-01"
_CONTENT_TYPE = "application/json; charset=utf-8"
_REGION = "Region"
_REGION_NAME = re.compile(r"[A-Za-z0-9-]+")

_RATE = r"(request)?limitexceeded(\..+)?|failedoperation\.engineserverlimitexceeded"
_QUOTA = r"failedoperation\.(servicestoparrears|(free)?resourcepackexhausted)"
_CREDENTIAL = (
    r"authfailure(\..+)?|unauthorizedoperation(\..+)?"
    r"|failedoperation\.(servicenotactivated|servicestop)"
)
_REQUEST = r"(invalid|missing|unknown)parameter(value)?(\..+)?|unsupportedoperation(\..+)?"

VERDICTS: Table = (
    Row(Reason.BLOCKED, codes=r"operationdenied\..*illegaldetected"),
    Row(Reason.RATE_LIMITED, codes=_RATE),
    Row(Reason.QUOTA_EXHAUSTED, codes=_QUOTA),
    Row(Reason.UNAUTHORIZED, codes=_CREDENTIAL),
    # The numbers stand in `ErrorMsg`: what went wrong after the call was taken on.
    Row(Reason.TIMED_OUT, codes=r"failedoperation\.enginerequesttimeout|4001"),
    Row(Reason.SERVER_FAULT, codes=r"internalerror(\..+)?|failedoperation\.engineservererror|4000"),
    Row(Reason.REJECTED, codes=_REQUEST),
)


def build(asking: Asking) -> WireRequest:
    """Return the signed request that asks a query. Without a key it is not signed.

    Raises InputError when the key is not `SecretId:SecretKey` or the region is no name.
    """
    body = orjson.dumps(_asked(asking))
    timestamp = int(asking.now.timestamp())
    signed = {
        "Content-Type": _CONTENT_TYPE,
        # Sent as it is signed, whatever a client would make of the address.
        "Host": urlsplit(asking.base_url).netloc,
        "X-TC-Action": _ACTION,
    }
    headers = {**signed, "X-TC-Version": _VERSION, "X-TC-Timestamp": str(timestamp)}
    headers |= _region_of(asking.platform)
    if asking.key:
        call = SignedCall(_SERVICE, timestamp, signed, body)
        headers["Authorization"] = authorization(call, read_credential(asking.key))
    return WireRequest("POST", asking.base_url.rstrip("/") + "/", headers, body)


def _asked(asking: Asking) -> Json:
    parameters = asking.platform.parameters
    return {
        **{name: value for name, value in parameters.items() if name != _REGION},
        "Model": asking.platform.model,
        "Messages": [{"Role": "user", "Content": asking.query.prompt}],
        "Stream": False,
    }


def _region_of(platform: Platform) -> Mapping[str, str]:
    region = platform.parameters.get(_REGION)
    if region is None:
        return {}
    if isinstance(region, str) and _REGION_NAME.fullmatch(region):
        return {"X-TC-Region": region}
    raise InputError(
        f"platform {platform.platform_id}: parameters.{_REGION}: found {region!r};"
        f" expected a region's name, such as ap-guangzhou"
    )


def parse(response: WireResponse, now: datetime) -> Outcome:
    """Return what a response means. Never raises, whatever the bytes are."""
    content = bodies.mapping(bodies.mapping(bodies.load(response.body)).get("Response"))
    report = _error_in(content)
    if report is not None or not response.is_success:
        return failed(response, report or ErrorReport(), now, VERDICTS)
    choice = bodies.first(content.get("Choices"))
    if choice is None:
        return failure(response, Reason.MALFORMED, "the body has no Response.Choices")
    return conclude(response, _reading(response, content, choice))


def _reading(response: WireResponse, content: Json, choice: Json) -> Reading:
    usage = bodies.mapping(content.get("Usage"))
    pages = bodies.mapping(content.get("SearchInfo")).get("SearchResults")
    return Reading(
        text=bodies.text(bodies.mapping(choice.get("Message")).get("Content")),
        finish_reason=bodies.name(choice.get("FinishReason")),
        request_id=bodies.request_id(response, content.get("RequestId")),
        usage=Usage(
            bodies.count(usage.get("PromptTokens")), bodies.count(usage.get("CompletionTokens"))
        ),
        findings=pages_found(pages, url="Url", title="Title", index="Index"),
    )


def _error_in(content: Json) -> ErrorReport | None:
    """Find what went wrong: before the call was taken on, or after."""
    error, message = content.get("Error"), content.get("ErrorMsg")
    if error:
        said = bodies.mapping(error)
        return ErrorReport(bodies.code(said.get("Code")), "", bodies.text(said.get("Message")))
    if message:
        said = bodies.mapping(message)
        return ErrorReport(bodies.code(said.get("Code")), "", bodies.text(said.get("Msg")))
    return None


ADAPTER = Adapter(
    build,
    parse,
    base_url="https://hunyuan.tencentcloudapi.com/",
    hosts=("hunyuan.tencentcloudapi.com",),
    key_form="SecretId:SecretKey",
)

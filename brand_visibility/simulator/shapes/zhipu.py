"""Zhipu: a number in the body says what is wrong, and a list beside the answer what it read."""

from brand_visibility.simulator.shapes.chat import ChatRequest, ChatShape, Json, Manner, no_wait
from brand_visibility.simulator.shapes.errors import OPENAI_ERRORS, Errors, Named
from brand_visibility.simulator.shapes.shape import Given, Question, Trouble

_ERRORS: Errors = {
    **OPENAI_ERRORS,
    Trouble.RATE_LIMITED: Named(429, "1302", "", "您的账户已达到并发限制"),
    Trouble.UNKNOWN_RATE_LIMIT: Named(429, "1399", "", "请求被限制"),
    # Arrears come under the status of a refused rate.
    Trouble.NO_QUOTA: Named(429, "1113", "", "您的账户已欠费,请充值后重试。"),
    Trouble.SERVER_FAULT: Named(500, "1234", "", "网络错误,请稍后重试"),
}


def _question(request: ChatRequest, prompt: str) -> Question:
    may_search = any(tool.get("type") == "web_search" for tool in request.tools)
    return Question(prompt, may_search=may_search)


def _body(given: Given) -> Json:
    if not given.shown_pages:
        return {}
    pages = [
        {
            "title": page.title,
            "link": page.url,
            "content": page.snippet,
            "media": page.host,
            "refer": f"ref_{place}",
        }
        for place, page in enumerate(given.shown_pages, start=1)
    ]
    return {"web_search": pages}


SHAPE = ChatShape(
    Manner(
        errors=_ERRORS, question=_question, body=_body, blocked="sensitive", wait_headers=no_wait
    )
)

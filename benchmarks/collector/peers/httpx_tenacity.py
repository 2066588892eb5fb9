"""httpx with tenacity's decorator inside the slot, and a leaky bucket before each try."""

import asyncio

import httpx
from aiolimiter import AsyncLimiter
from files import Answers, read_call, write_answers
from tenacity import (
    RetryCallState,
    RetryError,
    retry,
    retry_if_exception_type,
    stop_after_attempt,
    wait_random_exponential,
)

_BACKOFF = wait_random_exponential(multiplier=1, max=10)


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, httpx.HTTPStatusError) and "retry-after" in error.response.headers:
        return float(error.response.headers["retry-after"])
    return _BACKOFF(state)


async def ask(base_url: str, questions: dict[str, str]) -> Answers:
    """Hold a slot of 400 for a question until it is answered or has failed six times."""
    answers: Answers = {}
    slots, bucket = asyncio.Semaphore(400), AsyncLimiter(200, 1)
    limits = httpx.Limits(max_connections=400, max_keepalive_connections=400)
    client = httpx.AsyncClient(timeout=httpx.Timeout(60, pool=None), limits=limits)

    @retry(wait=_wait, stop=stop_after_attempt(6), retry=retry_if_exception_type(httpx.HTTPError))
    async def call(question: str) -> str:
        async with bucket:
            reply = await client.post(
                f"{base_url}/chat/completions",
                json={"model": "bench", "messages": [{"role": "user", "content": question}]},
            )
        reply.raise_for_status()
        return str(reply.json()["choices"][0]["message"]["content"])

    async def one(key: str, question: str) -> None:
        async with slots:
            try:
                answers[key] = await call(question)
            except RetryError:
                return

    async with client:
        await asyncio.gather(*(one(key, text) for key, text in questions.items()))
    return answers


if __name__ == "__main__":
    url, asked, file = read_call()
    write_answers(file, asyncio.run(ask(url, asked)))

"""flexllm: its batch call with a limit of queries a second."""

import asyncio

from files import Answers, read_call, write_answers
from flexllm import LLMClient


async def ask(base_url: str, questions: dict[str, str]) -> Answers:
    """Ask 400 at a time and 200 a second, with five retries."""
    client = LLMClient(
        provider="openai",
        base_url=base_url,
        api_key="none",
        model="bench",
        concurrency_limit=400,
        max_qps=200,
        timeout=60,
        fallback=False,
        retry_times=5,
    )
    messages = [[{"role": "user", "content": text}] for text in questions.values()]
    results = await client.chat_completions_batch(messages, show_progress=False)
    answered = zip(questions, results, strict=True)
    return {key: text for key, text in answered if isinstance(text, str)}


if __name__ == "__main__":
    url, asked, file = read_call()
    write_answers(file, asyncio.run(ask(url, asked)))

"""The vendor's SDK behind a leaky bucket of 200 a second and a semaphore of 400."""

import asyncio

import openai
from aiolimiter import AsyncLimiter
from files import Answers, read_call, write_answers


async def ask(base_url: str, questions: dict[str, str]) -> Answers:
    """Enter the bucket before each call; the SDK's own retries do not pass it again."""
    answers: Answers = {}
    slots, bucket = asyncio.Semaphore(400), AsyncLimiter(200, 1)
    client = openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=5, timeout=60)

    async def one(key: str, question: str) -> None:
        async with slots, bucket:
            try:
                reply = await client.chat.completions.create(
                    model="bench", messages=[{"role": "user", "content": question}]
                )
            except openai.OpenAIError:
                return
            answers[key] = reply.choices[0].message.content or ""

    async with client:
        await asyncio.gather(*(one(key, text) for key, text in questions.items()))
    return answers


if __name__ == "__main__":
    url, asked, file = read_call()
    write_answers(file, asyncio.run(ask(url, asked)))

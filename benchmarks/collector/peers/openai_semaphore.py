"""The vendor's SDK, its own retries, and a semaphore around each call."""

import asyncio

import openai
from files import Answers, read_call, write_answers


async def ask(base_url: str, questions: dict[str, str]) -> Answers:
    """Ask at most 200 at a time; the SDK retries 429, 5xx and lost connections."""
    answers: Answers = {}
    slots = asyncio.Semaphore(200)
    client = openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=5, timeout=60)

    async def one(key: str, question: str) -> None:
        async with slots:
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

"""async-batch-llm: its worker pool, request quota and retries by cause."""

import asyncio

from async_batch_llm import ProcessorConfig, RateLimitConfig, RetryConfig, llm, process_prompts
from files import Answers, read_call, write_answers


async def ask(base_url: str, questions: dict[str, str]) -> Answers:
    """Ask 400 at a time within a quota of 12,000 a minute, with a burst of one second."""
    config = ProcessorConfig(
        concurrency=400,
        max_requests_per_minute=12_000,
        quota_burst_seconds=1.0,
        retry=RetryConfig(max_attempts=6, initial_wait=1.0),
        # Its default pauses everybody for five minutes after one refusal.
        rate_limit=RateLimitConfig(cooldown_seconds=1.0),
        attempt_timeout=60,
    )
    strategy = llm("openai-compatible:bench", base_url=base_url, api_key="none")
    prompts = list(questions.items())
    batch = await process_prompts(strategy, prompts, config=config)
    return {result.item_id: result.output for result in batch.results if result.success}


if __name__ == "__main__":
    url, asked, file = read_call()
    write_answers(file, asyncio.run(ask(url, asked)))

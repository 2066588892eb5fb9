"""bespokelabs-curator: its online processor with limits of requests a minute.

It downloads a tokenizer when it starts. A stand-in takes its place, so that no run depends
on a network: the limit of tokens is set too high to matter.
"""

import os
import tempfile

from files import Answers, read_call, write_answers


class _Bytes:
    """Encodes a text as its bytes: about four tokens for each one that is right."""

    def encode(self, text: str, **_: object) -> list[int]:
        return list(text.encode())


def ask(base_url: str, questions: dict[str, str], cache: str) -> Answers:
    """Ask 400 at a time within 12,000 requests a minute; nothing is cached or reported."""
    os.environ |= {
        "CURATOR_CACHE_DIR": cache,
        "CURATOR_DISABLE_RICH_DISPLAY": "1",
        "CURATOR_DISABLE_CACHE": "1",
        "TELEMETRY_ENABLED": "0",
        "OPENAI_API_KEY": "none",
        "HF_DATASETS_CACHE": cache,
    }
    # It reads its settings when it is imported.
    import tiktoken

    tiktoken.get_encoding = tiktoken.encoding_for_model = lambda _: _Bytes()
    from bespokelabs import curator
    from datasets import Dataset

    class Asker(curator.LLM):
        def prompt(self, row: dict[str, str]) -> str:
            return row["question"]

        def parse(self, row: dict[str, str], response: str) -> dict[str, str]:
            return {"id": row["id"], "text": response}

    asker = Asker(
        model_name="gpt-4o-mini",
        backend="openai",
        backend_params={
            "base_url": base_url,
            "api_key": "none",
            "max_requests_per_minute": 12_000,
            "max_tokens_per_minute": 100_000_000,
            "max_concurrent_requests": 400,
            "max_retries": 5,
            "require_all_responses": False,
            "request_timeout": 60,
        },
    )
    rows = [{"id": key, "question": text} for key, text in questions.items()]
    replied = asker(Dataset.from_list(rows))
    table = getattr(replied, "dataset", replied)
    return {row["id"]: row["text"] for row in table}


if __name__ == "__main__":
    url, asked, file = read_call()
    with tempfile.TemporaryDirectory(prefix="bench-curator-") as folder:
        write_answers(file, ask(url, asked, folder))

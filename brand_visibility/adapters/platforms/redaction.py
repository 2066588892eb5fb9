"""Answers made free of keys: a platform that echoes one must not bring it into the records.

Details of failures are kept short and free of prompts besides, see `texts`.
"""

from dataclasses import replace

from brand_visibility.domain.outcomes import Answer, Source

_HIDDEN = "…"

# A part of a key that is shorter could stand in any text; those of real keys are longer.
_SHORTEST_SECRET = 8


def without_key(answer: Answer, key: str) -> Answer:
    """Return an answer in which neither the key nor a part of it around `:` stands."""
    secrets = _secrets(key)
    shown = (answer.text, answer.model, answer.finish_reason, answer.request_id)
    is_clean = not any(
        secret.encode() in answer.raw_body
        or any(secret in text for text in shown if text)
        or any(secret in source.url or secret in (source.title or "") for source in answer.sources)
        for secret in secrets
    )
    return answer if is_clean else _cleaned(answer, secrets)


def _secrets(key: str) -> list[str]:
    parts = {key, *key.split(":")}
    return sorted((part for part in parts if len(part) >= _SHORTEST_SECRET), key=len, reverse=True)


def _cleaned(answer: Answer, secrets: list[str]) -> Answer:
    def clean(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, _HIDDEN)
        return text

    def clean_source(source: Source) -> Source:
        return replace(source, url=clean(source.url), title=source.title and clean(source.title))

    raw_body = answer.raw_body
    for secret in secrets:
        raw_body = raw_body.replace(secret.encode(), _HIDDEN.encode())
    return replace(
        answer,
        text=clean(answer.text),
        model=answer.model and clean(answer.model),
        finish_reason=answer.finish_reason and clean(answer.finish_reason),
        request_id=answer.request_id and clean(answer.request_id),
        sources=tuple(map(clean_source, answer.sources)),
        raw_body=raw_body,
    )

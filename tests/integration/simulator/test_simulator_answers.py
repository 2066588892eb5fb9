import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import pytest

from brand_visibility.adapters.catalog.loader import load_catalog
from brand_visibility.domain.catalog import Catalog, QuestionKind
from brand_visibility.reading.gazetteer import Gazetteer, build_gazetteer
from brand_visibility.reading.reader import read_answer
from brand_visibility.simulator.recorded import RecordedAnswers
from brand_visibility.simulator.repertoire import build_repertoire
from brand_visibility.simulator.settings import FaultKind, PlatformBehaviour
from brand_visibility.simulator.simulator import Simulator
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers
from tests.phone_market import CHINESE_PROMPT, PHONE_BRANDS, a_market

Start = Callable[..., Simulator]


@pytest.fixture
def example(repository: Path) -> Catalog:
    return load_catalog(repository / "examples" / "catalog")


def written(catalog: Catalog) -> WrittenAnswers:
    return WrittenAnswers(build_repertoire(catalog), seed=3, odds=MentionOdds(3))


def content(response: httpx.Response) -> str:
    text: str = response.raise_for_status().json()["choices"][0]["message"]["content"]
    return text


def ask(
    client: httpx.Client, simulator: Simulator, platform_id: str, prompt: str
) -> httpx.Response:
    message = {"role": "user", "content": prompt}
    url = f"{simulator.url_of(platform_id)}/chat/completions"
    return client.post(url, json={"messages": [message]})


async def ask_often(simulator: Simulator, prompts: list[str], *, times: int) -> list[str]:
    connector = aiohttp.TCPConnector(limit=20)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def one(prompt: str) -> str:
            body = {"messages": [{"role": "user", "content": prompt}]}
            url = f"{simulator.url_of('deepseek')}/chat/completions"
            async with session.post(url, json=body) as response:
                answered: dict[str, Any] = await response.json()
                return str(answered["choices"][0]["message"]["content"])

        return list(await asyncio.gather(*(one(prompt) for prompt in prompts * times)))


def test_recorded_answers_are_replayed_for_each_platform(
    start: Start, client: httpx.Client
) -> None:
    source = RecordedAnswers({"q": ["for all"]}, {"kimi": {"q": ["for kimi", "again"]}})
    simulator = start(source=source)
    assert content(ask(client, simulator, "deepseek", "q")) == "for all"
    assert content(ask(client, simulator, "kimi", "q")) == "for kimi"
    assert content(ask(client, simulator, "kimi", "q")) == "again"


def test_recorded_answers_have_no_truth(start: Start, client: httpx.Client) -> None:
    simulator = start()
    for path in ("truth", "kimi/truth"):
        response = client.get(f"{simulator.url}/{path}")
        assert (response.status_code, response.json()["error"]["code"]) == (404, "unknown_truth")


def test_the_truth_covers_the_catalog_s_platforms_and_those_called(
    start: Start, client: httpx.Client
) -> None:
    simulator = start(source=written(a_market()))
    ask(client, simulator, "qwen", CHINESE_PROMPT)
    truth = client.get(f"{simulator.url}/truth").json()
    assert list(truth) == ["deepseek", "kimi", "qwen", "simulator"]
    assert truth["kimi"] == client.get(f"{simulator.url}/kimi/truth").json()
    assert tuple(truth["kimi"]["phones"]) == PHONE_BRANDS


def test_answers_mention_brands_as_often_as_the_truth_says(
    start: Start, client: httpx.Client, example: Catalog
) -> None:
    simulator = start(source=written(example))
    gazetteer = build_gazetteer(example.brands, example.decoys)
    for topic_id, odds in client.get(f"{simulator.url}/deepseek/truth").json().items():
        texts = asyncio.run(ask_often(simulator, prompts_of(example, topic_id), times=15))
        found = Counter(brand_id for text in texts for brand_id in read(text, gazetteer))
        for brand_id, probability in odds.items():
            # Four and a half standard deviations of a binomial count.
            spread = 4.5 * (len(texts) * probability * (1 - probability)) ** 0.5
            assert abs(found[brand_id] - len(texts) * probability) <= spread, brand_id
        assert set(found) <= set(odds)


def test_a_reader_finds_the_brands_that_were_drawn_and_no_other(example: Catalog) -> None:
    repertoire = build_repertoire(example)
    gazetteer = build_gazetteer(example.brands, example.decoys)
    ids = [brand.brand_id for brand in example.brands]
    for odd_ones, number in ((0, 0), (1, 1)):
        certain = {brand_id: float(place % 2 == odd_ones) for place, brand_id in enumerate(ids)}
        answers = WrittenAnswers(repertoire, seed=3, odds=MentionOdds(3, {"kimi": certain}))
        for prompt, subject in repertoire.subjects.items():
            text = answers.answer("kimi", prompt, number)
            expected = {brand_id for brand_id in subject.brand_ids if certain[brand_id]}
            assert read(text, gazetteer) == expected, text


def prompts_of(catalog: Catalog, topic_id: str) -> list[str]:
    kind = QuestionKind.NON_BRAND
    return [q.text for q in catalog.questions if (q.topic_id, q.kind) == (topic_id, kind)]


def read(text: str, gazetteer: Gazetteer) -> set[str]:
    return {mention.brand_id for mention in read_answer(text, gazetteer).mentions}


def test_faults_do_not_change_what_is_answered(start: Start, client: httpx.Client) -> None:
    source = written(a_market())
    faulty = start(PlatformBehaviour(faults={FaultKind.SERVER_FAULT: 0.5}), source)
    sound = start(source=source)

    def answers(simulator: Simulator) -> list[str]:
        asked = (ask(client, simulator, "kimi", CHINESE_PROMPT) for _ in range(40))
        return [content(response) for response in asked if response.status_code == 200]

    through_faults = answers(faulty)
    assert 0 < len(through_faults) < 40
    assert through_faults == answers(sound)[: len(through_faults)]

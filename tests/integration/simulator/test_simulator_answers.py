import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import httpx

from brand_visibility.adapters.catalog.loader import load_catalog
from brand_visibility.domain.catalog import Catalog
from brand_visibility.simulator.recorded import RecordedAnswers
from brand_visibility.simulator.repertoire import build_repertoire
from brand_visibility.simulator.settings import FaultKind, PlatformBehaviour
from brand_visibility.simulator.simulator import Simulator
from brand_visibility.simulator.written import MentionOdds, WrittenAnswers
from tests.phone_market import CHINESE_PROMPT, PHONE_BRANDS, a_market, brands_found

Start = Callable[..., Simulator]


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


async def ask_often(simulator: Simulator, prompts: list[str]) -> list[str]:
    connector = aiohttp.TCPConnector(limit=20)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def one(prompt: str) -> str:
            body = {"messages": [{"role": "user", "content": prompt}]}
            url = f"{simulator.url_of('deepseek')}/chat/completions"
            async with session.post(url, json=body) as response:
                answered: dict[str, Any] = await response.json()
                return str(answered["choices"][0]["message"]["content"])

        return list(await asyncio.gather(*(one(prompt) for prompt in prompts)))


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
    start: Start, client: httpx.Client, repository: Path
) -> None:
    catalog = load_catalog(repository / "examples" / "catalog")
    simulator = start(source=written(catalog))
    truth = client.get(f"{simulator.url}/deepseek/truth").json()
    for topic_id, odds in truth.items():
        prompts = [
            q.text for q in catalog.questions if q.topic_id == topic_id and "{" not in q.text
        ]
        texts = asyncio.run(ask_often(simulator, prompts * (600 // len(prompts))))
        found = Counter(brand for text in texts for brand in brands_found(text, catalog))
        for brand_id, probability in odds.items():
            # Four and a half standard deviations of a binomial count.
            spread = 4.5 * (len(texts) * probability * (1 - probability)) ** 0.5
            assert abs(found[brand_id] - len(texts) * probability) <= spread, brand_id
        assert set(found) <= set(odds)


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

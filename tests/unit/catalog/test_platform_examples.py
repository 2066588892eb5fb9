"""The entries that `docs/platforms.md` shows can be copied as they stand."""

import re
from pathlib import Path

import pytest

from brand_visibility.adapters.catalog.loader import load_platforms
from brand_visibility.adapters.platforms.adapter import Asking
from brand_visibility.adapters.platforms.registry import ADAPTERS, base_url_of, load_adapter
from tests.builders import SENT_AT, a_plan

PAGE = Path(__file__).parents[3] / "docs" / "platforms.md"
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
QUERY = a_plan(questions=1).queries[0]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: re.findall("adapter: (.*)", block)[0])
def test_an_entry_loads_and_builds_a_request_to_its_platform(tmp_path: Path, block: str) -> None:
    (tmp_path / "platforms.yaml").write_text(block, "utf-8")

    (platform,) = load_platforms(tmp_path)

    base_url = base_url_of(platform, {})
    asking = Asking(QUERY, platform, base_url, SENT_AT, "AKIDcanary123:secretcanary")
    request = load_adapter(platform.adapter).build(asking)
    assert request.url.startswith(base_url)
    assert QUERY.prompt.encode() in request.body
    assert "canary" not in request.url


def test_the_page_speaks_of_every_adapter() -> None:
    text = PAGE.read_text("utf-8")
    assert [name for name in ADAPTERS if f"`{name}`" not in text and name != "simulator"] == [
        "openai_compatible"
    ]
    assert "adapter: openai_compatible" in text

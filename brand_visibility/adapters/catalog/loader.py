"""From a directory of catalog files to the frozen values of `domain.catalog`.

This module says which file is read when and which checks apply; reading, shapes and
checks have modules of their own.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from brand_visibility.adapters.catalog import checks
from brand_visibility.adapters.catalog.faults import FaultLog
from brand_visibility.adapters.catalog.models import BrandEntry, TenantEntry, TopicEntry
from brand_visibility.adapters.catalog.platform_models import PlatformEntry
from brand_visibility.adapters.catalog.prices import Prices, read_prices
from brand_visibility.adapters.catalog.questions import read_questions
from brand_visibility.adapters.catalog.sections import Section, read_section
from brand_visibility.adapters.catalog.version import version_of
from brand_visibility.domain.catalog import Brand, Catalog, Platform

TENANTS_FILE = "tenants.yaml"
TOPICS_FILE = "topics.yaml"
BRANDS_FILE = "brands.yaml"
PLATFORMS_FILE = "platforms.yaml"
QUESTIONS_FILE = "questions.csv"
# The only one that may be missing.
PRICES_FILE = "prices.yaml"

FILES = (TENANTS_FILE, TOPICS_FILE, BRANDS_FILE, PLATFORMS_FILE, QUESTIONS_FILE)


def load_catalog(directory: Path, environment: Mapping[str, str] | None = None) -> Catalog:
    """Return the catalog of a directory.

    With an environment, every key that the platforms name must be set in it; None skips
    those checks. Raises CatalogError with all faults of all files, in file order.
    """
    log = _log_of(directory)
    tenants = read_section(directory / TENANTS_FILE, "tenants", TenantEntry, log)
    topics = read_section(directory / TOPICS_FILE, "topics", TopicEntry, log)
    brands = _read_brands(directory, log)
    platforms = _read_platforms(directory, log)
    platform_ids = platforms.lines if platforms else None
    prices = read_prices(directory / PRICES_FILE, log, platform_ids)
    if tenants and platforms:
        checks.check_budgets(tenants, platforms, prices)
    if platforms and environment is not None:
        checks.check_environment(platforms, environment)
    topic_ids = topics.lines if topics else None
    table = read_questions(directory / QUESTIONS_FILE, log, topic_ids)
    if brands:
        checks.check_references(brands, tenants.lines if tenants else None, topic_ids)
    if topics and brands and table:
        checks.check_topics_are_asked(topics, brands, table.topic_ids)
    if log or not (tenants and topics and brands and platforms and table):
        raise log.error()
    judges = _priced(_platform_values(platforms, are_judges=True), prices)
    draft = Catalog(
        version="",
        tenants=tuple(entry.to_domain() for _, entry in tenants.entries),
        topics=tuple(entry.to_domain() for _, entry in topics.entries),
        brands=_brand_values(brands),
        questions=table.questions,
        platforms=_priced(_platform_values(platforms), prices),
        decoys=brands.texts["decoys"],
        judge=next(iter(judges), None),
    )
    return replace(draft, version=version_of(draft))


def load_brands(directory: Path) -> tuple[tuple[Brand, ...], tuple[str, ...]]:
    """Return the brands and the global decoys of a directory's `brands.yaml`.

    Tenants and topics are checked only where their files are present. Raises CatalogError
    with all faults.
    """
    log = _log_of(directory)
    tenants = topics = None
    if (directory / TENANTS_FILE).exists():
        tenants = read_section(directory / TENANTS_FILE, "tenants", TenantEntry, log)
    if (directory / TOPICS_FILE).exists():
        topics = read_section(directory / TOPICS_FILE, "topics", TopicEntry, log)
    brands = _read_brands(directory, log)
    if brands:
        tenant_ids = tenants.lines if tenants else None
        checks.check_references(brands, tenant_ids, topics.lines if topics else None)
    if log or brands is None:
        raise log.error()
    return _brand_values(brands), brands.texts["decoys"]


def load_platforms(directory: Path) -> tuple[Platform, ...]:
    """Return the platforms whose answers are watched, without their prices.

    Reads `platforms.yaml` alone and checks no keys. Raises CatalogError with all faults.
    """
    return _platform_values(_load_platforms(directory))


def load_judge(directory: Path) -> Platform | None:
    """Return the judge of answers, without its prices, None where there is none.

    Reads `platforms.yaml` alone and checks no keys. Raises CatalogError with all faults.
    """
    return next(iter(_platform_values(_load_platforms(directory), are_judges=True)), None)


def _load_platforms(directory: Path) -> Section[PlatformEntry]:
    log = _log_of(directory)
    platforms = _read_platforms(directory, log)
    if log or platforms is None:
        raise log.error()
    return platforms


def _log_of(directory: Path) -> FaultLog:
    log = FaultLog((*FILES, PRICES_FILE))
    if not directory.is_dir():
        log.add(str(directory), None, found="no such directory", expected="a catalog directory")
        raise log.error()
    return log


def _read_brands(directory: Path, log: FaultLog) -> Section[BrandEntry] | None:
    path = directory / BRANDS_FILE
    brands = read_section(path, "brands", BrandEntry, log, text_lists=("decoys",))
    if brands:
        checks.check_aliases(brands)
    return brands


def _read_platforms(directory: Path, log: FaultLog) -> Section[PlatformEntry] | None:
    path = directory / PLATFORMS_FILE
    platforms = read_section(path, "platforms", PlatformEntry, log, text_lists=("allowed_hosts",))
    if platforms:
        checks.check_hosts(platforms)
        checks.check_accounts(platforms)
        checks.check_purposes(platforms)
    return platforms


def _brand_values(brands: Section[BrandEntry]) -> tuple[Brand, ...]:
    return tuple(entry.to_domain() for _, entry in brands.entries)


def _platform_values(
    platforms: Section[PlatformEntry], *, are_judges: bool = False
) -> tuple[Platform, ...]:
    return tuple(
        entry.to_domain() for _, entry in platforms.entries if entry.is_judge is are_judges
    )


def _priced(platforms: tuple[Platform, ...], prices: Prices) -> tuple[Platform, ...]:
    return tuple(
        replace(platform, prices=prices.get((platform.platform_id, platform.model), ()))
        for platform in platforms
    )

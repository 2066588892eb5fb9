"""The door to the catalog."""

import os
from pathlib import Path

import dagster as dg

from brand_visibility.adapters.catalog.loader import (
    load_brands,
    load_catalog,
    load_platforms,
)
from brand_visibility.domain.catalog import Brand, Catalog, Platform
from brand_visibility.domain.errors import PlanError


class CatalogResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The catalog's folder, read anew at every use."""

    directory: str

    def load(self) -> Catalog:
        """Return the whole catalog, keys checked. Raises CatalogError with every fault."""
        return load_catalog(Path(self.directory), os.environ)

    def load_unchecked(self) -> Catalog:
        """Return the whole catalog without asking for keys: for names, not for asking."""
        return load_catalog(Path(self.directory))

    def load_brands(self) -> tuple[tuple[Brand, ...], tuple[str, ...]]:
        """Return the brands and the decoys: all that reading needs."""
        return load_brands(Path(self.directory))

    def load_platform(self, platform_id: str) -> Platform:
        """Return one platform. Raises PlanError when the catalog no longer has it."""
        for platform in load_platforms(Path(self.directory)):
            if platform.platform_id == platform_id:
                return platform
        raise PlanError(f"{self.directory}: found no platform {platform_id}; it was planned")

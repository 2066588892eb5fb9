"""The door to the lake and to the folder of reports."""

from pathlib import Path

import dagster as dg

from brand_visibility.adapters.lake.files import Lake


class LakeResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The lake under `root`; pages for people under `report_root`."""

    root: str
    report_root: str

    def open(self) -> Lake:
        """Return the lake."""
        return Lake(self.folder)

    @property
    def folder(self) -> Path:
        """Folder of the lake."""
        return Path(self.root)

    @property
    def report_folder(self) -> Path:
        """Folder of the HTML pages."""
        return Path(self.report_root)

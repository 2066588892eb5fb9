"""The door to the ledger."""

import dagster as dg
from pydantic import Field

from brand_visibility.adapters.ledger.outcomes import OutcomeStore
from brand_visibility.adapters.ledger.plans import PlanStore
from resources.night import NightResource


class LedgerResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The ledger's database. Its URL may hold a password and is never shown."""

    database_url: str = Field(repr=False)
    night: dg.ResourceDependency[NightResource]

    def plans(self) -> PlanStore:
        """Return the plans of all days."""
        return PlanStore(self.database_url)

    def outcomes(self) -> OutcomeStore:
        """Return the answers, failures and attempts of all days."""
        return OutcomeStore(self.database_url, self.night.times.zone)

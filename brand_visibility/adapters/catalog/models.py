"""The shapes of `tenants.yaml`, `topics.yaml` and `brands.yaml`.

A shape knows one entry of one file. What holds between entries belongs to `checks`,
platforms to `platform_models`, questions to `questions`.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field, model_validator

from brand_visibility.adapters.catalog.fields import (
    Distinct,
    Door,
    HostName,
    Id,
    Positive,
    Text,
    fold,
    refusal,
)
from brand_visibility.domain.catalog import Alias, AliasPolicy, Brand, Tenant, Topic


class Entry(Door):
    """One item of a file's list; `id_field` names what identifies it, if one field does.

    `moved_fields` says of fields that stood here once where they belong now.
    """

    id_field: ClassVar[str | None] = None
    moved_fields: ClassVar[Mapping[str, str]] = {}


class TenantEntry(Entry):
    """A tenant as written."""

    id_field = "tenant_id"

    tenant_id: Id
    name: Text
    weight: Positive = 1.0
    daily_budget_usd: Annotated[float, Field(gt=0, le=1_000_000)] | None = None

    def to_domain(self) -> Tenant:
        """Return the tenant as a value."""
        return Tenant(self.tenant_id, self.name, self.weight, self.daily_budget_usd)


class TopicEntry(Entry):
    """A topic as written."""

    id_field = "topic_id"

    topic_id: Id
    name: Text

    def to_domain(self) -> Topic:
        """Return the topic as a value."""
        return Topic(self.topic_id, self.name)


class AliasEntry(Door):
    """An alias as written: a plain text, or a mapping with its policy."""

    text: Text
    # Not strict: a file spells a policy as text.
    policy: Annotated[AliasPolicy | None, Field(strict=False)] = None
    case_sensitive: bool = False
    context_any: Distinct[Text] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _accept_plain_text(cls, value: object) -> object:
        return {"text": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _context_belongs_to_guarded(self) -> "AliasEntry":
        if self.context_any and self.policy not in (None, AliasPolicy.GUARDED):
            found = f"context_any beside policy {str(self.policy)!r}"
            raise refusal("context_any only with policy 'guarded'", found=found)
        return self

    def to_domain(self) -> Alias:
        """Return the alias as a value; context words make it guarded by default."""
        default = AliasPolicy.GUARDED if self.context_any else AliasPolicy.SAFE
        return Alias(
            text=self.text,
            policy=self.policy or default,
            is_case_sensitive=self.case_sensitive,
            context_any=tuple(self.context_any),
        )


class BrandEntry(Entry):
    """A brand as written."""

    id_field = "brand_id"

    brand_id: Id
    tenant_id: Id
    name: Text
    aliases: list[AliasEntry] = Field(default_factory=list)
    topics: Annotated[Distinct[Id], Field(min_length=1)]
    domains: Distinct[HostName] = Field(default_factory=list)
    competitors: Distinct[Id] = Field(default_factory=list)
    decoys: Distinct[Text] = Field(default_factory=list)
    core: bool = False

    def to_domain(self) -> Brand:
        """Return the brand as a value, its name among its aliases."""
        return Brand(
            brand_id=self.brand_id,
            tenant_id=self.tenant_id,
            name=self.name,
            aliases=self._aliases(),
            topic_ids=tuple(self.topics),
            domains=tuple(self.domains),
            competitor_ids=tuple(self.competitors),
            decoys=tuple(self.decoys),
            is_core=self.core,
        )

    def _aliases(self) -> tuple[Alias, ...]:
        listed = tuple(alias.to_domain() for alias in self.aliases)
        if any(covers(alias, self.name) for alias in listed):
            return listed
        return (Alias(self.name), *listed)


def covers(alias: Alias, name: str) -> bool:
    """Whether the alias already stands for this spelling of a name."""
    if alias.is_case_sensitive:
        return alias.text == name
    return fold(alias.text) == fold(name)

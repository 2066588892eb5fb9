"""How often a judge of stances agrees with the rules, class by class.

Within a class of the rules every judged stance had the same chance to be judged, so its
rate needs no weights; rates of different classes must not be pooled without them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from brand_visibility.measures.intervals import Interval, wilson_interval


@dataclass(frozen=True, slots=True)
class Opinion:
    """One stance as the rules read it and as the judge does, None where it did not judge."""

    rule_stance: str
    judged_stance: str | None
    is_verified: bool


@dataclass(frozen=True, slots=True)
class Agreement:
    """A class of the rules, as the judge sees it.

    Only verified judgements count: `agreed_count` of `verified_count`, with the 95 %
    `interval`, None where there is none. `unverified_count` quote words that the answer
    does not hold; `sampled_count` are all that the judge was meant to judge.
    """

    rule_stance: str
    sampled_count: int
    verified_count: int
    agreed_count: int
    unverified_count: int

    @property
    def rate(self) -> float | None:
        """Agreed, of the verified."""
        return self.agreed_count / self.verified_count if self.verified_count else None

    @property
    def interval(self) -> Interval | None:
        """The rate's 95 % interval."""
        return wilson_interval(self.agreed_count, self.verified_count)


def agreement(opinions: Iterable[Opinion]) -> tuple[Agreement, ...]:
    """Return the agreement of judge and rules for every class that was sampled, by name."""
    classes: dict[str, list[Opinion]] = {}
    for opinion in opinions:
        classes.setdefault(opinion.rule_stance, []).append(opinion)
    return tuple(_of_class(name, own) for name, own in sorted(classes.items()))


def _of_class(rule_stance: str, opinions: list[Opinion]) -> Agreement:
    judged = [one for one in opinions if one.judged_stance is not None]
    verified = [one for one in judged if one.is_verified]
    return Agreement(
        rule_stance=rule_stance,
        sampled_count=len(opinions),
        verified_count=len(verified),
        agreed_count=sum(one.judged_stance == rule_stance for one in verified),
        unverified_count=len(judged) - len(verified),
    )

"""What the figures mean, and the version of that meaning.

A formula that changes a figure of the same answers raises `MEASURES_VERSION`: figures of
different versions are never compared, and a past day can be measured again with the new
one. How the definitions are defended is told in `docs/methods.md`.
"""

from collections.abc import Mapping
from types import MappingProxyType

MEASURES_VERSION = "2"

DEFINITIONS: Mapping[str, str] = MappingProxyType(
    {
        "mention_rate": "Mean over questions of the share of their valid answers that mention.",
        "share_of_voice": "By answers: mean over valid answers naming a tracked brand of 1 over"
        " the tracked brands named. By counts: mentioning answers over their sum for all.",
        "first_rank_rate": "Mean over questions of the share of their valid answers that rank"
        " the brand first.",
        "stability": "1 minus the mean Jaccard distance of the sets of tracked brands named.",
        "noise_floor": "Change between two days that repeats alone bring about: one standard"
        " deviation, from splitting a day's repeats.",
    }
)

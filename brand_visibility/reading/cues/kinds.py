"""Kinds of marks: what a word or sign does to the stance of the brands around it.

The words themselves are in `chinese` and `english`.
"""

from enum import IntEnum, auto


class Kind(IntEnum):
    """What a mark does. A number, because marks are looked up in sets all the time."""

    # Verdicts: on what follows them (recommend X), or on what they are said of (X is worth it).
    ENDORSE = auto()
    CHOICE = auto()
    REJECT = auto()
    WARNING = auto()
    # Qualities and facts that speak for or against.
    PRAISE = auto()
    BLAME = auto()
    # Mild ones, which any of the others overrules.
    CONSIDER = auto()
    MERIT = auto()
    QUIBBLE = auto()
    # Comparisons: left wins and right loses; left wins; left loses and right wins; left is
    # said to come up to right, which says something only when it is denied.
    BEATS = auto()
    OVER = auto()
    UNDER = auto()
    MATCHES = auto()
    # What stands behind one (or before it, as in 与 A 相比) is only what is compared with.
    SHIELD = auto()
    # What changes a cue: turns it, softens it, says that it is dealt with, doubts it, puts it
    # in the past or in others' mouths, or takes it as a price to pay.
    NOT = auto()
    SLIGHT = auto()
    REMEDY = auto()
    DOUBT = auto()
    PAST = auto()
    REPORT = auto()
    ACCEPT = auto()
    # What divides the text.
    STOP = auto()
    QUESTION = auto()
    PAUSE = auto()
    BUT = auto()
    CONCEDE = auto()
    IF = auto()
    OTHERWISE = auto()
    # An everyday expression that holds the words of a mark and says nothing.
    NOTHING = auto()


WEIGHTS = {
    Kind.ENDORSE: 3,
    Kind.CHOICE: 3,
    Kind.REJECT: -3,
    Kind.WARNING: -3,
    Kind.PRAISE: 2,
    Kind.BLAME: -2,
    Kind.CONSIDER: 1,
    Kind.MERIT: 1,
    Kind.QUIBBLE: -1,
}
"""How much a cue weighs: 3 a verdict, 2 a quality, 1 a mild remark; below 0 against."""

COMPARISONS = {
    Kind.BEATS: (2, -2),
    Kind.OVER: (2, 0),
    Kind.UNDER: (-2, 2),
    Kind.MATCHES: (0, 0),
}
"""What a comparison weighs for what stands left and right of it."""

DENIED = {Kind.BEATS: (0, 0), Kind.OVER: (0, 0), Kind.UNDER: (0, 0), Kind.MATCHES: (-2, 2)}
"""What it weighs when it is denied: "does not come close to"."""

CUES = frozenset({*WEIGHTS, *COMPARISONS})
"""Marks that speak for or against a brand. Where none stands there is no stance."""

DIVIDERS = frozenset(
    {Kind.STOP, Kind.QUESTION, Kind.PAUSE, Kind.BUT, Kind.CONCEDE, Kind.IF, Kind.OTHERWISE}
)

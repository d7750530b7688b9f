"""Puts figures into words, by the tables STANDINGS and FINDINGS and the sentences of `report.yaml`.

A debate and a baseline are compared on the questions on which neither failed nor gave an unreadable answer
(`over_read`), again with unreadable answers as not right (`over_all`), and on the questions that both answered
(`over_answered`). Failures are not answers, but they need not come by chance: a claim has to hold, too, over all
questions with every failure counted against it (`at_worst` and `at_best`). The standing of a debate against a baseline
is the first of STANDINGS that holds.
- paid: the debate is better than every baseline. All have to be beaten, so each test uses the full level.
- did not pay: it is worse than one baseline, or surely gains less than WORTH over one. A single baseline is enough, so
  the p-values are adjusted for all baselines.
- cannot tell: otherwise.
"""

from collections.abc import Callable, Sequence

from moot.stats import FEWEST
from moot.studies.evaluate.summary import LEVEL, WORTH, Comparison, Debated, Paired, Verdict
from moot.studies.template import template_of

TEMPLATE = template_of("evaluate")


def shows(found: Paired, sign: int, level: float = LEVEL) -> bool:
    """Whether the first is better (sign 1) or worse (sign -1), by the test and by the interval."""
    if found.p_value is None or found.low is None or found.high is None or found.p_value >= level:
        return False
    return found.low > 0 if sign > 0 else found.high < 0


def beats(comparison: Comparison, sign: int, level: float = LEVEL) -> bool:
    """Whether the debate is better (sign 1) or worse (sign -1) than the other method, even if the failures had gone the
    other way, without adjustment for other comparisons."""
    return _beats_unless_failed(comparison, sign, level) and shows(comparison.bound(sign), sign, level)


def _beats_unless_failed(comparison: Comparison, sign: int, level: float) -> bool:
    """The same over the questions on which neither failed."""
    shown = shows(comparison.over_read, sign, level) and shows(comparison.over_all, sign, level)
    return shown and (comparison.over_answered.difference or 0) * sign >= 0


def surely(comparison: Comparison, sign: int, level: float = LEVEL) -> bool:
    """The same, adjusted for all comparisons."""
    return beats(comparison, sign, level) and comparison.adjusted is not None and comparison.adjusted < level


def gains_less(comparison: Comparison, level: float = LEVEL) -> bool:
    """Whether a gain of WORTH can be ruled out, adjusted for all comparisons."""
    return comparison.adjusted_worth is not None and comparison.adjusted_worth < level / 2


def _apart(found: Paired) -> int:
    return found.only_first + found.only_second


def _turns_on_failures(comparison: Comparison, level: float) -> bool:
    """Whether something could be said if failures were left out."""
    if any(_beats_unless_failed(comparison, sign, level) for sign in (1, -1)):
        return bool(comparison.failed)
    left = [over.p_worth for over in (comparison.over_read, comparison.over_all, comparison.over_answered)]
    return bool(comparison.failed) and all(p is not None and p < level / 2 for p in left)


def _goes_both_ways(comparison: Comparison) -> bool:
    return (comparison.over_read.difference or 0) * (comparison.over_answered.difference or 0) < 0


def _shown(found: Paired) -> bool:
    return shows(found, 1) or shows(found, -1)


STANDINGS: dict[str, Callable[[Comparison, float], bool]] = {
    "worse": lambda comparison, level: surely(comparison, -1, level),
    "small gain": lambda comparison, level: gains_less(comparison, level) and beats(comparison, 1, level),
    "no gain": gains_less,
    "better": lambda comparison, level: beats(comparison, 1, level),
    "early": lambda comparison, level: level < LEVEL and (gains_less(comparison) or beats(comparison, 1)),
    "nothing": lambda comparison, _: not comparison.over_read.questions,
    "few clusters": lambda comparison, _: comparison.over_read.p_value is None,
    "failed": _turns_on_failures,
    "both ways": lambda comparison, _: _shown(comparison.over_read) and _goes_both_ways(comparison),
    "unread": lambda comparison, _: (
        bool(comparison.unread) and (_shown(comparison.over_read) or _shown(comparison.over_all))
    ),
    "alike": lambda comparison, _: _apart(comparison.over_read) < FEWEST,
    "open": lambda *_: True,
}
"""The standings of a debate against a baseline, each with its condition; the first that holds counts."""

_SPARED = {"small gain", "no gain"}
FINDINGS: tuple[tuple[str, Callable[[Sequence[str]], bool]], ...] = (
    ("did not pay", lambda all_: "worse" in all_),
    ("did not pay", lambda all_: bool(_SPARED & set(all_))),
    ("paid", lambda all_: bool(all_) and set(all_) == {"better"}),
    ("cannot tell", lambda _: True),
)
"""Findings from the standings against all baselines, each with its condition; the first that holds counts."""
_WANTED = ({"worse"}, _SPARED, {"better"}, set(STANDINGS) - {"worse", "better", *_SPARED})
"""The standings that the wording of each finding refers to."""


def standing(comparison: Comparison, level: float = LEVEL) -> str:
    return next(name for name, holds in STANDINGS.items() if holds(comparison, level))


def judge(
    comparisons: Sequence[Comparison], debated: Debated, *, lacking: bool = False, level: float = LEVEL
) -> Verdict:
    """Whether this debate paid, by tests at this level. The vote over its own first answers is a baseline, too.
    `lacking` means that a baseline at equal tokens was requested and is missing."""
    debate = debated.debate
    against = [comparison for comparison in comparisons if comparison.debate == debate]
    finding, words = _finding(debate, against, level)
    if lacking and finding == "paid":
        finding, words = "cannot tell", "Cannot tell whether debating paid here: a baseline has not had its budget."
    return Verdict(debate=debate, finding=finding, words=" ".join(filter(None, (words, _undebated(debated)))))


def _finding(debate: str, against: Sequence[Comparison], level: float) -> tuple[str, str]:
    if not against:
        return "cannot tell", f"Cannot tell: {debate} has no baseline to beat."
    standings = [standing(comparison, level) for comparison in against]
    place = next(place for place, (_, holds) in enumerate(FINDINGS) if holds(standings))
    finding, _ = FINDINGS[place]
    meant = [comparison for comparison, how in zip(against, standings, strict=True) if how in _WANTED[place]]
    closest = _closest(meant)
    words = {"told": TEMPLATE.text("compared", {"one": closest}), "words": standing_words(standing(closest, level))}
    return finding, TEMPLATE.text(finding, words)


def standing_words(name: str) -> str:
    return TEMPLATE.text("standings", {"worth": f"{WORTH * 100:g}", "fewest": FEWEST, "name": name})


def _closest(comparisons: Sequence[Comparison]) -> Comparison:
    """The comparison in which the debate does worst; one without a difference only if there is no other."""
    return min(
        comparisons,
        key=lambda comparison: (comparison.over_read.difference is None, comparison.over_read.difference or 0),
    )


def _undebated(debated: Debated) -> str:
    """How many results were debated; empty if all were."""
    return "" if debated.debated == debated.questions else TEMPLATE.text("only_debated", {"one": debated})

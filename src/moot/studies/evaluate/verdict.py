"""Puts figures into words, by the tables STANDINGS, FINDINGS and ADVICE.

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

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from moot.stats import FEWEST
from moot.studies.batch.cells import p_words
from moot.studies.evaluate.questions import SAMPLED, Row
from moot.studies.evaluate.summary import (
    WORTH,
    Comparison,
    Debated,
    Paired,
    Verdict,
    adjusted,
    can_be_compared,
    compare,
)
from moot.studies.looks import LEVEL

COMPARABLE = 0.5
"""The smallest share of comparable questions that a method needs to be considered for advice."""


def shows(found: Paired, sign: int, level: float = LEVEL) -> bool:
    """Whether the first is better (sign 1) or worse (sign -1), by the test and by the interval."""
    if found.p_value is None or found.low is None or found.high is None or found.p_value >= level:
        return False
    return found.low > 0 if sign > 0 else found.high < 0


def beats(one: Comparison, sign: int, level: float = LEVEL) -> bool:
    """Whether the debate is better (sign 1) or worse (sign -1) than the other method, even if the failures had gone the
    other way, without adjustment for other comparisons."""
    return _beats_unless_failed(one, sign, level) and shows(one.bound(sign), sign, level)


def _beats_unless_failed(one: Comparison, sign: int, level: float) -> bool:
    """The same over the questions on which neither failed."""
    shown = shows(one.over_read, sign, level) and shows(one.over_all, sign, level)
    return shown and (one.over_answered.difference or 0) * sign >= 0


def surely(one: Comparison, sign: int, level: float = LEVEL) -> bool:
    """The same, adjusted for all comparisons."""
    return beats(one, sign, level) and one.adjusted is not None and one.adjusted < level


def gains_less(one: Comparison, level: float = LEVEL) -> bool:
    """Whether a gain of WORTH can be ruled out, adjusted for all comparisons."""
    return one.adjusted_worth is not None and one.adjusted_worth < level / 2


def _apart(found: Paired) -> int:
    return found.only_first + found.only_second


def _turns_on_failures(one: Comparison, level: float) -> bool:
    """Whether something could be said if failures were left out."""
    if any(_beats_unless_failed(one, sign, level) for sign in (1, -1)):
        return bool(one.failed)
    left = [over.p_worth for over in (one.over_read, one.over_all, one.over_answered)]
    return bool(one.failed) and all(p is not None and p < level / 2 for p in left)


def _only_if_unread_count(one: Comparison, _: float) -> bool:
    return bool(one.unread) and any(shows(one.over_all, s) and not shows(one.over_read, s) for s in (1, -1))


def _shown(one: Comparison) -> bool:
    return shows(one.over_read, 1) or shows(one.over_read, -1)


def _goes_both_ways(one: Comparison) -> bool:
    return (one.over_read.difference or 0) * (one.over_answered.difference or 0) < 0


STANDINGS: dict[str, tuple[Callable[[Comparison, float], bool], str]] = {
    "worse": (lambda one, level: surely(one, -1, level), "it is worse"),
    "small gain": (
        lambda one, level: gains_less(one, level) and beats(one, 1, level),
        f"it gains, and surely less than {WORTH * 100:g} points",
    ),
    "no gain": (gains_less, f"it surely gains less than {WORTH * 100:g} points"),
    "better": (lambda one, level: beats(one, 1, level), "it is better"),
    "early": (
        lambda one, level: level < LEVEL and (gains_less(one) or beats(one, 1)),
        "The difference is large enough for a single test, but not for one of several (looks, debates, categories).",
    ),
    "nothing": (lambda one, _: not one.over_read.questions, "There is nothing to compare."),
    "few clusters": (
        lambda one, _: one.over_read.p_value is None,
        f"The questions are related, and fewer than {FEWEST} groups have most of them: nothing can be said of others.",
    ),
    "failed": (
        _turns_on_failures,
        "It turns on the questions on which one of the two failed: the same command asks them again.",
    ),
    "unread alone": (
        _only_if_unread_count,
        "A difference shows only if answers that cannot be read count as not right, which they do not.",
    ),
    "both ways": (
        lambda one, _: _shown(one) and _goes_both_ways(one),
        "Over the questions that both answered the difference goes the other way.",
    ),
    "unread": (
        lambda one, _: bool(one.unread) and _shown(one) and not (shows(one.over_all, 1) or shows(one.over_all, -1)),
        "The answers that cannot be read are too many for the difference to be sure.",
    ),
    "alike": (
        lambda one, _: _apart(one.over_read) < FEWEST,
        f"The two differ on fewer than {FEWEST} questions, on which no difference can be shown.",
    ),
    "open": (lambda *_: True, "The interval includes 0 and a worthwhile gain: more questions would narrow it."),
}
"""The standings of a debate against a baseline, each with its condition and wording; the first that holds counts."""

_SPARED = {"small gain", "no gain"}
FINDINGS: tuple[tuple[str, str, Callable[[Sequence[str]], bool]], ...] = (
    ("did not pay", "Debating did not pay here, {words}: {told}.", lambda all_: "worse" in all_),
    ("did not pay", "Debating did not pay here, {words}: {told}.", lambda all_: bool(_SPARED & set(all_))),
    (
        "paid",
        "Debating paid here, against every baseline; the closest: {told}.",
        lambda all_: bool(all_) and set(all_) == {"better"},
    ),
    ("cannot tell", "Cannot tell whether debating paid here: {told}. {words}", lambda _: True),
)
"""Findings from the standings against all baselines, each with its wording and condition; the first that holds
counts."""
_WANTED = ({"worse"}, _SPARED, {"better"}, set(STANDINGS) - {"worse", "better", *_SPARED})
"""The standings that the wording of each finding refers to."""


def standing(one: Comparison, level: float = LEVEL) -> str:
    return next(name for name, (holds, _) in STANDINGS.items() if holds(one, level))


def judge(
    comparisons: Sequence[Comparison], debated: Debated, *, lacking: bool = False, level: float = LEVEL
) -> Verdict:
    """Whether this debate paid, by tests at this level. The vote over its own first answers is a baseline, too.
    `lacking` means that self-consistency was requested and is missing."""
    debate = debated.debate
    against = [one for one in comparisons if one.debate == debate]
    finding, words = _finding(debate, against, level)
    if lacking and finding == "paid":
        finding, words = "cannot tell", f"Cannot tell whether debating paid here: {SAMPLED} has not had its budget."
    return Verdict(debate=debate, finding=finding, words=" ".join(filter(None, (words, _told_debated(debated)))))


def _finding(debate: str, against: Sequence[Comparison], level: float) -> tuple[str, str]:
    if not against:
        return "cannot tell", f"Cannot tell: {debate} has no baseline to beat."
    standings = [standing(one, level) for one in against]
    place = next(place for place, (_, _, holds) in enumerate(FINDINGS) if holds(standings))
    finding, form, _ = FINDINGS[place]
    meant = [one for one, how in zip(against, standings, strict=True) if how in _WANTED[place]]
    closest = _closest(meant)
    return finding, form.format(told=_told(closest), words=STANDINGS[standing(closest, level)][1])


def _closest(comparisons: Sequence[Comparison]) -> Comparison:
    """The comparison in which the debate does worst; one without a difference only if there is no other."""
    return min(comparisons, key=lambda one: (one.over_read.difference is None, one.over_read.difference or 0))


ADVICE = {
    "nothing": "No advice: there are no two methods that can be compared on enough questions.",
    "no tokens": "No advice: the models do not say how many tokens they used.",
    "none right": "No advice: no method was right on any question.",
    "best": "Use {best}: {told}, and nothing cheaper is level with it (n = {n}).",
    "cheaper": "Use {chosen}: {rivals}, and surely loses less than {worth} (n = {n}).",
    "rival": (
        "No method stands out: {told} and takes the fewest tokens of those not shown worse, but the questions do not "
        "rule out that {rival} gains {worth} on it (n = {n})."
    ),
    "not apart": (
        "No method stands out: {rivals}; the questions do not tell the two apart (n = {n}, p = {p:.3f}, adjusted for "
        "all comparisons)."
    ),
    "no test": (
        "No method stands out: {rivals}; the questions are related, and too few groups have most of them for a test of "
        "the two."
    ),
    "failed": (
        "No method stands out: {rivals}; whether {best} is better turns on {failed} questions on which one of the two "
        "failed."
    ),
    "apart": (
        "No method stands out: {rivals}; {best} is better than it over the answers that can be read, but not whichever "
        "way the others count."
    ),
}
"""The advice, in words."""


def advise(rows: Mapping[str, Mapping[Any, Row]]) -> str:
    """Which method to use: the cheapest one that is not shown to be worse than the best, if surely no other method
    gains enough to be worth more tokens.

    Shares and tokens are over the questions on which all candidates can be compared. A method with too few comparable
    questions is not a candidate.
    """
    readable = {name: {key for key, row in found.items() if can_be_compared(row)} for name, found in rows.items()}
    able = [name for name, keys in readable.items() if keys and len(keys) >= COMPARABLE * len(rows[name])]
    common = set.intersection(*(readable[name] for name in able)) if able else set()
    out = "".join(
        f" {name} is no candidate: {len(found) - len(readable[name])} of {len(found)} cannot be read or failed."
        for name, found in rows.items()
        if name not in able
    )
    if len(able) < 2 or not common:
        return f"{ADVICE['nothing']}{out}"
    return _advice({name: [rows[name][key] for key in sorted(common)] for name in able}, rows) + out


def _advice(common: Mapping[str, Sequence[Row]], rows: Mapping[str, Mapping[Any, Row]]) -> str:
    """The advice on the candidates, by their rows on the common questions."""
    used = {name: [row.tokens for row in found if row.tokens is not None] for name, found in common.items()}
    tokens = {name: sum(known) for name, known in used.items() if len(known) == len(common[name])}
    if not tokens:
        return ADVICE["no tokens"]
    right = {name: sum(row.grade == "right" for row in common[name]) for name in tokens}
    best = max(tokens, key=lambda name: (right[name], -tokens[name]))
    if not right[best]:
        return ADVICE["none right"]
    others = [name for name in tokens if name != best]
    ahead = {one.against: one for one in adjusted([compare(best, name, rows[best], rows[name]) for name in others])}
    level = [best, *(name for name in others if not surely(ahead[name], 1))]
    chosen = min(level, key=lambda name: tokens[name])
    asked, total = len(common[best]), len(rows[best])
    part = f" of the {asked} of {total} questions on which all candidates can be compared" if asked < total else ""
    words: dict[str, Any] = {
        "best": best,
        "chosen": chosen,
        "n": asked,
        "worth": f"{WORTH * 100:g} points",
        "told": f"{best} is the most often right ({percent(right[best] / asked)}{part})",
    }
    words["rivals"] = (
        f"{words['told']}, and of those not shown worse {chosen} takes the fewest tokens "
        f"({percent(right[chosen] / asked)})"
    )
    if chosen == best:
        behind = adjusted([compare(name, best, rows[name], rows[best]) for name in level[1:]])
        rival = next((one.debate for one in behind if not gains_less(one)), None)
        return ADVICE["best" if rival is None else "rival"].format(**words, rival=rival)
    one = ahead[chosen]
    if one.adjusted is None:
        return ADVICE["no test"].format(**words)
    code = "cheaper" if gains_less(one) else "apart" if one.adjusted < LEVEL else "not apart"
    code = "failed" if code != "cheaper" and _turns_on_failures(one, LEVEL) else code
    return ADVICE[code].format(**words, p=one.adjusted, failed=one.failed)


def percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def points(difference: float | None) -> str:
    """A difference between shares in percentage points."""
    return "–" if difference is None else f"{100 * difference:+.1f}".replace("-", "−")


def _told(one: Comparison) -> str:
    """Both shares and their difference over the same questions, and which questions were left out."""
    found = one.over_read
    if not found.questions:
        return f"there is no question on which {one.debate} and {one.against} can be compared{_left_out(one)}"
    ratio = "an unknown number of tokens" if one.tokens_ratio is None else f"{one.tokens_ratio:.1f} × the tokens"
    cost = "" if one.cost_ratio is None else f" and {one.cost_ratio:.1f} × the cost"
    interval = "" if found.low is None else f", 95 % interval {points(found.low)} to {points(found.high)}"
    return (
        f"{one.debate} is right on {percent(found.first_share)}, {one.against} on {percent(found.second_share)}, "
        f"at {ratio}{cost}; difference {points(found.difference)} points{interval}, {p_words(found.p_value)}, "
        f"n = {found.questions}{_in_clusters(found)}{_left_out(one)}"
    )


def _in_clusters(found: Paired) -> str:
    return f" in {found.clusters} groups of related ones" if found.clusters < found.questions else ""


def _left_out(one: Comparison) -> str:
    counted = ((one.unread, "an answer cannot be read"), (one.failed, "one of the two failed"))
    reasons = [f"on {count} {why}" for count, why in counted if count]
    asked = one.over_all.questions + one.failed
    return f" ({one.unread + one.failed} of {asked} are left out: {', '.join(reasons)})" if reasons else ""


def _told_debated(one: Debated) -> str:
    """How many results were debated; empty if all were."""
    if one.debated == one.questions:
        return ""
    reasons = "; ".join(f"{why} × {count}" for why, count in one.not_debated.items())
    told = f"Only {one.debated} of the {one.questions} results of {one.debate} were debated ({reasons})"
    found = one.right_of_debated
    if not found.n:
        return f"{told}."
    interval = "" if found.low is None else f", 95 % interval {percent(found.low)} to {percent(found.high)}"
    return f"{told}; on those it is right on {percent(found.rate)} ({found.count} of {found.n}{interval})."

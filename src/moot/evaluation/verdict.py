"""Figures put into words, by rules that stand here.

A debate beats a baseline when, over all questions, the exact McNemar test has p < 0.05 and the bootstrap interval of
the difference is above 0; over those that could be read for both the difference is above 0, too, so that it does not
come of answers that could not; and over those that both answered it is not below 0. It loses when the same holds the
other way round. It is sure not to gain enough on a baseline when, over all questions and over those that
both answered, it can gain less than WORTH: by the upper end of the bootstrap interval or, where fewer than FEWEST
questions tell the two apart, by that of Wilson's interval for the questions that only the debate got right.
- paid: it beats every baseline;
- did not pay: it loses to a baseline, or is sure not to gain enough on one;
- cannot tell: otherwise, and wherever no baseline was asked.
"""

from collections.abc import Mapping, Sequence

from moot.evaluation.questions import Row
from moot.evaluation.summary import Comparison, Method, Paired, Verdict, compare
from moot.statistics import wilson

LEVEL = 0.05
WORTH = 0.05
"""The least gain in the share of right answers that is taken to be worth the tokens of a debate."""
MANY = 0.1
"""The share of unparsable answers above which a reader is warned."""
FEWEST = 6
"""Where fewer questions than this tell two methods apart, no exact test can: 2 × ½⁵ is more than 0.05."""


def judge(debate: str, methods: Sequence[Method], comparisons: Sequence[Comparison]) -> Verdict:
    """Whether this debate paid. The vote over its own first answers is a baseline, too."""
    own = next(one for one in methods if one.method == debate)
    against = [one for one in comparisons if one.debate == debate and one.over_all.questions]
    if not against:
        return Verdict(debate=debate, finding="cannot tell", words=f"Cannot tell: {debate} has no baseline to beat.")
    lost = [one for one in against if beats(one, -1)]
    spared = [one for one in against if sure_not_to_gain(one)]
    if lost or spared:
        worst = min(lost or spared, key=lambda one: one.over_all.difference or 0)
        why = "it is worse" if lost else f"it is sure to gain less than {WORTH:.0%}"
        words = f"Debating did not pay here, {why}: {_told(own, worst, methods)}."
        return Verdict(debate=debate, finding="did not pay", words=words)
    if all(beats(one, 1) for one in against):
        closest = min(against, key=lambda one: one.over_all.difference or 0)
        words = f"Debating paid here, against every baseline; the closest: {_told(own, closest, methods)}."
        return Verdict(debate=debate, finding="paid", words=words)
    open_still = [one for one in against if not beats(one, 1)]
    closest = min(open_still, key=lambda one: one.over_all.difference or 0)
    words = f"Cannot tell whether debating paid here: {_told(own, closest, methods)}. {_why_not(closest)}"
    return Verdict(debate=debate, finding="cannot tell", words=words)


def beats(one: Comparison, sign: int) -> bool:
    """Whether the debate is better, for sign 1, or worse, for -1, than what it is compared with."""
    found, answered = one.over_all, one.over_answered
    if found.p_value is None or found.low is None or found.high is None or found.p_value >= LEVEL:
        return False
    clear = found.low > 0 if sign > 0 else found.high < 0
    return clear and (one.over_read.difference or 0) * sign > 0 and (answered.difference or 0) * sign >= 0


def sure_not_to_gain(one: Comparison) -> bool:
    """Whether a gain that is worth it can be ruled out."""
    return all(_most_to_gain(found) < WORTH for found in (one.over_all, one.over_answered))


def _most_to_gain(found: Paired) -> float:
    """Where hardly anything differs a bootstrap interval is too narrow to go by; but no more can be gained than the
    share of questions that only the debate gets right."""
    if found.high is None:
        return 1.0
    if found.only_first + found.only_second >= FEWEST:
        return found.high
    return wilson(found.only_first, found.questions)[1]


def advise(methods: Sequence[Method], rows: Mapping[str, Mapping[str, Row]], seed: int) -> str:
    """Which method to use: the cheapest that is not shown to be worse than the best, when it is sure that nothing
    gains enough on it to be worth more tokens."""
    able = [one for one in methods if one.tokens is not None and one.right_of_all.rate is not None]
    if not able:
        return "No advice: the models do not say how many tokens they used."
    best = max(able, key=lambda one: (one.right_of_all.rate or 0, -(one.tokens or 0)))
    if not best.right_of_all.count:
        return "No advice: no method was right on any question."

    def compared(one: Method, other: Method) -> Comparison:
        return compare(one.method, other.method, rows[one.method], rows[other.method], seed)

    level = [one for one in able if one is best or not beats(compared(best, one), 1)]
    chosen = min(level, key=lambda one: one.tokens or 0)
    asked = len(rows[best.method])
    if chosen is best:
        told = f"{best.method} is the most often right ({percent(best.right_of_all.rate)})"
        rival = next((one for one in level if one is not best and not sure_not_to_gain(compared(one, best))), None)
        if rival is None:
            return f"Use {best.method}: {told}, and nothing cheaper is level with it (n = {asked})."
        return (
            f"No method stands out: {told} and takes the fewest tokens of those not shown worse, but {asked} questions "
            f"do not rule out that {rival.method} gains {WORTH:.0%} on it."
        )
    rivals = (
        f"{best.method} is the most often right ({percent(best.right_of_all.rate)}), and of those not shown worse "
        f"{chosen.method} takes the fewest tokens ({percent(chosen.right_of_all.rate)})"
    )
    if sure_not_to_gain(compared(best, chosen)):
        return f"Use {chosen.method}: {rivals}, and is sure to lose less than {WORTH:.0%} (n = {asked})."
    return f"No method stands out: {rivals}; {asked} questions do not tell the two apart."


def notes(methods: Sequence[Method], foreign: Mapping[str, Sequence[str]]) -> list[str]:
    """What a reader should know before believing the figures. `foreign` are the models that only a debate has."""
    found = [
        f"{name} has models that not every baseline speaks through ({', '.join(models)}): a difference may be theirs."
        for name, models in foreign.items()
        if models
    ]
    for one in methods:
        if failed := one.grades["failed"]:
            found.append(f"{one.method} failed on {failed} questions, which are left out of its comparisons.")
        if (lost := one.grades["unparsable"]) > one.right_of_all.n * MANY:
            asked = one.right_of_all.n
            found.append(f"{lost} of {asked} answers of {one.method} cannot be read: they are neither right nor wrong.")
    if sum(one.kind == "debate" for one in methods) > 1:
        found.append("Several debates are compared: the best of several looks better than it is.")
    return found


def percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def points(difference: float | None) -> str:
    """A difference of shares in percentage points."""
    return "–" if difference is None else f"{100 * difference:+.1f}".replace("-", "−")


def p_value(value: float | None) -> str:
    return "nothing to test" if value is None else "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def _told(own: Method, one: Comparison, methods: Sequence[Method]) -> str:
    other = next(method for method in methods if method.method == one.against)
    found: Paired = one.over_all
    ratio = "an unknown number of tokens" if one.tokens_ratio is None else f"{one.tokens_ratio:.1f} × the tokens"
    shares = percent(own.right_of_all.rate), percent(other.right_of_all.rate)
    interval = f"95 % interval {points(found.low)} to {points(found.high)}"
    return (
        f"{own.method} is right on {shares[0]}, {one.against} on {shares[1]}, at {ratio}; "
        f"difference {points(found.difference)} points, {interval}, {p_value(found.p_value)}, n = {found.questions}"
    )


def _why_not(one: Comparison) -> str:
    apart = one.over_all.only_first + one.over_all.only_second
    if apart < FEWEST:
        return f"The two differ on {apart} of the questions; on fewer than {FEWEST} no difference can be shown."
    found, answered = one.over_all.difference or 0, one.over_answered.difference or 0
    if (one.over_read.difference or 0) * found <= 0 and found:
        return "Without the answers that cannot be read nothing is left of the difference."
    if found * answered < 0:
        return "Over the questions that both answered the difference goes the other way."
    return "More questions would narrow the interval."

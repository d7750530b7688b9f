"""Figures put into words, by rules that stand here.

Two methods are compared on the questions on which neither failed nor has an answer that cannot be read. A debate beats
a baseline when the exact McNemar test has p < 0.05 and the bootstrap interval of the difference is above 0 on these
questions, and still when answers that cannot be read count as not right; and over those that both answered the
difference is not below 0. It loses when the same holds the other way round. It is sure not to gain enough on a baseline
when it can gain less than WORTH in each of these three ways to count: by the upper end of the bootstrap interval or,
where fewer than FEWEST questions tell the two apart, by that of Wilson's interval for the questions that only the
debate got right.
- paid: it beats every baseline;
- did not pay: it loses to a baseline, or is sure not to gain enough on one;
- cannot tell: otherwise, and wherever no baseline was asked.
"""

from collections.abc import Mapping, Sequence

from moot.stats import wilson
from moot.studies.evaluate.questions import Row
from moot.studies.evaluate.summary import Comparison, Debated, Method, Paired, Verdict, can_be_compared, compare

LEVEL = 0.05
WORTH = 0.05
"""The least gain in the share of right answers that is taken to be worth the tokens of a debate."""
MANY = 0.1
"""The share of unparsable answers above which a reader is warned."""
FEWEST = 6
"""Where fewer questions than this tell two methods apart, no exact test can: 2 × ½⁵ is more than 0.05."""
COMPARABLE = 0.5
"""The least share of its questions on which a method must be comparable for advice to speak of it."""


def judge(comparisons: Sequence[Comparison], debated: Debated) -> Verdict:
    """Whether this debate paid. The vote over its own first answers is a baseline, too."""
    debate = debated.debate
    against = [one for one in comparisons if one.debate == debate]
    finding, words = _finding(debate, against)
    return Verdict(debate=debate, finding=finding, words=" ".join(filter(None, (words, _told_debated(debated)))))


def _finding(debate: str, against: Sequence[Comparison]) -> tuple[str, str]:
    if not against:
        return "cannot tell", f"Cannot tell: {debate} has no baseline to beat."
    lost = [one for one in against if beats(one, -1)]
    spared = [one for one in against if sure_not_to_gain(one)]
    if lost or spared:
        why = "it is worse" if lost else f"it is sure to gain less than {WORTH:.0%}"
        return "did not pay", f"Debating did not pay here, {why}: {_told(_closest(lost or spared))}."
    open_still = [one for one in against if not beats(one, 1)]
    if not open_still:
        told = _told(_closest(against))
        return "paid", f"Debating paid here, against every baseline; the closest: {told}."
    closest = _closest(open_still)
    return "cannot tell", f"Cannot tell whether debating paid here: {_told(closest)}. {_why_not(closest)}"


def _closest(comparisons: Sequence[Comparison]) -> Comparison:
    """The one in which the debate does worst; one that there is nothing to say of only where there is no other."""
    return min(comparisons, key=lambda one: (one.over_read.difference is None, one.over_read.difference or 0))


def beats(one: Comparison, sign: int) -> bool:
    """Whether the debate is better, for sign 1, or worse, for -1, than what it is compared with."""
    shown = _shows(one.over_read, sign) and _shows(one.over_all, sign)
    return shown and (one.over_answered.difference or 0) * sign >= 0


def _shows(found: Paired, sign: int) -> bool:
    if found.p_value is None or found.low is None or found.high is None or found.p_value >= LEVEL:
        return False
    return found.low > 0 if sign > 0 else found.high < 0


def sure_not_to_gain(one: Comparison) -> bool:
    """Whether a gain that is worth it can be ruled out."""
    return all(_most_to_gain(found) < WORTH for found in (one.over_read, one.over_all, one.over_answered))


def _most_to_gain(found: Paired) -> float:
    """Where hardly anything differs a bootstrap interval is too narrow to go by; but no more can be gained than the
    share of questions that only the debate gets right."""
    if found.high is None:
        return 1.0
    if found.only_first + found.only_second >= FEWEST:
        return found.high
    return wilson(found.only_first, found.questions)[1]


def advise(rows: Mapping[str, Mapping[str, Row]], seed: int) -> str:
    """Which method to use: the cheapest that is not shown to be worse than the best, when it is sure that nothing
    gains enough on it to be worth more tokens.

    Shares and tokens are over the questions on which all candidates can be compared. A method that can be compared on
    too few of its questions is no candidate.
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
        return f"No advice: there are no two methods that can be compared on enough questions.{out}"
    return _advice({name: [rows[name][key] for key in sorted(common)] for name in able}, rows, seed) + out


def _advice(common: Mapping[str, Sequence[Row]], rows: Mapping[str, Mapping[str, Row]], seed: int) -> str:
    """The advice on candidates by their rows on the questions that they have in common."""
    used = {name: [row.tokens for row in found if row.tokens is not None] for name, found in common.items()}
    tokens = {name: sum(known) for name, known in used.items() if len(known) == len(common[name])}
    if not tokens:
        return "No advice: the models do not say how many tokens they used."
    right = {name: sum(row.grade == "right" for row in common[name]) for name in tokens}
    best = max(tokens, key=lambda name: (right[name], -tokens[name]))
    if not right[best]:
        return "No advice: no method was right on any question."

    def compared(one: str, other: str) -> Comparison:
        return compare(one, other, rows[one], rows[other], seed)

    level = [name for name in tokens if name == best or not beats(compared(best, name), 1)]
    chosen = min(level, key=lambda name: tokens[name])
    asked, total = len(common[best]), len(rows[best])
    part = f" of the {asked} of {total} questions on which all candidates can be compared" if asked < total else ""
    told = f"{best} is the most often right ({percent(right[best] / asked)}{part})"
    if chosen == best:
        rival = next((name for name in level if name != best and not sure_not_to_gain(compared(name, best))), None)
        if rival is None:
            return f"Use {best}: {told}, and nothing cheaper is level with it (n = {asked})."
        return (
            f"No method stands out: {told} and takes the fewest tokens of those not shown worse, but {asked} questions "
            f"do not rule out that {rival} gains {WORTH:.0%} on it."
        )
    rivals = f"{told}, and of those not shown worse {chosen} takes the fewest tokens ({percent(right[chosen] / asked)})"
    if sure_not_to_gain(compared(best, chosen)):
        return f"Use {chosen}: {rivals}, and is sure to lose less than {WORTH:.0%} (n = {asked})."
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


def _told(one: Comparison) -> str:
    """Both shares and their difference, all over the same questions, and which were left out."""
    found = one.over_read
    if not found.questions:
        return f"there is no question on which {one.debate} and {one.against} can be compared{_left_out(one)}"
    ratio = "an unknown number of tokens" if one.tokens_ratio is None else f"{one.tokens_ratio:.1f} × the tokens"
    interval = f"95 % interval {points(found.low)} to {points(found.high)}"
    return (
        f"{one.debate} is right on {percent(found.first_share)}, {one.against} on {percent(found.second_share)}, "
        f"at {ratio}; difference {points(found.difference)} points, {interval}, {p_value(found.p_value)}, "
        f"n = {found.questions}{_left_out(one)}"
    )


def _left_out(one: Comparison) -> str:
    counted = ((one.unread, "an answer cannot be read"), (one.failed, "one of the two failed"))
    reasons = [f"on {count} {why}" for count, why in counted if count]
    asked = one.over_all.questions + one.failed
    return f" ({one.unread + one.failed} of {asked} are left out: {', '.join(reasons)})" if reasons else ""


def _why_not(one: Comparison) -> str:
    found, sign = one.over_read, 1 if (one.over_all.difference or 0) > 0 else -1
    if one.unread and _shows(one.over_all, sign) and not _shows(found, sign):
        return "A difference shows only if answers that cannot be read count as not right, which they do not."
    apart = found.only_first + found.only_second
    if apart < FEWEST:
        return f"The two differ on {apart} of the questions; on fewer than {FEWEST} no difference can be shown."
    if (found.difference or 0) * (one.over_answered.difference or 0) < 0:
        return "Over the questions that both answered the difference goes the other way."
    if one.unread and (_shows(found, 1) or _shows(found, -1)):
        return "The answers that cannot be read are too many for the difference to be sure."
    return "More questions would narrow the interval."


def _told_debated(one: Debated) -> str:
    """How many of the results come of a debate; nothing where all do."""
    if one.debated == one.questions:
        return ""
    reasons = "; ".join(f"{why} × {count}" for why, count in one.not_debated.items())
    told = f"Only {one.debated} of the {one.questions} results of {one.debate} were debated ({reasons})"
    found = one.right_of_debated
    if not found.n:
        return f"{told}."
    interval = f"95 % interval {percent(found.low)} to {percent(found.high)}"
    return f"{told}; on those it is right on {percent(found.rate)} ({found.count} of {found.n}, {interval})."

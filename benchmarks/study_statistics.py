"""What the statistics of batches and evaluations promise, measured: simulated studies whose truth is known.

    python benchmarks/study_statistics.py [REPETITIONS [PART …]]

Prints the table of docs/statistics.md: how often 95 % intervals contain the truth, how often tests and verdicts are
wrong, and how often they find what is there. Every figure comes from the functions that reports use. A part gives the
same figures alone and among others.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean, median
from typing import Any

import numpy as np

from league_statistics import leagues
from moot.stats import krippendorff_alpha, paired_shares, rate, rate_of
from moot.studies.batch import Row as Debate
from moot.studies.batch import analyse
from moot.studies.batch.rows import Contestant
from moot.studies.evaluate.questions import Row
from moot.studies.evaluate.summary import Debated, compare_all, figures
from moot.studies.evaluate.verdict import judge

RANDOM = np.random.default_rng(22)
Line = tuple[str, str, str]


def share(spread: float, middle: float) -> float:
    """The mean chance over topics whose log odds are spread like this."""
    drawn = np.random.default_rng(0).standard_normal(400_000)
    return float(np.mean(1 / (1 + np.exp(-(middle + spread * drawn)))))


def outcomes(sizes: Sequence[int], spread: float, middle: float) -> tuple[list[bool | None], list[int]]:
    """Debates on topics that differ, so many on each: whether each is won, and its topic."""
    chances = 1 / (1 + np.exp(-(middle + spread * RANDOM.standard_normal(len(sizes)))))
    won = RANDOM.random(sum(sizes)) < np.repeat(chances, sizes)
    return [bool(one) for one in won], [topic for topic, size in enumerate(sizes) for _ in range(size)]


def covered(one: Callable[[], tuple[float | None, float | None]], truth: float, times: int) -> str:
    found = [(low, high) for low, high in (one() for _ in range(times)) if low is not None and high is not None]
    return f"{fmean(low <= truth <= high for low, high in found):.1%}" if found else "no interval"


def _rate(topics: int, repeats: int, spread: float, middle: float, times: int) -> Line:
    """How often the interval of a rate covers the truth."""
    truth = share(spread, middle)

    def one() -> tuple[float | None, float | None]:
        values, clusters = outcomes([repeats] * topics, spread, middle)
        found = rate_of(values, [clusters])
        return found.low, found.high

    told = f"a rate: {topics} topics × {repeats}, topics differ by {spread:g} logit, truth {truth:.0%}"
    return told, "interval covers", covered(one, truth, times)


def rates(times: int) -> Iterator[Line]:
    designs = [(60, 1), (6, 20), (8, 10), (10, 10), (20, 5), (40, 5), (40, 20)]
    for topics, repeats in designs:
        for spread, middle in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)):
            if repeats == 1 and spread:
                continue
            yield _rate(topics, repeats, spread, middle, times)
    for topics in (2, 5):
        values, clusters = outcomes([20] * topics, 1.0, 0.0)
        found = rate_of(values, [clusters])
        yield f"a rate: {topics} topics × 20", "interval covers", "no interval" if found.low is None else "PRINTED"


UNEQUAL = {
    "of 1 to 10 debates each": list(range(1, 11)),
    "of 5 to 24 debates each": list(range(5, 25)),
    "of which one has 60 debates and 9 have 2": [60] + [2] * 9,
}


def unequal(times: int) -> Iterator[Line]:
    """Topics that do not have the same number of debates, and debates that share a topic or a cast."""
    for name, sizes in UNEQUAL.items():

        def one(sizes: list[int] = sizes) -> Any:
            values, clusters = outcomes(sizes, 1.0, 1.0)
            found = rate_of(values, [clusters])
            return found.low, found.high

        told = f"a rate: {len(sizes)} topics, {name}, topics differ by 1 logit, truth 70%"
        yield told, "interval covers", covered(one, share(1.0, 1.0), times)


def few(times: int) -> Iterator[Line]:
    """Few cases, and rates near the end."""
    for cases in (10, 20):

        def once(cases: int = cases) -> Any:
            found = rate_of([bool(one) for one in RANDOM.random(cases) < 0.97], [list(range(cases))])
            return found.low, found.high

        yield f"a rate: {cases} topics × 1, truth 97%", "interval covers", covered(once, 0.97, times)
    for topics, repeats, truth in ((8, 5, 0.97), (20, 5, 0.97), (10, 20, 0.95)):
        yield _rate(topics, repeats, 0.0, float(np.log(truth / (1 - truth))), times)


def crossed(times: int) -> Iterator[Line]:
    """Every topic with every cast. Both differ, or one of them, or neither."""
    for topics, casts, by_topic, by_cast, middle in (
        (6, 6, 0, 0, 0.0),
        (8, 8, 0, 0, 0.0),
        (12, 12, 0, 0, 0.0),
        (8, 8, 1, 1, 0.0),
        (20, 6, 1, 1, 0.0),
        (20, 20, 1, 1, 0.0),
        (12, 12, 1, 1, 3.0),
        (8, 8, 1, 0, 0.0),
        (20, 6, 1, 0, 0.0),
        (20, 6, 0, 1, 0.0),
    ):

        def one(
            topics: int = topics, casts: int = casts, by: tuple[int, int, float] = (by_topic, by_cast, middle)
        ) -> Any:
            log_odds = by[2] + by[0] * RANDOM.standard_normal((topics, 1)) + by[1] * RANDOM.standard_normal((1, casts))
            won = RANDOM.random((topics, casts)) < 1 / (1 + np.exp(-log_odds))
            ways = [[topic for topic in range(topics) for _ in range(casts)], list(range(casts)) * topics]
            found = rate_of([bool(one) for one in won.ravel()], ways)
            return found.low, found.high

        who = ("neither differs", "topics differ by 1 logit", "casts differ by 1 logit", "both differ by 1 logit")
        truth = share((by_topic + by_cast) ** 0.5, middle)
        told = f"a rate: {topics} topics × {casts} casts, {who[by_topic + 2 * by_cast]}, truth {truth:.0%}"
        yield told, "interval covers", covered(one, truth, times)


def kinds(times: int) -> Iterator[Line]:
    """Topics of two kinds: some are lost often, the others never."""
    for topics, repeats, part, lost in (
        (30, 20, 0.3, 2 / 3),
        (30, 10, 0.2, 0.9),
        (20, 10, 0.3, 0.9),
        (60, 10, 0.1, 0.9),
    ):

        def once(topics: int = topics, repeats: int = repeats, part: float = part, lost: float = lost) -> Any:
            chances = np.where(RANDOM.random(topics) < part, 1 - lost, 1.0)
            values = [bool(one) for one in (RANDOM.random((topics, repeats)) < chances[:, None]).ravel()]
            found = rate_of(values, [[topic for topic in range(topics) for _ in range(repeats)]])
            return found.low, found.high

        told = f"a rate: {topics} topics × {repeats}, {part:.0%} of topics lost in {lost:.0%}, the others never"
        yield told, "interval covers", covered(once, 1 - part * lost, times)


def alphas(times: int) -> Iterator[Line]:
    """Two judges who each see what is true of a topic with this chance."""
    for topics, common, chance in ((30, 0.5, 0.8), (60, 0.5, 0.8), (80, 0.85, 0.9), (200, 0.5, 0.97), (30, 0.95, 0.95)):
        alike, usual = chance**2 + (1 - chance) ** 2, common * chance + (1 - common) * (1 - chance)
        alpha = 1 - (1 - alike) / (2 * usual * (1 - usual))

        def one(topics: int = topics, common: float = common, chance: float = chance) -> Any:
            truth = RANDOM.random(topics) < common
            seen = [np.where(RANDOM.random(topics) < chance, truth, ~truth) for _ in range(2)]
            units = [{"one": bool(a), "two": bool(b)} for a, b in zip(*seen, strict=True)]
            found = krippendorff_alpha(units)
            return found.low, found.high

        told = f"agreement of two judges: {topics} debates, {common:.0%} alike, alpha {alpha:.2f}"
        yield told, "interval covers", covered(one, alpha, times)


def debate(number: int, topic: int, first_wins: bool, said: str, group: str, swapped: bool | None) -> Debate:
    names = ("Bo", "Ada") if swapped else ("Ada", "Bo")
    winner = names[0] if first_wins else names[1]
    sides = {"Ada": "for", "Bo": "against"}
    seats = [
        Contestant(name=name, model=f"x/{name}", side=sides[name], place=place, won=name == winner)
        for place, name in enumerate(names, 1)
    ]
    about: dict[str, Any] = {"factors": {}, "protocol": "duel", "seed": number, "status": "done"}
    design = {} if swapped is None else {"order": "swapped" if swapped else "given"}
    return Debate(
        id=str(number), group=group, topic=f"T{topic}", design=design, winner=winner, winner_side=sides[winner],
        contestants=seats, upheld=winner == "Ada", decided=True, cell=f"T{topic}", said=said, **about,
    )  # fmt: skip


def batch(
    topics: int, repeats: int, spread: float, lean: float = 0.0, *, pairs: bool = False, same: bool = False
) -> Any:
    """A batch in which topics favour a place, by nothing on average but the lean."""
    rows: list[Debate] = []
    for topic in range(topics):
        chance = 1 / (1 + np.exp(-(lean + spread * RANDOM.standard_normal())))
        for repeat in range(1 if same else repeats):
            for swapped in (False, True) if pairs else (None,):
                number = len(rows)
                won = bool(RANDOM.random() < chance)
                rows.append(debate(number, topic, won, str(number), f"{topic}/{repeat}", swapped))
    if same:
        rows = [
            one.model_copy(update={"id": f"{one.id}-{again}", "group": f"{one.group}-{again}"})
            for one in rows
            for again in range(repeats)
        ]
    return analyse(rows)


def any_shown(found: Any) -> bool:
    tests = [one.adjusted for one in (*found.effects, *found.paired)]
    return any(p is not None and p < 0.05 for p in tests)


def batches(times: int) -> Iterator[Line]:
    few = min(times, 1000)
    for topics, repeats, spread, pairs in (
        (8, 10, 1.0, False), (20, 5, 1.0, False), (12, 5, 1.0, True), (40, 3, 0.0, False), (2, 20, 1.0, False),
    ):  # fmt: skip
        told = f"a batch without any effect: {topics} topics × {repeats}{', in pairs' if pairs else ''}"
        wrong = fmean(any_shown(batch(topics, repeats, spread, pairs=pairs)) for _ in range(few))
        yield told, "any test of the page is wrong", f"{wrong:.1%}"
    wrong = fmean(any_shown(batch(6, 20, 1.0, same=True)) for _ in range(few))
    yield "120 debates of which 6 differ (a deterministic model)", "any test of the page is wrong", f"{wrong:.1%}"
    for topics in (20, 40):
        found = fmean(any_shown(batch(topics, 5, 1.0, 0.8)) for _ in range(few))
        yield f"first speakers win 67 %: {topics} topics × 5", "it is found", f"{found:.0%}"


def answers(
    questions: int, chances: dict[str, float], shared: float, epochs: int = 1, own: float = 0.0
) -> dict[str, Any]:
    """Rows of methods that are right so often. Questions differ in how hard they are, alike for all methods, and by
    `own` logits for each."""
    hard = RANDOM.standard_normal(questions) * shared
    rows: dict[str, Any] = {}
    for name, chance in chances.items():
        log_odds = centre(chance, float(np.hypot(shared, own))) + hard + own * RANDOM.standard_normal(questions)
        found = {}
        for epoch in range(epochs):
            right = RANDOM.random(questions) < 1 / (1 + np.exp(-log_odds))
            for number in range(questions):
                found[str(number), epoch] = Row.model_construct(
                    question=str(number), epoch=epoch, cluster=str(number), method=name, tokens=1, cost=None, calls=1,
                    grade="right" if right[number] else "wrong",
                )  # fmt: skip
        rows[name] = found
    return rows


def centre(chance: float, spread: float, known: dict[tuple[float, float], float] = {}) -> float:  # noqa: B006 (a cache)
    """The middle of the log odds at which the mean chance is this."""
    if (chance, spread) not in known:
        low, high = -16.0, 16.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if share(spread, middle) < chance else (low, middle)
        known[chance, spread] = middle
    return known[chance, spread]


def finding(rows: dict[str, Any], level: float = 0.05) -> str:
    number = len(rows["duel"])
    held = Debated(debate="duel", questions=number, debated=number, not_debated={}, right_of_debated=rate(0, number))
    return judge(compare_all("duel", rows, ["duel"]), held, level=level).finding


def _differences(
    sizes: Sequence[tuple[int, int]], shares: Sequence[tuple[float, float]], times: int, own: float = 0.0
) -> Iterator[Line]:
    """Methods on questions that are as hard for both; by `own` logits, other questions are hard for each."""
    for questions, epochs in sizes:
        for one, other in shares:

            def shown(questions: int = questions, epochs: int = epochs, one: float = one, other: float = other) -> Any:
                rows = answers(questions, {"duel": one, "single": other}, 1.5, epochs, own)
                pairs = [(rows["duel"][key], rows["single"][key]) for key in rows["duel"]]
                first, second = [a.grade == "right" for a, _ in pairs], [b.grade == "right" for _, b in pairs]
                found = paired_shares(first, second, [a.cluster for a, _ in pairs])
                return found.low, found.high

            again = f" × {epochs} epochs" if epochs > 1 else ""
            each = ", each finding others hard" if own else ""
            told = f"a difference of shares: {questions} questions{again}, {one:.0%} and {other:.0%} right{each}"
            yield told, "interval covers", covered(shown, one - other, times)


def differences(times: int) -> Iterator[Line]:
    yield from _differences(((50, 1), (200, 1), (60, 5)), ((0.7, 0.7), (0.85, 0.7)), times)
    for name, sizes in UNEQUAL.items():

        def grouped(sizes: list[int] = sizes) -> Any:
            hard = np.repeat(RANDOM.standard_normal(len(sizes)), sizes)
            first, second = ([bool(x) for x in RANDOM.random(len(hard)) < 1 / (1 + np.exp(-1 - hard))] for _ in "ab")
            found = paired_shares(first, second, [group for group, size in enumerate(sizes) for _ in range(size)])
            return found.low, found.high

        told = f"a difference of shares: {len(sizes)} groups {name.replace('debates', 'questions')}, 70% and 70% right"
        yield told, "interval covers", covered(grouped, 0.0, times)


def verdicts(times: int) -> Iterator[Line]:
    few = min(times, 1000)
    cases = (
        ("no gain on any of 3 baselines", 300, {"duel": 0.7, "single": 0.7, "vote": 0.7, "more": 0.7}, "paid"),
        ("no gain on one of 3 baselines", 300, {"duel": 0.8, "single": 0.6, "vote": 0.6, "more": 0.8}, "paid"),
        ("a gain of 5 points on all 3", 300, {"duel": 0.8, "single": 0.75, "vote": 0.75, "more": 0.75}, "did not pay"),
        ("a gain of 5 points on all 3", 1000, {"duel": 0.8, "single": 0.75, "vote": 0.75, "more": 0.75}, "did not pay"),
    )
    for told, questions, chances, wrong in cases:
        found = fmean(finding(answers(questions, chances, 1.5)) == wrong for _ in range(few))
        yield f"{told}: {questions} questions", f"“{wrong}” is said", f"{found:.1%}"
    gain = {"duel": 0.85, "single": 0.7, "vote": 0.7, "more": 0.7}
    found = fmean(finding(answers(300, gain, 1.5)) == "paid" for _ in range(min(few, 400)))
    yield "a gain of 15 points on all 3: 300 questions", "“paid” is said", f"{found:.0%}"
    level = {"duel": 0.7, "single": 0.7, "vote": 0.7}
    found = fmean(finding(answers(1500, level, 3.0)) == "did not pay" for _ in range(min(few, 200)))
    yield "no gain on 2 baselines: 1,500 questions", "“did not pay” is said", f"{found:.0%}"


def designs(times: int) -> Iterator[Line]:
    """Evaluations of several designs, none of which gains anything over the one baseline."""
    few, names = min(times, 400), [f"design-{number}" for number in range(8)]
    wrong = 0
    for _ in range(few):
        rows = answers(300, dict.fromkeys(["single", *names], 0.7), 1.5)
        more = {"category": None, "seconds": 0.0, "debated": True, "said": None, "answers_right": None}
        whole = [row.model_copy(update=more) for found in rows.values() for row in found.values()]
        wrong += any(one.finding == "paid" for one in figures(whole, list(rows), names, False).verdicts)
    yield "no gain of 8 designs on one baseline: 300 questions", "“paid” is said of any", f"{wrong / few:.1%}"


def extremes(times: int) -> Iterator[Line]:
    """Topics that differ so much that a few decide."""
    for topics, repeats, spread, middle in (
        (6, 20, 2.0, 2.2), (6, 50, 2.0, 2.2), (6, 50, 4.0, 3.0), (6, 20, 4.0, 5.4), (8, 10, 2.0, 3.3),
        (8, 50, 4.0, 7.0), (10, 20, 2.0, 4.0), (10, 50, 3.0, 6.0), (10, 50, 4.0, 9.5), (20, 5, 4.0, 5.4),
        (20, 20, 4.0, 8.0), (30, 20, 2.0, 4.0), (30, 20, 4.0, 10.0), (60, 3, 4.0, 7.0), (60, 20, 2.0, 4.0),
        (60, 20, 4.0, 10.0),
    ):  # fmt: skip
        yield _rate(topics, repeats, spread, middle, times)


def seldom_apart(times: int) -> Iterator[Line]:
    """Methods that are nearly always right, and few questions that are asked often."""
    yield from _differences(((20, 1), (60, 1), (60, 2), (30, 3), (12, 10), (8, 20)), ((0.98, 0.93),), times)
    yield from _differences(
        ((30, 10), (20, 10), (12, 10), (8, 20), (6, 20)), ((0.99, 0.90), (0.7, 0.7)), times, own=1.5
    )


def kinds_apart(times: int) -> Iterator[Line]:
    """Questions of two kinds: both methods are right in 98 %, but on some questions the second fails often."""
    for questions, epochs, part, lost in (
        (30, 20, 0.3, 2 / 3), (30, 10, 0.2, 0.9), (20, 10, 0.3, 0.9), (60, 10, 0.1, 0.9), (12, 10, 0.3, 0.9),
        (8, 20, 0.3, 0.9),
    ):  # fmt: skip

        def once(questions: int = questions, epochs: int = epochs, part: float = part, lost: float = lost) -> Any:
            chances = np.where(RANDOM.random(questions) < part, 1 - lost, 1.0)[:, None]
            shape = questions, epochs
            first, second = ([bool(one) for one in (RANDOM.random(shape) < 0.98 * x).ravel()] for x in (1.0, chances))
            found = paired_shares(first, second, [one for one in range(questions) for _ in range(epochs)])
            return found.low, found.high

        told = f"{questions} questions × {epochs} epochs, the second fails in {lost:.0%} of {part:.0%} of questions"
        yield f"a difference of shares: {told}", "interval covers", covered(once, 0.98 * part * lost, times)


def failures(times: int) -> Iterator[Line]:
    """A debate that gains on easy questions, loses on hard ones, and fails on so many of the hard ones."""
    few = min(times, 1000)
    for share_failed in (1.0, 0.25):
        paid = 0
        for _ in range(few):
            easy = answers(200, {"duel": 0.95, "single": 0.8}, 1.0)
            hard = answers(100, {"duel": 0.3, "single": 0.6}, 1.0)
            rows = {
                name: {**easy[name], **{("hard", *key): row for key, row in found.items()}}
                for name, found in hard.items()
            }
            for key, row in hard["duel"].items():
                if RANDOM.random() < share_failed:
                    rows["duel"]["hard", *key] = row.model_copy(update={"grade": "failed"})
            paid += finding(rows) == "paid"
        told = f"no gain over all of 300 questions, and {share_failed:.0%} of those that the debate loses on fail"
        yield told, "“paid” is said", f"{paid / few:.1%}"


FROZEN = 20261120
"""The seed of the designs that are drawn at random. It was set when the methods had been settled."""


def drawn(times: int) -> Iterator[Line]:
    """Designs that nobody chose."""
    lot = np.random.default_rng(FROZEN)
    lines: list[Line] = []
    for _ in range(20):
        topics, repeats = int(lot.integers(6, 61)), int(lot.integers(1, 25))
        lines.append(_rate(topics, repeats, float(lot.uniform(0, 3)), float(lot.uniform(-4, 4)), times))
    for _ in range(20):
        questions, epochs, own = int(lot.integers(6, 101)), int(lot.integers(1, 11)), float(lot.uniform(0, 1.5))
        shares = [float(one) for one in lot.uniform(0.3, 0.98, 2)]
        middles = [centre(one, float(np.hypot(1.5, own))) for one in shares]

        def once(q: int = questions, epochs: int = epochs, own: float = own, middles: list[float] = middles) -> Any:
            hard = 1.5 * RANDOM.standard_normal(q)
            odds = [np.repeat(middle + hard + own * RANDOM.standard_normal(q), epochs) for middle in middles]
            first, second = ([bool(one) for one in RANDOM.random(q * epochs) < 1 / (1 + np.exp(-x))] for x in odds)
            found = paired_shares(first, second, [place // epochs for place in range(q * epochs)])
            return found.low, found.high

        lines.append(("a difference of shares", "", covered(once, shares[0] - shares[1], times)))
    for what in ("a rate", "a difference of shares"):
        found = [float(line[2].rstrip("%")) for line in lines if line[0].startswith(what) and line[2].endswith("%")]
        told = f"{median(found):.1f}%, between {min(found):.1f} and {max(found):.1f}%"
        yield f"{what}: {len(found)} designs drawn at random", "interval covers, median", told


PARTS = {
    part.__name__: part
    for part in (
        rates,
        unequal,
        alphas,
        batches,
        differences,
        verdicts,
        leagues,
        few,
        extremes,
        crossed,
        kinds,
        seldom_apart,
        kinds_apart,
        designs,
        failures,
        drawn,
    )
}


def main(times: int, *names: str) -> None:
    print("| study | measured | found |\n|---|---|---|")
    for name in names or PARTS:
        RANDOM.bit_generator.state = np.random.default_rng(22).bit_generator.state
        for line in PARTS[name](times):
            print(f"| {' | '.join(line)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, *sys.argv[2:])

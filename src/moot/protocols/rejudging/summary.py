"""The outcome of a re-judging, for readers: each judge's verdict next to the original, the recounts, and reasons not to
rely on them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from moot.api import Entry, Material, headline
from moot.present import Brief, Dissent, Facts, Flag, Line, Lines, Section, Summary, Table
from moot.protocols.rejudging.payloads import JudgedAgain, Recount, Rereading
from moot.protocols.rejudging.result import JudgeVerdict, RejudgingOutcome
from moot.text.prose import listed, plural

STEPS = {"read": "is reading the debate"}
STABLE = {True: "unstable", False: "yes", None: "one reading"}
UPHELD = {True: "upheld", False: "not upheld", None: "open"}


def summary(outcome: RejudgingOutcome, entries: Sequence[Entry]) -> Summary:
    if outcome.source is None:
        return Summary(headline="Nothing was judged again yet", kind="Judged again", decided=False)
    upholding = sum(judge.upholds is True for judge in outcome.judges)
    return Summary(
        headline=_headline(outcome, outcome.source, upholding),
        kind="Judged again",
        decided=outcome.winner is not None or (not outcome.judges and bool(outcome.recounts)),
        reached=_reached(outcome, outcome.source),
        brief=Brief(
            answer=outcome.source.answer if outcome.upheld else None,
            firmness=_firmness(outcome, upholding),
            dissent=[
                Dissent(who=judge.judge, reason=f"names {judge.winner}")
                for judge in outcome.judges
                if judge.winner is not None and judge.winner != outcome.winner
            ],
            source=next(entry.seq for entry in entries if isinstance(entry.data, JudgedAgain)),
        ),
        flags=[*_judge_flags(outcome, outcome.source), *_recount_flags(outcome.recounts)],
    )


def _headline(outcome: RejudgingOutcome, source: JudgedAgain, upholding: int) -> str:
    """Whether the original answer is upheld, and by how many."""
    if not outcome.judges:
        moved = any(not one.same for one in outcome.recounts)
        return "Another rule comes to another result" if moved else "The count stands under every rule"
    if source.winner is None:
        return "A winner is named, and there was none before" if outcome.winner else "There is still no winner"
    answer = f"{UPHELD[outcome.upheld].capitalize()}: {source.answer or 'the original judgement'}"
    return headline(answer, f"{upholding} of {plural(len(outcome.judges), 'judge')} for it")


def _firmness(outcome: RejudgingOutcome, upholding: int) -> str:
    if not outcome.judges or outcome.upheld is None:
        return ""
    stable = sum(judge.unstable is False for judge in outcome.judges)
    word = "Firm" if upholding in (0, len(outcome.judges)) and stable == len(outcome.judges) else "Narrow"
    judges = plural(len(outcome.judges), "judge")
    return (
        f"{word}: {upholding} of {judges} uphold it; {stable} of {judges} name the same winner in both reading orders."
    )


def _reached(outcome: RejudgingOutcome, source: JudgedAgain) -> str:
    judges, rules = len(outcome.judges), len(outcome.recounts)
    by = [f"{plural(judges, 'judge')} read it again"] if judges else []
    by += [f"the same votes were counted by {plural(rules, 'other rule')}"] if rules else []
    what = f"{' and '.join(by)}; nothing was debated again." if by else "Nobody has judged it again yet."
    named = f" They name {outcome.winner} as the winner." if outcome.winner else ""
    named = named or (" They name no winner." if judges else "")
    return f"The {source.protocol} {source.run}: {what}{named}"


def _judge_flags(outcome: RejudgingOutcome, source: JudgedAgain) -> list[Flag]:
    flags = []
    if outcome.upheld is False:
        text = f"The original judgement is not upheld: {listed(source.judges)} named {source.winner}."
        flags.append(Flag(code="not_upheld", text=text))
    if flipped := [judge.judge for judge in outcome.judges if judge.unstable]:
        text = f"Unstable: the order of showing changes the winner of {listed(flipped)}."
        flags.append(Flag(code="judges_unstable", text=text))
    if odd := [judge.judge for judge in outcome.judges if any(reading.contradicts for reading in judge.readings)]:
        text = f"Ranked a candidate first without giving it the highest score: {listed(odd)}."
        flags.append(Flag(code="winner_contradicts_scores", text=text))
    winners = dict.fromkeys(judge.winner for judge in outcome.judges if judge.winner is not None)
    if len(winners) > 1:
        told = [f"{judge.judge} names {judge.winner}" for judge in outcome.judges if judge.winner is not None]
        flags.append(Flag(code="judges_disagree", text=f"The judges disagree: {listed(told)}."))
    if lost := [f"{judge.judge} ({judge.missing})" for judge in outcome.judges if judge.missing]:
        flags.append(Flag(code="readings_missing", text=f"Readings that could not be had: {listed(lost)}."))
    if once := [
        judge.judge for judge in outcome.judges if judge.readings and judge.unstable is None and not judge.missing
    ]:
        text = f"Read in one order only, so nobody can say whether the order mattered: {listed(once)}."
        flags.append(Flag(code="one_order_only", text=text, severity="note"))
    return flags


def _recount_flags(recounts: Sequence[Recount]) -> list[Flag]:
    other = [f"{one.rule} ({one.winner or 'nobody'})" for one in recounts if not one.same]
    if not other:
        return []
    text = f"The outcome depends on the rule: by {listed(other)} the same votes come to another result."
    return [Flag(code="hangs_on_rule", text=text)]


def sections(material: Material) -> list[Section]:
    outcome = material.result.outcome
    if not isinstance(outcome, RejudgingOutcome) or outcome.source is None:
        return []
    source = outcome.source
    judges = [_judges(outcome, source)] if outcome.judges else []
    recounts = [_recounts(outcome.recounts, source)] if outcome.recounts else []
    about = f"the {source.protocol} {source.run}, {plural(source.entries, 'entry', 'entries')}"
    facts = Facts([("Judged again", about), ("The hash of its log", source.log_sha256)])
    return [
        Section("judges", "The judges", judges, "card", brief=True, live="covered"),
        Section("recounts", "The votes, counted again", recounts, "card", brief=True, live="covered"),
        Section("source", "What was judged again", [facts], "card"),
    ]


def _judges(outcome: RejudgingOutcome, source: JudgedAgain) -> Table:
    """The original judgement first, then each judge's, with the scores of everybody."""
    rows = []
    if source.judges:
        scores = _scores(source.seats, source.scores)
        rows.append([f"{', '.join(source.judges)} (original)", source.winner or "none", "", "", scores])
    for one in outcome.judges:
        scores = _scores(source.seats, one.scores)
        rows.append([one.judge, one.winner or "none", UPHELD[one.upholds], _stability(one), scores])
    return Table(["Judge", "Winner", "Original", "Stable", "Scores"], rows, texts=5, name="What each judge makes of it")


def _stability(one: JudgeVerdict) -> str:
    return "missing" if one.missing else STABLE[one.unstable] if one.readings else ""


def _scores(seats: Sequence[str], scores: Mapping[str, float | None]) -> str:
    told = [(name, scores.get(name)) for name in seats]
    return ", ".join(f"{name} {'none' if score is None else f'{score:.3g}'}" for name, score in told)


def _recounts(recounts: Sequence[Recount], source: JudgedAgain) -> Table:
    rows = [[f"{source.rule} (original)", source.counted or "nobody", "", ""]] if source.rule else []
    rows += [[one.rule, one.winner or "nobody", "same" if one.same else "another", _counted(one)] for one in recounts]
    columns = ["Rule", "Result", "Against the original", "Why"]
    return Table(columns, rows, texts=4, name="The votes under other rules")


def _counted(one: Recount) -> str:
    shares = ", ".join(f"{name} {float(Fraction(score)):.3g}" for name, score in one.scores.items())
    return f"{one.reason} ({shares})" if shares else one.reason


def lines() -> Lines:
    return _line


def _line(entry: Entry) -> Line | None:
    match entry.data:
        case Rereading(order=order, winner=winner, failure=failure):
            badge, tone = ("no judgement", "bad") if failure else (winner or "tied", "plain")
            return Line("mark", f"reads the debate in the {order} order", badge, tone=tone)  # type: ignore[arg-type]
        case Recount(rule=rule, winner=winner):
            return Line("mark", f"counts the votes by {rule}", winner or "nobody")
        case JudgedAgain():
            return Line("note", "names the run that is judged again")
        case _:
            return None

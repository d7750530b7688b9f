"""The documents of an evaluation: rows for programs, and one report in Markdown and as a page without scripts."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from moot.errors import RunDamaged
from moot.present import Facts, Table
from moot.record.files import read_file
from moot.record.lines import read_lines
from moot.stats import Rate
from moot.studies.batch.cells import p_words
from moot.studies.csv_file import csv_file
from moot.studies.evaluate.questions import Row
from moot.studies.evaluate.summary import GRADES, Comparison, Evaluation, Method, Paired
from moot.studies.evaluate.verdict import percent, points
from moot.studies.page import Part, StudyPage
from moot.studies.supplement import sampling_words, supplement, versions
from moot.text.figures import dollars
from moot.text.json import parse_json


def methods_paragraph(found: Evaluation, setup: Mapping[str, Any]) -> str:
    """The methods of an evaluation as a paragraph for a paper."""
    facts = [f"{name}: {value}" for name, value in _made_with(found, setup)]
    asked = f"{found.done} of {found.questions} questions were asked{_times(found)}."
    computed = f"moot {versions()['moot']} computed all figures from the rows; recompute.py does so again."
    return " ".join([asked, *(f"{fact}." for fact in facts), METHODS, COMPARISONS, computed, *found.notes])


def documents(found: Evaluation, spec: bytes, registration: bytes | None = None) -> dict[str, bytes]:
    """All documents by file name. `spec` is the setup of the evaluation, `registration` the file it was registered
    in."""
    summary = json.dumps(found.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
    rows = [row.model_dump(mode="json") for row in found.rows]
    setup = json.loads(spec)
    texts = {
        "rows.jsonl": "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows),
        "rows.csv": csv_file(list(Row.model_fields), (row.values() for row in rows)),
        "summary.json": summary,
        "recompute.py": Path(__file__).with_name("recompute.py.txt").read_text("utf-8"),
        **_page(found, setup).documents(),
    }
    files = {name: text.encode() for name, text in texts.items()}
    files |= {} if registration is None else {"registration.json": registration}
    return {**files, "supplement.zip": supplement({**files, "evaluation.json": spec}, methods_paragraph(found, setup))}


def stored_rows(folder: Path) -> list[Row]:
    """The rows of the evaluation in this folder; RunDamaged if they are not what moot wrote."""
    try:
        return [Row.model_validate(parse_json(line)) for line in read_lines(folder / "rows.jsonl")]
    except ValueError as error:
        raise RunDamaged(f"{folder / 'rows.jsonl'} is not what moot wrote: {error}") from error


def stored_page(folder: Path) -> StudyPage | None:
    """The report of the evaluation in this folder; None if it has none yet."""
    summary, spec = (read_file(folder / name) for name in ("summary.json", "evaluation.json"))
    if summary is None or spec is None:
        return None
    try:
        found = Evaluation.model_validate({**parse_json(summary), "rows": stored_rows(folder)})
        return _page(found, parse_json(spec))
    except (ValueError, TypeError, KeyError) as error:
        raise RunDamaged(f"{folder / 'summary.json'} is not what moot wrote: {error}") from error


def method_table(found: Evaluation) -> Table:
    """How often each method was right, the best first."""
    columns = ["Method", "Right of those not failed", "95 % interval", "Right of answered", "95 % interval"]
    rows = [
        [one.method, *_of_those_not_failed(one.right_of_all), *_rate(one.right_of_answered)] for one in _ordered(found)
    ]
    return Table(columns, rows, name="How often each method was right")


def cost_table(found: Evaluation) -> Table:
    """What each method left unanswered, and what it used."""
    columns = ["Method", "Unparsable", "Undecided", "Failed", "Calls", "Tokens", "A question", "Cost", "Seconds"]
    return Table(columns, [_cost(one) for one in _ordered(found)], name="What each method left open, and what it took")


def _ordered(found: Evaluation) -> list[Method]:
    return sorted(found.methods, key=lambda one: -(one.right_of_all.rate or 0))


def comparison_tables(found: Evaluation) -> list[Table]:
    """The comparisons that verdicts rest on; the same in other ways of counting, where these differ; and where the two
    methods differ, with what each took. Several narrow tables, since one would not fit on a screen."""
    several = len({one.debate for one in found.comparisons}) > 1

    def named(one: Comparison) -> list[str]:
        return [one.debate, one.against] if several else [one.against]

    names = ["Debate", "Against"] if several else ["Against"]
    columns = ["n", "Debate", "Other", "Difference", "95 % interval", "Test"]
    first = [[*named(one), *_paired(one.over_read), p_words(one.adjusted)] for one in found.comparisons]
    others = [
        [*named(one), over, *_paired(paired)]
        for one in found.comparisons
        for over, paired in _other_ways(one).items()
        if paired != one.over_read
    ]
    taken = [
        [
            *named(one),
            *map(str, (one.over_read.only_first, one.over_read.only_second)),
            *map(_times_as_much, (one.tokens_ratio, one.cost_ratio)),
        ]
        for one in found.comparisons
    ]
    right = ["Only the debate right", "Only the other right", "Tokens", "Cost"]
    tables = [
        Table([*names, *columns, "Adjusted"], first, texts=len(names), name="Comparisons"),
        Table([*names, "Over", *columns], others, texts=len(names) + 1, name="Counted in other ways"),
        Table([*names, *right], taken, texts=len(names), name="Where they differ, and what the debate took"),
    ]
    return [table for table in tables if table.rows]


def _other_ways(one: Comparison) -> dict[str, Paired]:
    found = {"not failed": one.over_all, "answered by both": one.over_answered}
    if one.failed:
        found |= {"all, failures against the debate": one.at_worst, "all, failures for it": one.at_best}
    return found


def _times_as_much(ratio: float | None) -> str:
    return "unknown" if ratio is None else f"× {ratio:.2f}"


def paid_table(found: Evaluation) -> Table:
    """Which design paid for which kind of question."""
    rows = [
        [
            one.category,
            one.debate,
            one.finding,
            one.against or "–",
            str(one.questions),
            percent(one.debate_share),
            percent(one.other_share),
            points(one.difference),
            "–" if one.low is None else f"{points(one.low)} to {points(one.high)}",
        ]
        for one in found.paid_by_category
    ]
    columns = ["Category", "Debate", "Paid", "Least ahead of", "n", "Debate", "Other", "Difference", "95 % interval"]
    return Table(columns, rows, texts=4, name="Which design paid for which kind of question")


def category_table(found: Evaluation) -> Table:
    """How often each method was right, by category."""
    rows = [
        [name, one.method, *_of_those_not_failed(one.right_of_all)]
        for name, methods in found.categories.items()
        for one in sorted(methods, key=lambda one: -(one.right_of_all.rate or 0))
    ]
    columns = ["Category", "Method", "Right of those not failed", "95 % interval"]
    return Table(columns, rows, texts=2, name="How often each method was right, by category")


def debated_table(found: Evaluation) -> Table:
    """How many results of each debate method were debated, and how often these were right."""
    columns = ["Debate", "Why not debated", "Not failed", "Debated", "Right of the debated", "95 % interval"]
    rows = []
    for one in found.debated:
        reasons = "; ".join(f"{why} × {count}" for why, count in one.not_debated.items()) or "–"
        rows.append([one.debate, reasons, str(one.questions), str(one.debated), *_rate(one.right_of_debated)])
    return Table(columns, rows, texts=2, name="How much was debated")


def flip_table(found: Evaluation) -> Table:
    columns = ["Debate", "First answers", "Right, but the debate wrong", "Wrong, but the debate right"]
    rows = [
        [one.debate, str(one.first_answers), str(one.right_to_wrong), str(one.wrong_to_right)]
        for one in found.flips
        if one.first_answers
    ]
    return Table(columns, rows, name="What debating changed")


def row_table(found: Evaluation) -> Table:
    """Every question, as often as it was asked, with the answer of each method."""
    names = [one.method for one in found.methods]
    by_question: dict[tuple[str, int], dict[str, Row]] = {}
    for row in found.rows:
        by_question.setdefault(row.key, {})[row.method] = row
    rows = []
    for (question, epoch), given in by_question.items():
        truth = next(iter(given.values())).truth
        asked = f"{question}, try {epoch}" if found.epochs > 1 else question
        rows.append([asked, truth, *(_cell(given.get(name)) for name in names)])
    return Table(["Question", "Truth", *names], rows, texts=2 + len(names), name="Every question")


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    return f"{row.grade}: {row.answer}" if row.answer is not None else row.grade


def _cost(one: Method) -> list[str]:
    asked = sum(one.grades.values())
    known = one.tokens is not None and asked
    return [
        one.method,
        *(str(one.grades[grade]) for grade in GRADES[2:]),
        f"{one.calls:,}",
        "unknown" if one.tokens is None else f"{one.tokens:,}",
        f"{(one.tokens or 0) / asked:,.0f}" if known else "unknown",
        dollars(one.cost),
        f"{one.seconds:.1f}",
    ]


def _rate(one: Rate) -> list[str]:
    interval = "–" if one.low is None else f"{percent(one.low)} – {percent(one.high)}"
    return [f"{percent(one.rate)} ({one.count}/{one.n})", interval]


def _of_those_not_failed(one: Rate) -> list[str]:
    """The same with the number of failures, which are in no share."""
    share, interval = _rate(one)
    return [f"{share[:-1]}, {one.missing} failed)" if one.missing else share, interval]


def _paired(one: Paired) -> list[str]:
    return [
        str(one.questions),
        percent(one.first_share),
        percent(one.second_share),
        points(one.difference),
        "–" if one.low is None else f"{points(one.low)} to {points(one.high)}",
        p_words(one.p_value),
    ]


def _page(found: Evaluation, setup: Mapping[str, Any]) -> StudyPage:
    parts = [
        Part("methods", "Methods", METHODS, [method_table(found), cost_table(found)]),
        Part("comparisons", "Comparisons", COMPARISONS, comparison_tables(found)),
        Part("categories", "By category", CATEGORIES, [paid_table(found), category_table(found)]),
        Part("debated", "How much was debated", DEBATED, [debated_table(found)]),
        Part("flips", "What debating changed", "", [flip_table(found)]),
        Part("rows", "Every question", "", [row_table(found)]),
        Part("made", "What this was made with", "", [Facts(_made_with(found, setup))]),
    ]
    there = {"flips": any(one.first_answers for one in found.flips), "categories": bool(found.categories)}
    absent = {name for name, has in there.items() if not has}
    return StudyPage(
        kind="evaluation",
        title=f"Does debating pay? {found.dataset}",
        about=f"{found.done} of {found.questions} questions{_times(found)}",
        headline="; ".join(f"{verdict.debate}: {verdict.finding}" for verdict in found.verdicts),
        claims=[f"{verdict.debate}: {verdict.words}" for verdict in found.verdicts],
        notes=found.notes,
        parts=[part for part in parts if part.id not in absent],
        name=Path(found.folder).name,
        unfinished=[found.reason, GO_ON] if found.reason else [],
    )


def _times(found: Evaluation) -> str:
    return f", each asked {found.epochs} times" if found.epochs > 1 else ""


def _made_with(found: Evaluation, setup: Mapping[str, Any]) -> list[tuple[str, str]]:
    budget = f"at most {found.budget} tokens a debate" if found.budget else "no budget for a debate"
    voices = [
        (f"Models of the speakers of {name}", "; ".join(", then ".join(models) for models in one))
        for name, one in found.voices.items()
    ]
    return [
        ("Dataset", f"{found.dataset}, SHA-256 {found.sha256}"),
        ("Answers compared as", ", ".join(f"{kind} × {number}" for kind, number in found.kinds.items())),
        ("Questions", asked_how(setup)),
        ("Seed", f"{found.seed}; {found.voters} voters; {budget}"),
        ("Level of the tests", f"{level_words(found)}, after {', '.join(map(str, found.looks))} questions"),
        *_registration(found),
        *_scorer(found),
        *([("Models that answered", ", ".join(found.answered_by))] if found.answered_by else []),
        *voices,
        ("Sampling", sampling_words(setup["sampling"])),
    ]


def asked_how(setup: Mapping[str, Any]) -> str:
    """How the questions of an evaluation were put, by its setup."""
    shots = f"{setup['shots']} examples before each" if setup["shots"] else "no examples"
    return f"{shots}; options {'shuffled' if setup['shuffle_options'] else 'in the order of the dataset'}"


def level_words(found: Evaluation) -> str:
    """The level of the tests, which several debates share."""
    several = len(found.verdicts)
    return f"{found.level:g}" + (f", divided by the number of debates ({several})" if several > 1 else "")


def scorer_words(scorer: Mapping[str, Any]) -> str:
    """A scorer with its agreement with people."""
    told = str(scorer["scorer"])
    if "checked" not in scorer:
        return f"{told}; not checked against people, so that nothing is known of its errors (--checked)"
    one = Rate.model_validate(scorer["agreement"])
    return (
        f"{told}; agrees with people on {percent(one.rate)} of {one.n} checked answers ({percent(one.low)} to "
        f"{percent(one.high)}), accepted {scorer['accepted_wrong']} wrong ones and refused "
        f"{scorer['refused_right']} right ones"
    )


def _registration(found: Evaluation) -> list[tuple[str, str]]:
    if found.registered is None:
        return []
    departed = "; ".join(found.departures or []) or "none"
    return [("Registered", f"SHA-256 {found.registered}"), ("Departures from it", departed)]


def _scorer(found: Evaluation) -> list[tuple[str, str]]:
    if found.scorer is None:
        return []
    return [("Answers scored by", scorer_words(found.scorer))]


GO_ON = "Run the same command with this folder as --out to go on; no reply that is on record is paid for again."
METHODS = (
    "Intervals are of 95 %, those of Feldman and Cousins. Unparsable answers are neither right nor wrong; "
    "undecided is a debate that decided nothing or ran out of its budget; failed is a model that could not be made to "
    "answer, and such a question is in no share. Answers that cannot be read or are undecided count as not right of "
    "those not failed, and are not among the answered; the shares of two methods may be over different questions, and "
    "only comparisons are over the same. Methods that end in /first are the vote over the blind answers that a debate "
    "began with, part of the debate’s own calls. Self-consistency had as many tokens in all as the debate it is named "
    "for, spread evenly over the questions; with (cost) it had as many dollars. A tied vote goes to the answer that "
    "was given first. Where questions are asked several times, or belong to groups, intervals are for other questions, "
    "or groups, like these: Wilson’s for as many independent questions as say as much, and where few of them differ "
    "from the rest those of a model of how they differ."
)
COMPARISONS = (
    "Verdicts rest on the questions on which an answer of both could be read or was left undecided, and must hold "
    "over those not failed, too, where an answer that cannot be read counts as not right, and over all, with every "
    "failure counted against what the verdict says: a method may fail where questions are hard. n are questions, as "
    "often as they were asked; below Debate and Other are the shares that each got right. The difference is the "
    "debate’s share minus the other’s, in points, with Tango’s score interval of 95 %; the test is McNemar’s exact "
    "one. Where the two differ on few questions, the interval may leave out 0 although the test shows nothing: then "
    "neither is called better. Adjusted is the largest p of these ways of counting, for all baselines of the debate "
    "(Holm). For groups of questions the interval is that of Student’s t over the groups (Tango’s with their variance "
    "if a method is nearly always right), or, where the methods differ in few groups, that of a model of how groups "
    "differ, and the test is the exact one of the signs of their sums."
)
CATEGORIES = (
    "Whether a design paid in a category is found as for all questions, by tests whose level is divided by the number "
    "of categories; beside it is the baseline that it is least ahead of. The shares below are for reading: of many "
    "categories some look different by chance."
)
DEBATED = (
    "Where both first answers are the same, or one cannot be read, a duel has nothing to debate: the result is that of "
    "the first answers. Right of the debated is over those that could be read; where only what first answers differ on "
    "is debated, these questions are harder than the rest."
)

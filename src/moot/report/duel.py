"""The duel's own sections: the ruling, the scores, the transcript."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from moot.entry import Entry
from moot.figures import level
from moot.payloads import Header, Member
from moot.payloads.duel import Score, Turn, Verdict
from moot.protocols.duel.result import DuelOutcome, FirstImpressions
from moot.report import safe
from moot.report.page import Material, Table
from moot.report.score_chart import Line, Mark, draw
from moot.report.transcript import Look, transcript
from moot.voting import named


@dataclass(frozen=True, slots=True)
class Standing:
    """What a debater has to show for it: the final score, or the running score so far where there is no verdict."""

    member: Member
    score: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class Ruling:
    """The outcome in words. `announced` is the judge's own; `change` tells it apart from first impressions."""

    headline: str
    final: bool
    standings: list[Standing]
    premise: str | None
    announced: Entry | None
    change: str | None
    flags: list[str]


def sections(material: Material) -> dict[str, object]:
    """What the templates of the duel show beside what every report has."""
    header, entries = material.header, material.entries
    lines = score_lines(header, entries) if header else []
    scored = any(line.marks for line in lines)
    decided = ruling(material)
    return {
        "ruling": decided,
        "standings": standings_table(decided),
        "chart": draw(lines, header.turns or 0) if header and scored else None,
        "score_table": score_table(entries) if scored else None,
        "blocks": blocks(lines, header.turns or 0) if header and scored else None,
        "transcript": transcript(material, _described),
    }


def ruling(material: Material) -> Ruling:
    header, entries = material.header, material.entries
    if header is None:
        return Ruling("The debate had not begun", False, [], None, None, None, [])
    debaters = _debaters(header)
    announced = next((entry for entry in entries if isinstance(entry.data, Verdict)), None)
    verdict = announced.data if announced and isinstance(announced.data, Verdict) else None
    outcome = material.result.outcome
    first = outcome.first_impressions if isinstance(outcome, DuelOutcome) else None
    if verdict is None:
        judged = any(member.role == "judge" for member in header.cast)
        so_far = {line.name: [mark.score for mark in line.marks] for line in score_lines(header, entries)}
        standings = [
            Standing(one, next((s for s in reversed(so_far[one.name]) if s is not None), None), False)
            for one in debaters
            if judged
        ]
        headline = "No verdict yet" if judged else "No verdict: this debate has no judge"
        return Ruling(headline, False, standings, None, None, None, _missing(entries))
    return Ruling(
        headline=f"{verdict.winner} wins" if verdict.winner else "No winner",
        final=True,
        standings=[Standing(one, verdict.scores.get(one.name), one.name == verdict.winner) for one in debaters],
        premise=_premise(header, verdict),
        announced=announced,
        change=_change(first, verdict) if first else None,
        flags=[*_flags(verdict, announced.content if announced else "", debaters), *_missing(entries)],
    )


def standings_table(decided: Ruling) -> Table:
    columns = ["Debater", "Side", "Final score" if decided.final else "Running score so far"]
    rows = [[one.member.name, one.member.side or "none", _figure(one.score)] for one in decided.standings]
    return Table(columns, rows, texts=2)


def score_lines(header: Header, entries: Sequence[Entry]) -> list[Line]:
    """The judge's running scores of each debater by turn; a score that could not be had is a mark without one."""
    scores = [entry.data for entry in entries if isinstance(entry.data, Score)]
    return [
        Line(one.name, one.colour, [Mark(score.turn, score.score) for score in scores if score.of == one.name])
        for one in _debaters(header)
    ]


def score_table(entries: Sequence[Entry]) -> Table:
    scores = [entry.data for entry in entries if isinstance(entry.data, Score)]
    rows = [[f"{one.turn}", one.of, _figure(one.score)] for one in scores]
    return Table(["Turn", "Debater", "Running score"], rows, texts=2)


def blocks(lines: Sequence[Line], turns: int) -> list[str]:
    """The running scores as rows of blocks, a column for each turn; `×` where a score is missing."""
    wide = " " if turns <= 40 else ""
    names = [safe.one_line(line.name) for line in lines]
    margin = max(len(name) for name in names)
    rows = []
    for name, line in zip(names, lines, strict=True):
        marks = {mark.turn: "×" if mark.score is None else "▁▂▃▄▅▆▇█"[round(mark.score * 0.7)] for mark in line.marks}
        figures = " ".join("–" if mark.score is None else f"{mark.score}" for mark in line.marks)
        bars = wide.join(marks.get(turn, " ") for turn in range(1, turns + 1))
        rows.append(f"{name:{margin}}  {bars}  {figures}")
    return rows


def _described(entry: Entry) -> Look | None:
    """How the transcript shows what is the duel's own."""
    match entry.data:
        case Turn(turn=turn):
            return Look("statement", f"{entry.phase}, turn {turn}")
        case Score(of=name, score=score):
            return Look("marked", f"scores {name}", "no score" if score is None else f"{score} of 10")
        case Verdict():
            return Look("statement", "announces the verdict")
        case _:
            pass
    if entry.type == "plan":
        return Look("private", "plans")
    if entry.type == "think":
        deliberates = "deliberates" if entry.phase == "verdict" else "thinks"
        return Look("private", deliberates if entry.target_seq is None else "weighs the statement")
    return None


def _figure(score: int | None) -> str:
    return "none" if score is None else f"{score}"


def _debaters(header: Header) -> list[Member]:
    return [member for member in header.cast if member.role == "debater"]


def _premise(header: Header, verdict: Verdict) -> str | None:
    if header.premise is None:
        return None
    if verdict.premise_upheld is None:
        return "Whether the premise holds was not decided."
    return "The premise is upheld." if verdict.premise_upheld else "The premise is not upheld."


def _change(first: FirstImpressions, verdict: Verdict) -> str:
    """Whether the debate made a difference, against the judge's first score of each debater."""
    scores = ", ".join(f"{name} {_figure(score)}" for name, score in first.scores.items())
    if None in first.scores.values():
        return f"A first score is missing ({scores}), so nobody can say whether the debate changed anything."
    alone = f"First impressions alone ({scores})"
    if first.winner is None:
        then = f"the debate decided for {verdict.winner}" if verdict.winner else "neither did the debate"
        return f"{alone} decided nothing; {then}."
    if not first.changed:
        return f"The debate did not change the outcome. {alone} were for {first.winner} already."
    if verdict.winner is None:
        return f"{alone} were for {first.winner}; after the debate there is no winner."
    return f"The debate changed the outcome. {alone} would have made {first.winner} the winner."


def _flags(verdict: Verdict, announcement: str, debaters: Sequence[Member]) -> list[str]:
    """What speaks against taking the verdict at its word."""
    flags = []
    said = announced_winner(announcement, [one.name for one in debaters])
    if said is not None and said != verdict.winner:
        flags.append(
            f"Announcement contradicts the record: it reads as if {said} had won, and on record is "
            f"{verdict.winner or 'no winner'}."
        )
    if not verdict.confirmed:
        source = "the name is the one in its final figures" if verdict.winner else "its final figures name none either"
        flags.append(
            "Winner not confirmed: asked for the winner's name alone, the judge did not give exactly one of the two; "
            f"{source}."
        )
    if not any(score is not None for score in verdict.scores.values()):
        flags.append(f"No scores: the judge gave neither final nor running ones that could be used: {verdict.failure}")
    elif verdict.scores_from == "running":
        flags.append(f"Scores taken from the running scores, as the judge gave no usable final ones: {verdict.failure}")
    if verdict.scores_contradict_winner:
        other = next((one.name for one in debaters if one.name != verdict.winner), "")
        flags.append(
            f"Scores contradict the winner: the judge named {verdict.winner} but scored {other} higher. "
            "Both stand as the judge gave them."
        )
    elif verdict.winner and level(verdict.scores):
        flags.append(f"Scores are level: {verdict.winner} won because the judge said so, not by score.")
    return flags


def announced_winner(text: str, names: Sequence[str]) -> str | None:
    """Whom an announcement declares the winner, where it does so beyond doubt: the one of whom it says so, or the only
    one it names."""
    declared = [name for name in names if _declared(text, re.escape(name))]
    return (declared[0] if len(declared) == 1 else None) if declared else named(text, names)


def _declared(text: str, name: str) -> bool:
    mark, end = r"[*_`]*", r"(?=\s*(?:$|[^\w\s]|(?:the|this) debate\b|by\b|over\b|against\b|because\b))"
    forms = (
        rf"(?<![\w-]){name}{mark}\s+(?:wins|has won){end}",
        rf"(?<![\w-]){name}{mark}\s+is the winner\b",
        rf"\bwinner is:?\s+{mark}{name}(?![\w-])",
    )
    return any(re.search(form, text, re.IGNORECASE) for form in forms)


def _missing(entries: Sequence[Entry]) -> list[str]:
    scores = [entry.data for entry in entries if isinstance(entry.data, Score)]
    without = [f"{score.turn}" for score in scores if score.score is None]
    return [f"Running scores are missing for turn {', '.join(without)}."] if without else []

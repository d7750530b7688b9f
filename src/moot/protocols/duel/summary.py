"""The presentation of a duel: the verdict in words, its flags, its scores, and the lines of its entries."""

from collections.abc import Sequence

from moot.api import Entry, Material, Member, data_of, header_of, headline, recorded_brief, without_answer
from moot.present import (
    Details,
    Flag,
    Line,
    Lines,
    Mark,
    Paragraph,
    Quote,
    ScoreChart,
    ScoreLine,
    Section,
    Standing,
    Standings,
    Summary,
    Table,
)
from moot.protocols.duel.jury_summary import by_jury, jury_flags
from moot.protocols.duel.payloads import Ballot, DuelHeader, Score, Turn, Verdict
from moot.protocols.duel.result import DuelOutcome, Jury
from moot.text.figures import level
from moot.text.prose import listed, plural

STEPS = {
    "plan": "is planning the case",
    "think": "is thinking about turn {number}",
    "turn": "is speaking in turn {number}",
    "evaluate": "is weighing turn {number}",
    "score": "is scoring turn {number}",
    "deliberate": "is deliberating on the verdict",
    "confirm": "is naming the winner",
    "break-tie": "is naming the winner",
    "extract": "is putting the verdict into figures",
    "announce": "is answering the question",
    "vote": "is reading and voting",
}


MARGINS = {
    "narrow": "Narrow: the judge says that a fair judge could as well have decided the other way.",
    "clear": "Clear: the judge says that few fair judges would decide the other way.",
    "decisive": "Firm: the judge says that no fair judge would decide the other way.",
}


def summary(outcome: DuelOutcome, entries: Sequence[Entry]) -> Summary:
    header = _header(entries)
    announced = next((entry for entry in entries if isinstance(entry.data, Verdict)), None)
    if announced is None or not isinstance(announced.data, Verdict):
        missing = "No verdict yet" if _is_judged(header) else "No verdict: this debate has no judge"
        return Summary(headline=missing, kind="Answer", decided=False, flags=_gaps(entries))
    verdict = announced.data
    brief = recorded_brief(entries, firmness=_firmness(verdict, outcome.jury))
    if verdict.follows not in (None, verdict.winner or ""):
        brief = without_answer(brief)
    how = by_jury(outcome.jury) if outcome.jury else _how(verdict, f"{announced.speaker}, the judge,")
    return Summary(
        headline=_headline(header, verdict, brief.answer),
        kind="Answer",
        decided=verdict.winner is not None,
        brief=brief,
        reached=" ".join(filter(None, [_argued_by(header, verdict), how])),
        flags=[
            *_flags(verdict, _debaters(header), judged=outcome.judge is not None),
            *_running_flags(outcome),
            *jury_flags(outcome.jury),
            *_gaps(entries),
        ],
    )


def place(entries: Sequence[Entry]) -> str:
    """The turn that comes next, or the verdict after the last one."""
    turns, spoken = _header(entries).turns, len(data_of(entries, Turn))
    judged = any(member.role in ("judge", "juror") for member in _header(entries).cast)
    return "the verdict" if judged and spoken >= turns else f"turn {min(spoken + 1, turns)} of {turns}"


def sections(material: Material) -> list[Section]:
    header = _header(material.entries)
    chart = ScoreChart(
        "Running scores by turn",
        "The judge’s running score of each debater, 0 to 10, after each of their turns.",
        _score_lines(header, material.entries),
        header.turns,
    )
    scored = any(line.marks for line in chart.lines)
    return [
        Section("ruling", "Verdict", _card(material, header), place="card"),
        Section("scores", "Scores, turn by turn", _scores(chart, material) if scored else [], brief=True, live="open"),
    ]


def _card(material: Material, header: DuelHeader) -> list[Standings | Quote]:
    """The standings and the judge's words."""
    announced = next((entry for entry in material.entries if isinstance(entry.data, Verdict)), None)
    verdict = announced.data if announced and isinstance(announced.data, Verdict) else None
    found: list[Standings | Quote] = []
    scores = verdict.scores if verdict else _last_scores(header, material.entries)
    if _is_judged(header):
        standings = [
            Standing(
                name=one.name,
                colour=one.colour,
                about=_stands_for(one, header),
                score=scores.get(one.name),
                won=verdict is not None and one.name == verdict.winner,
                mark=material.marks[one.name],
            )
            for one in _debaters(header)
        ]
        found.append(Standings("Final scores" if verdict else "Running scores so far", standings))
    if verdict is not None and verdict.brief is None and announced is not None and announced.speaker != "moot":
        found.append(Quote(announced.content, f"{announced.speaker}, the judge", announced.seq))
    return found


def _stands_for(one: Member, header: DuelHeader) -> str:
    if one.name in header.options:
        return f"for {header.options[one.name]}"
    return f"{one.side} the claim" if one.side else "debater"


def _scores(chart: ScoreChart, material: Material) -> list[ScoreChart | Details | Table]:
    scores = data_of(material.entries, Score)
    rows = [[f"{one.turn}", one.of, _figure(one.score)] for one in scores]
    table = Table(["Turn", "Debater", "Running score"], rows, texts=2, name="Running scores")
    return [_score_table(material), chart, Details("The same as a table", [table])]


def _score_table(material: Material) -> Table:
    """The last running and the final score of each debater."""
    outcome = material.result.outcome
    assert isinstance(outcome, DuelOutcome)  # noqa: S101 (there is a header, so there is one)
    rows = []
    for name, running in outcome.running_scores.items():
        known = [score for score in running if score is not None]
        rows.append([name, _figure(known[-1] if known else None), _figure(outcome.scores.get(name))])
    return Table(["Debater", "Running score", "Final score"], rows, name="Scores", outcome=True)


def lines() -> Lines:
    """Puts a duel's entries into lines. Remembers the scores, so that the next one can show the change."""
    header: DuelHeader | None = None
    sides: dict[str, str | None] = {}
    scores: dict[str, int] = {}

    def line(entry: Entry) -> Line | None:
        nonlocal header
        match entry.data:
            case DuelHeader():
                header = entry.data
                sides.update({member.name: member.side for member in header.cast})
                return None
            case Turn(turn=turn, failure=str(why)):
                return Line("note", f"makes no statement at turn {turn}", text=why, tone="bad")
            case Turn(turn=turn):
                chosen = header.options.get(entry.speaker) if header else None
                side = f"for {chosen}" if chosen else sides.get(entry.speaker)
                of = f" of {header.turns}" if header else ""
                return Line("statement", f"{f'{side} · ' if side else ''}turn {turn}{of} · {entry.phase}")
            case Score():
                return _score_line(entry.data, scores)
            case Ballot():
                shown = "as spoken" if entry.data.order == "given" else "the other way round"
                return Line("private", f"votes for {entry.data.winner or 'nobody'}, with the sides {shown}")
            case Verdict():
                return _verdict_line(entry.data, header)
            case _:
                pass
        if entry.type == "plan":
            return Line("private", "plans")
        if entry.type == "think":
            deliberates = "deliberates" if entry.phase == "verdict" else "thinks"
            return Line("private", deliberates if entry.target_seq is None else "weighs the statement")
        return None

    return line


def _score_line(score: Score, before: dict[str, int]) -> Line:
    label = f"scores {score.of}"
    if score.score is None:
        why = score.failure or "No reason is given."
        return Line("mark", label, badge="no score", text=why, about=score.of, tone="bad")
    last = before.get(score.of)
    before[score.of] = score.score
    trend = "" if last is None else "up" if score.score > last else "down" if score.score < last else "same"
    badge = f"{score.score} of 10"
    return Line("mark", label, badge=badge, text=score.reasoning or "", about=score.of, trend=trend)  # type: ignore[arg-type]


def _verdict_line(verdict: Verdict, header: DuelHeader | None) -> Line:
    """The answer, and below it who argued for it, and what speaks against the verdict."""
    below, judged = [], header is None or any(member.role == "judge" for member in header.cast)
    if header is not None:
        argued = _argued_by(header, verdict)
        below += [Paragraph(argued)] if argued else []
        below += [Paragraph(flag.text, "flag") for flag in _flags(verdict, _debaters(header), judged=judged)]
    label = "answers the question" if judged else "counts the votes"
    return Line("verdict", label, badge="" if verdict.brief else winner_line(verdict), body=below)


def winner_line(verdict: Verdict) -> str:
    """The winner and its known figures."""
    if verdict.winner is None and verdict.scores_from == "jury":
        return "No winner: the jury came to no majority"
    if verdict.winner is None and level(verdict.scores):
        return f"No winner: the scores are level, {' to '.join(map(_figure, verdict.scores.values()))}"
    if verdict.winner is None:
        return "No winner: the judge's replies do not establish one"
    if None in verdict.scores.values():
        return f"{verdict.winner} wins"
    return f"{verdict.winner} wins, {_figures(verdict.winner, verdict.scores)}"


def _header(entries: Sequence[Entry]) -> DuelHeader:
    return header_of(entries, DuelHeader)


def _is_judged(header: DuelHeader) -> bool:
    return any(member.role in ("judge", "juror") for member in header.cast)


def _debaters(header: DuelHeader) -> list[Member]:
    return [member for member in header.cast if member.role == "debater"]


def _score_lines(header: DuelHeader, entries: Sequence[Entry]) -> list[ScoreLine]:
    """The judge's running scores of each debater by turn; a missing score is a mark without one."""
    scores = [(entry.seq, entry.data) for entry in entries if isinstance(entry.data, Score)]
    return [
        ScoreLine(one.name, one.colour, [Mark(got.turn, got.score, seq) for seq, got in scores if got.of == one.name])
        for one in _debaters(header)
    ]


def _last_scores(header: DuelHeader, entries: Sequence[Entry]) -> dict[str, int | None]:
    return {
        line.name: next((mark.score for mark in reversed(line.marks) if mark.score is not None), None)
        for line in _score_lines(header, entries)
    }


def _how(verdict: Verdict, judge: str) -> str:
    if verdict.winner is None:
        return ""
    alone = "word" if level(verdict.scores) else "figures"
    return f"{judge} named the winner." if verdict.confirmed else f"By the judge’s {alone} alone."


def _headline(header: DuelHeader, verdict: Verdict, answer: str | None) -> str:
    """The judge's answer or, where it wrote none, what the winner stood for, with the count."""
    if verdict.winner is None:
        return winner_line(verdict)
    return headline(answer or _stood_for(header, verdict.winner), _count(verdict))


def _stood_for(header: DuelHeader, winner: str) -> str:
    if winner in header.options:
        return header.options[winner].capitalize() if header.claim else header.options[winner]
    side = next((one.side for one in _debaters(header) if one.name == winner), None)
    if header.claim is not None and side is not None:
        return f"{'Upheld' if side == 'for' else 'Not upheld'}: {header.claim}"
    opened = _debaters(header)[0].name == winner
    return f"The side that {'opened' if opened else 'answered'} made the stronger case"


def _count(verdict: Verdict) -> str:
    return "" if None in verdict.scores.values() else _figures(verdict.winner or "", verdict.scores)


def _argued_by(header: DuelHeader, verdict: Verdict) -> str:
    """Who argued for the answer, and what became of the claim."""
    if verdict.winner is None:
        return ""
    stood = header.options.get(verdict.winner)
    case = f", for {stood}" if stood else ""
    argued = f"{verdict.winner} made the stronger case{case}."
    if header.claim is None or verdict.upheld is None or stood:
        return argued
    return f"{argued} The claim is {'' if verdict.upheld else 'not '}upheld: {header.claim}"


def _firmness(verdict: Verdict, jury: Jury | None) -> str:
    if verdict.winner is None:
        return ""
    if jury is not None:
        behind = list(jury.votes.values()).count(jury.winner)
        return f"{behind} of {plural(len(jury.votes), 'juror')} are behind it."
    return MARGINS.get(verdict.margin or "", "")


def _flags(verdict: Verdict, debaters: Sequence[Member], *, judged: bool) -> list[Flag]:
    """Reasons not to take the verdict at face value. `judged` is whether there is a judge to word it."""
    flags, by_jury = [], verdict.scores_from == "jury"
    if verdict.follows is not None and verdict.winner is not None and verdict.follows != verdict.winner:
        case = f"the case of {verdict.follows}" if verdict.follows else "neither case"
        text = (
            f"The judge’s answer contradicts the verdict and is left out: it follows {case}, and {verdict.winner} won."
        )
        flags.append(Flag(code="answer_contradicts_verdict", text=text))
    elif judged and verdict.brief is None and verdict.scores_from != "scores_alone":
        text = "The judge gave no answer in words, so the headline is what the winner stood for."
        flags.append(Flag(code="answer_missing", text=text))
    if verdict.scores_from == "scores_alone":
        text = (
            "The judge was asked for scores, and for a name only if they are level: a model that cannot judge would "
            "contradict its own scores by chance."
        )
        flags.append(Flag(code="winner_by_scores", text=text, severity="note"))
    elif not verdict.confirmed and not by_jury:
        source = "the name is the one in its final figures" if verdict.winner else "its final figures name none either"
        text = (
            "The winner is not confirmed: asked for the winner's name alone, the judge did not give exactly one of the "
            f"two; {source}."
        )
        flags.append(Flag(code="winner_not_confirmed", text=text))
    if not any(score is not None for score in verdict.scores.values()):
        text = f"No scores: the judge gave neither final nor running ones that could be used: {verdict.failure}"
        text = "No scores: no juror gave a usable vote." if by_jury else text
        flags.append(Flag(code="no_scores", text=text))
    elif verdict.scores_from == "running":
        text = f"Scores are the last running ones, as the judge gave no usable final ones: {verdict.failure}"
        flags.append(Flag(code="scores_from_running", text=text))
    if verdict.scores_contradict_winner:
        other = next((one.name for one in debaters if one.name != verdict.winner), "")
        who = "the jury" if by_jury else "the judge"
        text = (
            f"The scores contradict the winner: {who} named {verdict.winner} but scored {other} higher. "
            f"Both stand as {who} gave them."
        )
        flags.append(Flag(code="scores_contradict_winner", text=text))
    elif verdict.winner and level(verdict.scores):
        why = "the jury voted so" if by_jury else "the judge said so"
        text = f"The scores are level: {verdict.winner} won because {why}, not by score."
        flags.append(Flag(code="scores_level", text=text))
    return flags


def _running_flags(outcome: DuelOutcome) -> list[Flag]:
    """A flag if the judge's own last running scores are against its winner. A jury does not know them."""
    known = {name: [score for score in scores if score is not None] for name, scores in outcome.running_scores.items()}
    last = {name: scores[-1] for name, scores in known.items() if scores}
    own = last.get(outcome.winner or "")
    if own is None or outcome.jury is not None or max(last.values()) <= own:
        return []
    text = f"The judge’s last running scores are against the winner: {_figures(outcome.winner or '', {**last})}."
    return [Flag(code="running_scores_contradict_winner", text=text)]


def _gaps(entries: Sequence[Entry]) -> list[Flag]:
    return [*_missing_statements(entries), *_missing_scores(entries)]


def _missing_statements(entries: Sequence[Entry]) -> list[Flag]:
    without = [one for one in data_of(entries, Turn) if one.failure is not None]
    if not without:
        return []
    text = f"No statement was made at turn {listed([f'{one.turn}' for one in without])}."
    return [Flag(code="statements_missing", text=text)]


def _missing_scores(entries: Sequence[Entry]) -> list[Flag]:
    scores = data_of(entries, Score)
    without = [f"{score.turn}" for score in scores if score.score is None]
    if not without:
        return []
    text = f"Running scores are missing for turn {', '.join(without)}."
    return [Flag(code="running_scores_missing", text=text, severity="note")]


def _figure(score: int | None) -> str:
    return "none" if score is None else f"{score}"


def _figures(winner: str, scores: dict[str, int | None]) -> str:
    """The scores, the winner's first."""
    ordered = sorted(scores, key=lambda name: name != winner)
    return " to ".join(_figure(scores[name]) for name in ordered)

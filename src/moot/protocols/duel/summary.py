"""The presentation of a duel: the verdict in words, its flags, its scores, and the lines of its entries."""

from collections.abc import Mapping, Sequence

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
from moot.protocols.duel.payloads import Ballot, DuelHeader, Score, Turn, Verdict
from moot.protocols.duel.result import DuelOutcome, Jury, verdict_in
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
NOTES = ("running_scores_missing",)
"""The flag that is no warning."""


def summary(outcome: DuelOutcome, entries: Sequence[Entry]) -> Summary:
    header, (announced, verdict) = header_of(entries, DuelHeader), verdict_in(entries)
    if announced is None or verdict is None:
        missing = "No verdict yet" if header.is_judged else "No verdict: this debate has no judge"
        return Summary(headline=missing, kind="Answer", decided=False, flags=flags_of(outcome, header, entries))
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
        flags=flags_of(outcome, header, entries),
    )


def place(entries: Sequence[Entry]) -> str:
    """The turn that comes next, or the verdict after the last one."""
    header, spoken = header_of(entries, DuelHeader), len(data_of(entries, Turn))
    over = header.is_judged and spoken >= header.turns
    return "the verdict" if over else f"turn {min(spoken + 1, header.turns)} of {header.turns}"


# The verdict in words


def _how(verdict: Verdict, judge: str) -> str:
    if verdict.winner is None:
        return ""
    alone = "word" if level(verdict.scores) else "figures"
    return f"{judge} named the winner." if verdict.confirmed else f"By the judge’s {alone} alone."


def by_jury(jury: Jury) -> str:
    """How the jury voted, and what the order of the statements did to it."""
    order = f"; {jury.first_shown} of {plural(jury.readings, 'reading')} for the debater shown first"
    votes = f"{_votes(jury)}{order if jury.readings else ''}"
    return f"By a jury of {len(jury.votes)}, each reading in both orders: {votes}."


def _votes(jury: Jury) -> str:
    votes = list(jury.votes.values())
    counts = [f"{votes.count(name)} for {name}" for name in jury.scores]
    return listed([*counts, *([f"{votes.count(None)} for nobody"] if None in votes else [])])


def _headline(header: DuelHeader, verdict: Verdict, answer: str | None) -> str:
    """The judge's answer or, where it wrote none, what the winner stood for, with the count."""
    if verdict.winner is None:
        return winner_line(verdict)
    count = "" if None in verdict.scores.values() else _figures(verdict.winner, verdict.scores)
    return headline(answer or _stood_for(header, verdict.winner), count)


def _stood_for(header: DuelHeader, winner: str) -> str:
    side = next((debater.side for debater in header.debaters if debater.name == winner), None)
    if winner in header.options:
        return header.options[winner].capitalize() if header.claim else header.options[winner]
    if header.claim is not None and side is not None:
        return f"{'Upheld' if side == 'for' else 'Not upheld'}: {header.claim}"
    opened = header.debaters[0].name == winner
    return f"The side that {'opened' if opened else 'answered'} made the stronger case"


def _argued_by(header: DuelHeader, verdict: Verdict) -> str:
    """Who argued for the answer, and what became of the claim."""
    if verdict.winner is None:
        return ""
    stood = header.options.get(verdict.winner)
    argued = f"{verdict.winner} made the stronger case{f', for {stood}' if stood else ''}."
    if header.claim is None or verdict.upheld is None or stood:
        return argued
    return f"{argued} The claim is {'' if verdict.upheld else 'not '}upheld: {header.claim}"


def _firmness(verdict: Verdict, jury: Jury | None) -> str:
    if verdict.winner is None:
        return ""
    if jury is not None:
        return f"{_behind(jury)} of {plural(len(jury.votes), 'juror')} are behind it."
    return MARGINS.get(verdict.margin or "", "")


def _behind(jury: Jury) -> int:
    return list(jury.votes.values()).count(jury.winner) if jury.winner else 0


def winner_line(verdict: Verdict) -> str:
    """The winner and its known figures."""
    if verdict.winner is not None:
        count = "" if None in verdict.scores.values() else f", {_figures(verdict.winner, verdict.scores)}"
        return f"{verdict.winner} wins{count}"
    if verdict.scores_from == "jury":
        return "No winner: the jury came to no majority"
    if level(verdict.scores):
        return f"No winner: the scores are level, {' to '.join(map(_figure, verdict.scores.values()))}"
    return "No winner: the judge's replies do not establish one"


def _figure(score: int | None) -> str:
    return "none" if score is None else f"{score}"


def _figures(winner: str, scores: Mapping[str, int | None]) -> str:
    """The scores, the winner's first."""
    return " to ".join(_figure(scores[name]) for name in sorted(scores, key=lambda name: name != winner))


# Flags


def flags_of(outcome: DuelOutcome, header: DuelHeader, entries: Sequence[Entry]) -> list[Flag]:
    """Reasons not to take the verdict at face value, and what is missing."""
    verdict = verdict_in(entries)[1]
    texts = _against(verdict, header) if verdict else {}
    if verdict and outcome.jury:
        texts |= _against_jury(outcome.jury)
    elif verdict and (last := _running_against(outcome)):
        figures = _figures(verdict.winner or "", last)
        texts["running_scores_contradict_winner"] = (
            f"The judge’s last running scores are against the winner: {figures}."
        )
    unsaid = [f"{turn.turn}" for turn in data_of(entries, Turn) if turn.failure is not None]
    unscored = [f"{score.turn}" for score in data_of(entries, Score) if score.score is None]
    if unsaid:
        texts["statements_missing"] = f"No statement was made at turn {listed(unsaid)}."
    if unscored:
        texts["running_scores_missing"] = f"Running scores are missing for turn {', '.join(unscored)}."
    return [Flag(code=code, text=text, severity="note" if code in NOTES else "warning") for code, text in texts.items()]


def _against(verdict: Verdict, header: DuelHeader) -> dict[str, str]:
    texts, winner, voted = dict[str, str](), verdict.winner, verdict.scores_from == "jury"
    if winner is not None and verdict.follows not in (None, winner):
        case = f"the case of {verdict.follows}" if verdict.follows else "neither case"
        texts["answer_contradicts_verdict"] = (
            f"The judge’s answer contradicts the verdict and is left out: it follows {case}, and {winner} won."
        )
    elif header.judge and verdict.brief is None and verdict.scores_from != "scores_alone":
        instead = ", so the headline is what the winner stood for" if winner else ""
        texts["answer_missing"] = f"The judge gave no answer in words{instead}."
    if not verdict.confirmed and not voted and verdict.scores_from != "scores_alone":
        source = "the name is the one in its final figures" if winner else "its final figures name none either"
        texts["winner_not_confirmed"] = (
            f"The winner is not confirmed: asked for the name alone, the judge gave no clear answer; {source}."
        )
    if not any(score is not None for score in verdict.scores.values()):
        texts["no_scores"] = (
            "No scores: no juror gave a usable vote."
            if voted
            else f"No scores: the judge gave neither final nor running ones that could be used: {verdict.failure}"
        )
    elif verdict.scores_from == "running":
        texts["scores_from_running"] = (
            f"The judge gave no usable final scores, so these are the last running scores: {verdict.failure}"
        )
    who = "the jury" if voted else "the judge"
    if verdict.scores_contradict_winner:
        other = next((debater.name for debater in header.debaters if debater.name != winner), "")
        texts["scores_contradict_winner"] = (
            f"The scores contradict the winner: {who} named {winner} but scored {other} higher. Both stand as {who} "
            "gave them."
        )
    elif winner and level(verdict.scores):
        why = "the jury voted so" if voted else "the judge said so"
        texts["scores_level"] = f"The scores are level: {winner} won because {why}, not by score."
    return texts


def _against_jury(jury: Jury) -> dict[str, str]:
    texts = {}
    if len({vote for vote in jury.votes.values() if vote is not None}) > 1:
        texts["jury_split"] = f"The jury is split: {by_jury(jury).partition(': ')[2]}"
    if jury.swayed:
        swayed = listed(jury.swayed)
        texts["jury_unstable"] = (
            f"Voted for another winner when the order was swapped, so the vote does not count: {swayed}."
        )
    if jury.winner and 2 * _behind(jury) <= len(jury.votes):
        texts["jury_short"] = (
            f"The winner has no majority of the jury: {_behind(jury)} of {len(jury.votes)} voted for {jury.winner}."
        )
    return texts


def _running_against(outcome: DuelOutcome) -> dict[str, int]:
    """The judge's own last running scores if they are against its winner. A jury does not know them."""
    known = {name: [score for score in scores if score is not None] for name, scores in outcome.running_scores.items()}
    last = {name: scores[-1] for name, scores in known.items() if scores}
    return last if outcome.winner in last and max(last.values()) > last[outcome.winner] else {}


# Sections of the report


def sections(material: Material) -> list[Section]:
    header, scores = header_of(material.entries, DuelHeader), data_of(material.entries, Score)
    by_turn = "The judge’s running score of each debater, 0 to 10, after each of their turns."
    chart = ScoreChart("Running scores by turn", by_turn, _score_lines(header, material.entries), header.turns)
    rows = [[f"{score.turn}", score.of, _figure(score.score)] for score in scores]
    table = Table(["Turn", "Debater", "Running score"], rows, texts=2, name="Running scores")
    shown: list[Table | ScoreChart | Details] = (
        [_score_table(material), chart, Details("The same as a table", [table])] if scores else []
    )
    return [
        Section("ruling", "Verdict", _card(material, header), place="card"),
        Section("scores", "Scores, turn by turn", shown, brief=True, live="open"),
    ]


def _card(material: Material, header: DuelHeader) -> list[Standings | Quote]:
    """The standings and the judge's words."""
    announced, verdict = verdict_in(material.entries)
    lines = _score_lines(header, material.entries)
    last = {
        line.name: next((mark.score for mark in reversed(line.marks) if mark.score is not None), None) for line in lines
    }
    standings = [
        Standing(
            name=debater.name,
            colour=debater.colour,
            about=_about(debater, header),
            score=(verdict.scores if verdict else last).get(debater.name),
            won=verdict is not None and debater.name == verdict.winner,
            mark=material.marks[debater.name],
        )
        for debater in header.debaters
    ]
    title = "Final scores" if verdict else "Running scores so far"
    blocks: list[Standings | Quote] = [Standings(title, standings)] if header.is_judged else []
    if verdict is not None and verdict.brief is None and announced is not None and announced.speaker != "moot":
        blocks.append(Quote(announced.content, f"{announced.speaker}, the judge", announced.seq))
    return blocks


def _about(debater: Member, header: DuelHeader) -> str:
    side = header.side_of(debater.name)
    return f"{side} the claim" if side in ("for", "against") else side or "debater"


def _score_table(material: Material) -> Table:
    """The last running and the final score of each debater."""
    outcome = material.result.outcome
    assert isinstance(outcome, DuelOutcome)  # noqa: S101 (there is a header, so there is one)
    rows = []
    for name, running in outcome.running_scores.items():
        known = [score for score in running if score is not None]
        rows.append([name, _figure(known[-1] if known else None), _figure(outcome.scores.get(name))])
    return Table(["Debater", "Running score", "Final score"], rows, name="Scores", outcome=True)


def _score_lines(header: DuelHeader, entries: Sequence[Entry]) -> list[ScoreLine]:
    """The judge's running scores of each debater by turn; a missing score is a mark without one."""
    scores = [(entry.seq, entry.data) for entry in entries if isinstance(entry.data, Score)]
    return [
        ScoreLine(
            debater.name,
            debater.colour,
            [Mark(score.turn, score.score, seq) for seq, score in scores if score.of == debater.name],
        )
        for debater in header.debaters
    ]


# Lines of the live view


def lines() -> Lines:
    """Puts a duel's entries into lines. Remembers the scores, so that the next one can show the change."""
    header: DuelHeader | None = None
    scores: dict[str, int] = {}

    def line(entry: Entry) -> Line | None:
        nonlocal header
        match entry.data:
            case DuelHeader():
                header = entry.data
                return None
            case Turn(turn=turn, failure=str(why)):
                return Line("note", f"makes no statement at turn {turn}", text=why, tone="bad")
            case Turn(turn=turn):
                side = header.side_of(entry.speaker) if header else None
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
    below = []
    if header is not None:
        argued = _argued_by(header, verdict)
        below += [Paragraph(argued)] if argued else []
        below += [Paragraph(text, "flag") for text in _against(verdict, header).values()]
    judged = header is None or header.judge
    label = "answers the question" if judged else "counts the votes"
    return Line("verdict", label, badge="" if verdict.brief else winner_line(verdict), body=below)

"""The outcome of a persuasion dialogue, computed from its log."""

from collections.abc import Mapping, Sequence
from itertools import chain

from pydantic import BaseModel, Field

from moot.api import Entry, Header, Member, claim_in, first_data, header_of, shared_fields
from moot.api.capabilities import Ground
from moot.protocols.persuasion.citations import unknown_ids
from moot.protocols.persuasion.framework import MIDDLE, dialogue_of, framework, hangs_on_semantics, turns_in
from moot.protocols.persuasion.moves import SIDES, Side
from moot.protocols.persuasion.payloads import (
    DecidingArgument,
    DialogueJudgement,
    DialogueMove,
    FinalStatement,
    Framework,
    MoveSentBack,
    SharedContext,
    TurnForfeited,
)
from moot.protocols.persuasion.position import Dialogue, turns_of


class GivenUp(BaseModel):
    """Something conceded or retracted, with the side and the move. `rule` is the rule that did it for the side: it
    is against what the side granted (`clash`), or lacked a reason that was owed (`unbacked`)."""

    side: str
    move: str
    proposition: str
    content: str
    rule: str | None


class DialogueMetrics(BaseModel):
    """`arguments`, `rebuts`, `undercuts` and `supports` count all that was raised, `standing` the arguments left."""

    arguments: int
    standing: int
    rebuts: int
    undercuts: int
    supports: int
    derived_attacks: int
    concessions: int
    retractions: int
    moves: int
    sent_back: int
    forfeited: int


class ModeratorVerdict(DialogueJudgement):
    """The moderator's judgement, with its rationale."""

    rationale: str


class UnknownIds(BaseModel):
    """Ids in a text that do not exist on record as a fact, an argument or a move. They can be words that just look like
    ids. `where` is a move's id, a final statement, or the verdict."""

    where: str
    ids: list[str]


class PersuasionOutcome(BaseModel):
    """`winner` is a name and `winning_side` PRO or OPP, null before a verdict. `scores` are those of φ and ¬φ: null
    if it is not in the framework, or did not settle. The framework covers the moves so far. `ended` is the reason if
    it was over before the last round; `ended_early` means that turns were left. `decided_by` is `nothing` if nobody
    wins: there was no debate, or the rules left it to a moderator who named no winner. `took_part` are the sides that
    made a move of their own; with an `unmet_burden` the proponent gave no reason for φ that still stands.

    `deciding` is the argument that decides it."""

    topic: str
    proposition: str
    denial: str = ""
    perspective: str | None = None
    winner: str | None
    winning_side: str | None
    decided_by: str | None
    ended: str | None = None
    ended_early: bool
    scores: dict[str, float | None]
    by_semantics: dict[str, str | None] = Field(default_factory=dict)
    hangs_on_semantics: bool
    verdict: ModeratorVerdict | None
    commitments: dict[str, list[str]]
    concessions: list[GivenUp]
    retractions: list[GivenUp]
    unanswered: list[str]
    unknown_ids: list[UnknownIds]
    framework: Framework | None
    metrics: DialogueMetrics | None
    took_part: list[str]
    unmet_burden: bool
    deciding: DecidingArgument | None = None

    @property
    def margin(self) -> float | None:
        """How far the cases are apart. A ¬φ that is not in the framework has the score of an untouched claim."""
        phi, denied = self.scores.get("claim"), self.scores.get("denial")
        return None if phi is None else abs(phi - (MIDDLE if denied is None else denied))


def outcome(entries: Sequence[Entry]) -> PersuasionOutcome:
    header = header_of(entries, Header)
    context = first_data(entries, SharedContext)
    dialogue = dialogue_of(entries)
    # Before the verdict, what the moves amount to so far.
    found = first_data(entries, Framework) or (framework(dialogue) if dialogue else None)
    said = next((entry for entry in entries if isinstance(entry.data, DialogueJudgement)), None)
    judgement = said.data if said and isinstance(said.data, DialogueJudgement) else None
    known = {one.id: one.score for one in found.arguments} if found else {}
    return PersuasionOutcome(
        topic=header.topic,
        **{"proposition": claim_in(entries), **shared_fields(context, "proposition", "denial", "perspective")},
        **shared_fields(found, "ended", "by_semantics", "deciding"),
        winner=judgement.winner if judgement else None,
        winning_side=judgement.side if judgement else None,
        decided_by=(judgement.decided_by if judgement.winner else "nothing") if judgement else None,
        ended_early=turns_in(entries) < turns_of(context.rounds) if context and found and found.ended else False,
        scores={"claim": known.get(found.root), "denial": known.get(found.counter_root or "")} if found else {},
        hangs_on_semantics=_hangs(dialogue, found, judgement) if dialogue and found else False,
        verdict=ModeratorVerdict(rationale=said.content, **dict(judgement)) if said and judgement else None,
        commitments={side: _ordered(dialogue, store) for side, store in dialogue.stores.items()} if dialogue else {},
        concessions=_given(dialogue, "concede") if dialogue else [],
        retractions=_given(dialogue, "retract") if dialogue else [],
        unanswered=[one for side in dialogue.stores for _, one in dialogue.unanswered(side)] if dialogue else [],
        unknown_ids=_unknown(entries, dialogue) if dialogue else [],
        framework=found,
        metrics=_metrics(entries, dialogue, found) if dialogue and found else None,
        took_part=[side for side in dialogue.stores if dialogue.took_part(side)] if dialogue else [],
        unmet_burden=bool(dialogue and dialogue.given_up and dialogue.given_up.rule == "unbacked"),
    )


REFUSES: Mapping[Ground, Sequence[str]] = {
    "missing": ("verdict_not_whole", "scores_not_converged"),
    "contradicted": ("answer_contradicts_verdict", "hangs_on_semantics", "unfounded_concessions"),
    "incomplete": ("side_silent", "turns_forfeited"),
}
"""Flags that make a verdict unreliable."""


def met_by(side: Side | None) -> list[str]:
    """The requirements that a verdict for this side meets."""
    return [SIDES[side], "winner"] if side else []


def debaters(entries: Sequence[Entry]) -> list[Member]:
    header = first_data(entries, Header)
    return [member for member in header.cast if member.role == "debater"] if header else []


def _hangs(dialogue: Dialogue, found: Framework, judgement: DialogueJudgement | None) -> bool:
    """Whether another semantics favours another side than the winner; a conceded or retracted root is lost under
    any."""
    if dialogue.given_up:
        return False
    return hangs_on_semantics(judgement.side if judgement else found.winner, found.by_semantics)


def _unknown(entries: Sequence[Entry], dialogue: Dialogue) -> list[UnknownIds]:
    texts: dict[str, list[str]] = {}
    for entry in entries:
        match entry.data:
            case DialogueMove(rule=None):
                texts[entry.data.id] = [entry.data.said, *(put.content for put in entry.data.puts)]
            case FinalStatement(side=side):
                texts[f"the final statement of the {SIDES[side]}"] = [entry.content]
            case DialogueJudgement() as said:
                brief = said.brief.model_dump_json() if said.brief else ""
                points = (said.valid_points, said.open_questions, said.concessions)
                texts["the verdict"] = [entry.content, *chain(*points), brief]
            case _:
                pass
    found = {where: unknown_ids(dialogue, said) for where, said in texts.items()}
    return [UnknownIds(where=where, ids=ids) for where, ids in found.items() if ids]


def _ordered(dialogue: Dialogue, store: frozenset[str]) -> list[str]:
    return [one for one in dialogue.propositions if one in store]


def _given(dialogue: Dialogue, act: str) -> list[GivenUp]:
    return [
        GivenUp(
            move=move.id,
            content=dialogue.propositions[move.proposition].content,
            side=move.side,
            proposition=move.proposition,
            rule=move.rule,
        )
        for move in dialogue.moves
        if move.act == act
    ]


def _metrics(entries: Sequence[Entry], dialogue: Dialogue, found: Framework) -> DialogueMetrics:
    acts = [move.act for move in dialogue.moves]
    return DialogueMetrics(
        arguments=len(dialogue.propositions),
        standing=len(found.arguments),
        rebuts=sum(move.attack == "rebut" for move in dialogue.moves),
        undercuts=sum(move.attack == "undercut" for move in dialogue.moves),
        supports=sum(len(move.premises) for move in dialogue.moves),
        derived_attacks=len(found.derived),
        concessions=acts.count("concede"),
        retractions=acts.count("retract"),
        moves=len(acts),
        sent_back=sum(isinstance(entry.data, MoveSentBack) for entry in entries),
        forfeited=sum(isinstance(entry.data, TurnForfeited) for entry in entries),
    )

"""A duel in batches and evaluations: its findings, its versions, and how to ask it a question."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from moot.api import ConfigError, Entry, data_of, denied, header_of
from moot.api.studies import TRUTH, Asking, Content, Findings, FoundAnswer, Match, Question, Reading, Study, Variation
from moot.protocols.duel.config import DuelConfig
from moot.protocols.duel.payloads import Ballot, DuelHeader
from moot.protocols.duel.result import DuelOutcome
from moot.text.language import is_question

OTHER = {"for": "against", "against": "for"}
DEBATERS = ("Avery", "Blake")


def find(outcome: DuelOutcome, entries: Sequence[Entry]) -> Findings:
    header = header_of(entries, DuelHeader)
    names = [member.name for member in header.debaters]
    winner, scores = outcome.winner, outcome.scores
    compared = winner is not None and bool(scores) and None not in scores.values()
    return Findings(
        winner=winner,
        claim=header.claim,
        upheld=outcome.upheld,
        decision=winner,
        confirmed=outcome.confirmed,
        scores_contradict_winner=outcome.scores_contradict_winner if compared else None,
        scores=scores,
        ordered=True,
        readings=[
            Reading(ballot.juror, names[0 if ballot.order == "given" else 1], ballot.winner, ballot.failure)
            for ballot in data_of(entries, Ballot)
        ],
    )


def vary(content: Content, changes: Mapping[Variation, bool]) -> Content:
    """A version of a duel, with a fixed cast, sides and order."""
    made = dict(content)
    one, two = seated(made)
    if changes.get("sides"):
        for key in ("side", "position"):  # personality and instructions stay with the persona
            one[key], two[key] = two[key], one[key]
    if changes.get("claim"):
        reverse(made, one, two)
    made["debaters"] = [two, one] if changes.get("order") else [one, two]
    return made


def seated(made: Content) -> tuple[Content, Content]:
    """The debaters as they are drawn, each with a side. In the config, models are then given by name instead of role,
    because the roles will change hands."""
    seed, pools = made.get("seed", 0), (made.pop("for", None), made.pop("against", None))
    one, two = made.get("debaters") or (drawn(seed, "for", pools[0]), drawn(seed, "against", pools[1]))
    side = one.get("side") or OTHER.get(two.get("side") or "", "for")
    one, two = {**one, "side": side}, {**two, "side": OTHER[side]}
    if made.get("order") == "random" and drawn(seed, "order", [False, True]):
        one, two = two, one
    names = {"a": one["name"], "b": two["name"]}
    made["roles"] = {names.get(role.casefold(), role): models for role, models in made.get("roles", {}).items()}
    made["order"] = "fixed"
    return one, two


def reverse(made: Content, *debaters: Content) -> None:
    """Make the denial the claim: the supporter of one opposes the other, and keeps its position."""
    claim, options = made.get("claim"), made.get("options")
    if claim is None and not options:
        raise ConfigError("--reverse-claim needs a debate with a `claim`", "claim", missing=True)
    denial = made.get("denial") or denied(claim or "")
    made |= {"options": options[::-1]} if options else {"claim": denial, "denial": claim}
    for debater in debaters:
        debater["side"] = OTHER[debater["side"]]
        if not options:
            debater["position"] = REVERSED.format(debater["position"], claim, denial, debater["side"].upper())


def drawn(seed: int, what: str, pool: Any) -> Any:
    """A member of a pool, drawn as the duel itself would."""
    return pool[random.Random(f"{seed}/{what}").randrange(len(pool))]  # noqa: S311 (to be repeated, not a secret)


def lots(config: DuelConfig, seed: int) -> list[int]:
    """The members of its pools that a duel draws by its seed, which can have different models."""
    pools = {"for": config.pool_for, "against": config.pool_against, "judge": config.judges}
    return [drawn(seed, what, range(len(pool))) for what, pool in pools.items() if pool]


def settings(given: Mapping[str, Any], question: Question, candidates: tuple[str, ...]) -> dict[str, Any]:
    """Two debaters defend one answer each, and the judge says which is right."""
    answers = [question.shown(candidate) for candidate in candidates]
    positions = {side: POSITION.format(answer=answer) for side, answer in zip(OTHER, answers, strict=True)}
    judge = {"name": "Morgan", "personality": JUDGE, "judging_criteria": TRUTH, **(given.get("judge") or {})}
    pair = debaters(positions, DEBATER, ARGUE)
    return {"topic": question.task, "options": answers, "factual": True, "debaters": pair, "judge": judge}


def debaters(positions: Mapping[str, str], personality: str, instructions: str) -> list[Content]:
    """Two who differ only in their side and its position."""
    return [
        {"name": name, "personality": personality, "position": position, "instructions": instructions, "side": side}
        for name, (side, position) in zip(DEBATERS, positions.items(), strict=True)
    ]


def read(outcome: DuelOutcome, question: Question, candidates: tuple[str, ...]) -> FoundAnswer:  # noqa: ARG001 (one of several)
    if outcome.winner not in DEBATERS:
        return FoundAnswer(None, True, "the judge named no winner")
    return FoundAnswer(candidates[DEBATERS.index(outcome.winner)], False, f"{outcome.winner} won")


def unsuited(given: Mapping[str, Any]) -> str | None:
    own = {"debaters", "for", "against", "claim", "denial", "kind", "options", "judges"} & given.keys()
    return f"in an evaluation the question gives the sides of a duel; take {min(own)!r} out" if own else None


def match_settings(match: Match) -> dict[str, Any]:
    """Two debaters that differ only in their model, before a jury without a judge."""
    sides = ("for", "against") if match.for_opens else ("against", "for")
    models = {"for": match.for_model, "against": match.against_model}
    seats = {"A": models[sides[0]], "B": models[sides[1]]}
    return {
        "topic": match.motion,
        "claim": match.claim or (None if is_question(match.motion) else match.motion),
        "no_frame": True,  # all matches on a motion are about the same words
        "debaters": debaters({side: f"You argue {side} the claim." for side in sides}, ADVOCATE, PLEAD),
        "judge": None,
        "jury": list(match.jury),
        "roles": seats | {f"juror-{number}": model for number, model in enumerate(match.jury, 1)},
    }


STUDY = Study(
    find=find,
    match=match_settings,
    answers=bool,
    subjects=("topic", "claim"),
    of_question=("denial", "kind", "options"),
    vary=vary,
    variations=("sides", "order", "claim"),
    lots=lots,
    asking=Asking(
        settings,
        read,
        unsuited=unsuited,
        speakers=tuple(zip(("A", "B"), DEBATERS, strict=True)),
        blind_first=True,
        rounds=lambda config: config.turns // 2,
    ),
)

REVERSED = (
    "{}\n\nIn this debate the claim is put the other way round. Where your brief speaks of the claim, it means "
    "“{}”; here the claim is “{}”, and you argue {} it. What you hold is the same as before."
)
ADVOCATE = "You are an experienced debater, who argues the side that was drawn, whatever you believe yourself."
PLEAD = "Make the strongest honest case for your side, and answer the best point of the other side first."
DEBATER = "You are a careful debater, and you know that the judge can check every step you take."
POSITION = "You hold that the right answer is: {answer}"
ARGUE = (
    f"{TRUTH} Make the strongest honest case for your answer: show each step that leads to it, quote what you were "
    "given word for word where it bears you out, and name the step at which the other answer goes wrong. Claim nothing "
    "that you can see to be false."
)
JUDGE = "You are a judge who checks every step for yourself, and whom fine words do not move."

"""The end of a persuasion dialogue: the framework is scored, and the moderator explains it."""

from typing import Any

from moot.api import Draft, Fact, Failure, brief_parts, fenced, plain_form
from moot.protocols.persuasion.cast import Talk
from moot.protocols.persuasion.citations import (
    ask_on_record,
    doubts_about,
    given_up,
    ids_in,
    strange_figures,
    unfounded,
    unknown_ids,
)
from moot.protocols.persuasion.deciding import judged
from moot.protocols.persuasion.framework import CLOSE
from moot.protocols.persuasion.moves import SIDES
from moot.protocols.persuasion.payloads import DialogueJudgement, Framework
from moot.protocols.persuasion.prompts import FINDINGS, RATIONALE
from moot.protocols.persuasion.shapes import NEITHER, NOBODY, Findings, Rationale, findings_shape, rationale_shape


async def judge(talk: Talk) -> None:
    """Score the framework and let the moderator explain it."""
    found = judged(talk.state)
    talk.room.emit("framework", "moot", outcome_text(talk, found), phase="verdict", data=found)
    if not any(map(talk.state.took_part, SIDES)):
        nothing = DialogueJudgement(winner=None, side=None, decided_by="nothing", failure=None)
        text = "Neither side made a move, so there is nothing to judge."
        talk.room.emit("judgement", "moot", text, phase="verdict", data=nothing)
        return
    why = await explain(talk, found)
    names = {side: agent.name for side, agent in talk.agents.items()}
    chosen = why.winner if isinstance(why, Rationale) and found.decided_by == "moderator" else None
    winner = names[found.winner] if found.winner else chosen
    more = await conclude(talk, winner)
    lacking = [one.reason for one in (why, more) if isinstance(one, Failure)]
    text = why.rationale if isinstance(why, Rationale) else "The moderator gave no rationale that could be used."
    if strange := figures_of_others(talk, found, text):
        lacking.append(f"its rationale is left out, as it names scores that no argument has: {', '.join(strange)}")
        text = "The moderator gave no rationale that could be used."
    parts: dict[str, Any] = {}
    if isinstance(why, Rationale):
        named = [one for one in ids_in(text) if one in talk.state.propositions]
        parts = {"cites": why.cites or named, "strongest": why.strongest}
    if isinstance(more, Findings):
        parts |= {
            "valid_points": more.valid_points_of_the_loser,
            "open_questions": more.unaddressed_questions,
            "concessions": more.concessions_that_mattered,
            "unfounded": unfounded(talk.state, more.concessions_that_mattered),
            "brief": more.brief(citable(talk)),
            "follows": "" if more.follows == NEITHER else more.follows,
        }
    judgement = DialogueJudgement(
        winner=winner,
        side=next((side for side, name in names.items() if name == winner), None),
        decided_by=found.decided_by if winner else "nothing",
        failure="; ".join(lacking) or None,
        **parts,
    )
    call = why.key if isinstance(why, Failure) else talk.moderator.key("rationale")
    talk.room.emit("judgement", talk.moderator, text, phase="verdict", data=judgement, call=call)


async def explain(talk: Talk, found: Framework) -> Rationale | Failure:
    """The reasons for the verdict, and the winner if the rules leave it to the moderator."""
    room, moderator = talk.room, talk.moderator
    names = {side: agent.name for side, agent in talk.agents.items()}
    winners = (names[found.winner],) if found.winner else tuple(names.values())
    if found.decided_by == "nothing":
        winners = (NOBODY,)
    told = fenced(account(talk, found), "account of the program")
    surviving = tuple(one.id for one in found.arguments if one.state == "above")
    shape = rationale_shape(winners, tuple(talk.state.propositions), surviving, in_person=moderator.is_person)
    prompt = RATIONALE(
        record=list(talk.public),
        account=told,
        outcome=outcome_text(talk, found),
        viewpoint=viewpoint(talk),
    )
    return await ask_on_record(
        room,
        shape,
        moderator,
        prompt,
        "rationale",
        doubts=lambda given: [
            *doubts_about(talk.state, unknown_ids(talk.state, texts_of(given))),
            *(f"no argument has the score {one}" for one in figures_of_others(talk, found, given.rationale)),
        ],
    )


def figures_of_others(talk: Talk, found: Framework, text: str) -> list[str]:
    """The scores in a rationale that are not those of this framework."""
    state = talk.state
    known = [score for one in found.arguments for score in (one.score, one.dfquad)]
    words = [*(move.said for move in state.moves), *(one.content for one in state.propositions.values())]
    return strange_figures(text, [*known, *found.surviving_sums.values(), CLOSE], [*words, *state.facts.values()])


async def conclude(talk: Talk, winner: str | None) -> Findings | Failure:
    """Remarks on the dialogue, and the answer to whoever asked. An answer that follows another case than the winner's
    is sent back once."""
    pro, opp = (agent.name for agent in talk.agents.values())
    moves = [f"{move.id} ({move.act} {move.proposition})" for move in given_up(talk.state)]
    listed = "none, as nobody conceded or retracted anything."
    if moves:
        listed = f"each by the id of its move, and what it changed. On record: {', '.join(moves)}."
    shape = findings_shape((opp, pro) if winner == opp else (pro, opp))
    parts = brief_parts("the ids of the moves or arguments that bear it out")
    known: dict[str, Fact] = {"viewpoint": viewpoint(talk), "given_up": listed}

    def doubts(given: Findings) -> list[str]:
        unknown = unknown_ids(talk.state, texts_of(given))
        found = doubts_about(talk.state, unknown, given.concessions_that_mattered)
        astray = winner is not None and given.follows != winner
        return [*found, *([f"`answer` does not follow {winner}, who wins by the rules"] if astray else [])]

    return await ask_on_record(
        talk.room,
        plain_form(shape) if talk.moderator.is_person else shape,
        talk.moderator,
        FINDINGS(**known, parts=parts, pro=pro, opp=opp),
        "findings",
        doubts=doubts,
    )


def citable(talk: Talk) -> dict[str, Draft]:
    """The entries of the moves by their ids, and by the ids of the arguments that they put forward."""
    put = {one.id: talk.written[move.id] for move in reversed(talk.state.moves) for one in move.puts}
    return {**put, **talk.written}


def viewpoint(talk: Talk) -> str:
    return f", from the viewpoint of {talk.config.perspective}" if talk.config.perspective else ""


def texts_of(given: Rationale | Findings | Failure) -> list[str]:
    """The moderator's texts."""
    if isinstance(given, Failure):
        return []
    if isinstance(given, Rationale):
        return [given.rationale]
    return [
        *given.valid_points_of_the_loser,
        *given.unaddressed_questions,
        *given.concessions_that_mattered,
        *(one.reason for one in given.because),
        *(given.objection, given.agreed, given.would_change_it, given.next, given.answer),
    ]


def account(talk: Talk, found: Framework) -> str:
    """The framework in lines, for the moderator."""
    names = {side: agent.name for side, agent in talk.agents.items()}
    state = talk.state
    lines = []
    for one in found.arguments:
        score = "no score: the iteration did not settle" if one.score is None else f"{one.score:.3f} ({one.state})"
        lines.append(f"{one.id}, {names[one.side]}, {score}")
    lines += [f"{one.source} {one.kind}s {one.target}" for one in found.relations]
    gone = [one for one in state.propositions if one not in {argument.id for argument in found.arguments}]
    lines += [f"{one}, retracted" for one in gone]
    lines += [f"{names[move.side]} conceded {move.proposition}" for move in state.moves if move.act == "concede"]
    for side in SIDES:
        lines += [f"{why.id} asked why {one}, unanswered by {names[side]}" for why, one in state.unanswered(side)]
    return "\n".join(lines)


def outcome_text(talk: Talk, found: Framework) -> str:
    """The winner and the deciding rule, in a sentence or two."""
    scores = {one.id: one.score for one in found.arguments}
    figures = f"the claim scores {_figure(scores, found.root)}, its denial {_figure(scores, found.counter_root)}"
    if found.decided_by == "nothing":
        return f"There is no winner: {found.ended or 'neither side made a move'}, and nobody spoke against it."
    if found.winner is None:
        return f"The rules leave the winner to the moderator: {figures}, and the surviving arguments do not decide."
    how = {
        "concession": found.ended,
        "retraction": found.ended,
        "surviving arguments": f"{figures}, too close to decide; the sums of surviving arguments do",
    }.get(found.decided_by, figures)
    hangs = " Another way of scoring would decide otherwise." if found.hangs_on_semantics else ""
    return f"{talk.agents[found.winner].name}, the {SIDES[found.winner]}, wins: {how}.{hangs}"


def _figure(scores: dict[str, float | None], name: str | None) -> str:
    if name is None:
        return "never claimed"
    if name not in scores:
        return "gone"
    score = scores[name]
    return "not settled" if score is None else f"{score:.3f}"

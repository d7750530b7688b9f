"""An arena in batches and evaluations: its findings, and how it is asked a question."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.api import Entry
from moot.api.studies import TRUTH, Asking, Change, Findings, FoundAnswer, Question, Study
from moot.protocols.arena.payloads import ArenaProposal
from moot.protocols.arena.result import ArenaOutcome
from moot.protocols.personas import defaults_of
from moot.text.prose import plain_words


def find(outcome: ArenaOutcome, entries: Sequence[Entry]) -> Findings:  # noqa: ARG001 (one of several)
    majority, decision = outcome.first_majority, outcome.decision
    same = None if majority is None or decision is None else plain_words(majority) == plain_words(decision)
    return Findings(
        winner=outcome.winner,
        decision=decision,
        first_decision=majority,
        changed_by_debate=None if same is None else not same,
        scores=outcome.assessment.scores if outcome.assessment else {},
        changes=[
            Change(one.agent, one.from_decision, one.to_decision, bool((one.new_evidence or "").strip()))
            for one in outcome.changes_of_mind
        ],
    )


def settings(given: Mapping[str, Any], question: Question, candidates: tuple[str, ...]) -> dict[str, Any]:  # noqa: ARG001
    """The agents end their decision with the answer. The shipped ones, who are made for decisions, get other angles."""
    own: dict[str, Any] = {} if "criteria" in given else {"criteria": CRITERIA}
    shipped = defaults_of("arena")
    if isinstance(number := given.get("agents", shipped["usual"]), int):
        agents = zip(shipped["agents"][:number], ANGLES, strict=False)
        own |= {"agents": [{**agent, "personality": angle} for agent, angle in agents]} if number <= len(ANGLES) else {}
    if not {"judge", "judges"} & given.keys():
        own["judges"] = [{**shipped["judges"][0], "personality": JUDGE}]
    return {"topic": TASK.format(task=question.task, truth=TRUTH), "answer_form": question.form, **own}


def read(outcome: ArenaOutcome, question: Question, candidates: tuple[str, ...]) -> FoundAnswer:  # noqa: ARG001
    if outcome.decision is None:
        return FoundAnswer(None, True, "nothing was decided")
    stated = question.states_answer(outcome.decision)
    answer = question.answer_in(outcome.decision if stated else outcome.proposal or "")
    how = f"by {outcome.decided_by}"
    return FoundAnswer(answer, False, how if answer is not None else f"{how}, but its answer cannot be read")


def said(entry: Entry) -> str | None:
    """The decision in a proposal, or its text if the decision states no answer."""
    data = entry.data
    if not isinstance(data, ArenaProposal) or data.failure is not None:
        return None
    return (data.decision if "ANSWER:" in (data.decision or "") else data.proposal) or ""


STUDY = Study(find=find, asking=Asking(settings, read, said=said, rounds=lambda config: config.revision_rounds))

TASK = """Answer this question.

{task}

{truth}"""
ANGLES = (
    "You work forwards, from what is given to what is asked.",
    "You work backwards: you take possible answers, and look for what rules them out.",
    "You estimate first, then compute or look it up in what is given, and compare the two.",
    "You write down what is known and what is asked before anything else.",
    "You look for the trap: the word that is easily overlooked, the case that is easily forgotten.",
    "You solve a smaller case of the same kind first.",
    "You check the result by another way to it.",
)
JUDGE = "You are an even-handed judge who checks every step for yourself, and whom fine words do not move."
CRITERIA = {"correctness": "Is the answer right, and does every step that leads to it hold?"}

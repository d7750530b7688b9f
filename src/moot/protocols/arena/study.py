"""An arena in batches and evaluations: its findings, and how it is asked a question."""

from collections.abc import Mapping, Sequence
from typing import Any

from moot.engine.study import Asking, Change, Findings, Question, Said, Study, plain_words
from moot.protocols.arena.result import ArenaOutcome
from moot.record.entry import Entry


def find(outcome: ArenaOutcome, entries: Sequence[Entry]) -> Findings:  # noqa: ARG001 (one of several)
    majority = outcome.counterfactual.round_1_majority.decision if outcome.counterfactual else None
    decision = outcome.decision
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
    """The agents end their decision with the answer."""
    own = {} if "criteria" in given else {"criteria": CRITERIA}
    return {"topic": TASK.format(task=question.task, form=question.form), **own}


def read(outcome: ArenaOutcome, question: Question, candidates: tuple[str, ...]) -> Said:  # noqa: ARG001
    first = {
        name: _proposed(made[0].decision, made[0].proposal, question) for name, made in outcome.versions.items() if made
    }
    seqs = frozenset(made[0].seq for made in outcome.versions.values() if made)
    if outcome.decision is None:
        return Said(None, True, "nothing was decided", first, seqs)
    answer = _proposed(outcome.decision, outcome.proposal or "", question)
    how = f"by {outcome.decided_by}"
    return Said(answer, False, how if answer is not None else f"{how}, but its answer cannot be read", first, seqs)


def _proposed(decision: str, proposal: str, question: Question) -> str | None:
    """The answer in a proposal's decision, or in its text if the decision states none."""
    return question.answer_in(decision if question.states_answer(decision) else proposal)


STUDY = Study(find=find, asking=Asking(settings, read, has_first=True))

TASK = """Answer this question.

{task}

Your decision is the answer. Write it as: ANSWER: {form}"""
CRITERIA = {"correctness": "Is the answer right, and does every step that leads to it hold?"}

"""The objections to a proposal, the gravest first, and what its author made of each."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from moot.api import Draft, Entry
from moot.protocols.arena.payloads import ArenaProposal, Critique, CritiqueIssue, ObjectionAnswer

GRAVEST = 3
"""The objections to a proposal that others than its author are shown; of the rest they are told the number."""


@dataclass(frozen=True, slots=True)
class Objection:
    """An issue that a critic raised in `critique`; `number` is how the author answers it, `answer` what it last made of
    it. `gone`: the words that it quotes are no longer in the proposal."""

    number: str
    critique: Draft | Entry
    issue: CritiqueIssue
    answer: ObjectionAnswer | None
    gone: bool

    @property
    def raised(self) -> str:
        """As its author hears of it, with what would mend it."""
        quote = f"on “{self.issue.quote}”: " if self.issue.quote else ""
        mend = f" Suggestion: {' '.join(self.issue.suggestion.split())}" if self.issue.suggestion.strip() else ""
        return f"{self._head} {quote}{' '.join(self.issue.issue.split())}{mend}"

    @property
    def answered(self) -> str:
        """As others are shown it, with what the author made of it."""
        fate = f"{self.answer.verdict}. {self.answer.reason}" if self.answer else "passed over it."
        gone = " The words that it quotes are gone." if self.gone else ""
        return f"{self._head} {' '.join(self.issue.issue.split())}{gone} The author: {fate}"

    @property
    def _head(self) -> str:
        return f"{self.number} (severity {round(100 * self.issue.severity)}):"


def objections_to(author: str, entries: Iterable[Draft | Entry]) -> list[Objection]:
    """All objections to an author's proposal in these critiques and proposals."""
    told = list(entries)
    raised = sorted(_issues(author, told), key=lambda one: -one[1].severity)
    own = [
        one.data
        for one in told
        if one.speaker == author and isinstance(one.data, ArenaProposal) and not one.data.failure
    ]
    now = " ".join((own[-1].proposal or "").casefold().split()) if own else ""
    answers = {(answer.by, answer.issue): answer for data in own for answer in data.answers}
    return [
        Objection(
            f"O{place}",
            critique,
            issue,
            answers.get((critique.speaker, issue.issue)),
            gone=bool(issue.quote) and " ".join((issue.quote or "").casefold().split()) not in now,
        )
        for place, (critique, issue) in enumerate(raised, 1)
    ]


def gravest(objections: Sequence[Objection]) -> str:
    """The gravest objections, each with what the author made of it."""
    more = [f"Lesser ones that are not shown: {len(objections) - GRAVEST}."] if len(objections) > GRAVEST else []
    return "\n".join([*(one.answered for one in objections[:GRAVEST]), *more]) or "Nobody objected."


def _issues(author: str, told: Sequence[Draft | Entry]) -> Iterator[tuple[Draft | Entry, CritiqueIssue]]:
    for one in told:
        if isinstance(one.data, Critique) and one.data.of == author:
            yield from ((one, issue) for issue in one.data.issues)

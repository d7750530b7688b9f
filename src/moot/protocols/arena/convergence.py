"""Convergence has two gates: the similarity of the proposals, and whether their authors say they decide the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from moot.engine.play.structured import Failure
from moot.models.embeddings import Alike, alike, threshold_of
from moot.protocols.arena import prompts
from moot.protocols.arena.board import board, by_number, number_of, seat_facts
from moot.protocols.arena.cast import Arena, Seat, failed
from moot.protocols.arena.evidence_quality import evidence_of, hollow_bar
from moot.protocols.arena.payloads import ArenaProposal, Convergence, PairSimilarity, SameDecision
from moot.protocols.arena.shapes import SameOrNot
from moot.record.entry import Draft
from moot.text.figures import bound, reached


@dataclass(frozen=True, slots=True)
class Consensus:
    """The result of asking whether all decide the same as `nearest`: `agreeing` of all `agents`, including those
    without a proposal."""

    reached: bool
    nearest: str
    agreeing: int
    agents: int
    answers: Sequence[Draft]

    @property
    def share(self) -> float:
        return round(self.agreeing / self.agents, 4)


async def how_alike(arena: Arena, number: int, phase: str = "revision") -> Convergence:
    """The first gate: the similarity of every pair of proposals; the minimum is compared with the threshold."""
    config, seats = arena.config, arena.proposing
    texts = [words_of(seat.proposal) for seat in seats]
    before = [words_of(_before(seat, number)) for seat in seats]

    async def measure() -> Alike:
        return await alike([*texts, *before])

    found = await arena.room.learn(Alike, f"similarity/{number}", measure)
    figures = dict(zip(combinations(range(2 * len(seats)), 2), found.similarities, strict=False))
    whole = len(figures) == len(seats) * (2 * len(seats) - 1)
    threshold = threshold_of(found.backend) if config.convergence_threshold is None else config.convergence_threshold
    quality = {seat.name: evidence_of(words_of(seat.proposal), arena.known).quality for seat in seats}
    bar = hollow_bar(threshold, sum(quality.values()) / len(quality)) if arena.trickster else None
    pairs = {pair: figures[pair] for pair in combinations(range(len(seats)), 2)} if whole else {}
    minimum = min(pairs.values(), default=None)
    data = Convergence(
        round=number,
        backend=found.backend,
        threshold=threshold if whole else None,
        pairs=[PairSimilarity(a=seats[a].name, b=seats[b].name, similarity=one) for (a, b), one in pairs.items()],
        mean=round(sum(pairs.values()) / len(pairs), 4) if pairs else None,
        minimum=minimum,
        stability={seat.name: figures[i, i + len(seats)] for i, seat in enumerate(seats)} if whole else {},
        nearest=_nearest(seats, pairs) if pairs else None,
        passed=minimum is not None and minimum >= threshold,
        quality=quality,
        bar=bar,
        hollow=minimum is not None and bar is not None and minimum >= bar,
        failure=None if whole else "similarity could not be measured",
    )
    arena.room.emit("convergence", "moot", _in_words(data), phase=phase, to=[], data=data)
    arena.hollow = data.hollow
    return data


async def agreement_on(arena: Arena, number: int, found: Convergence) -> Consensus:
    """The second gate: each agent is asked whether its proposal decides the same as the one most similar to all
    others, whose author is not asked. A failed answer is not agreement."""
    seats = arena.proposing
    shown = next(seat for seat in seats if seat.name == found.nearest)
    asked = [seat for seat in seats if seat is not shown]
    answers = await arena.room.together(
        *(same_decision(arena, seat, shown, f"agree/{number}", "revision", number) for seat in asked)
    )
    yes = 1 + sum(says_same(draft) for draft in answers)
    agents = len(arena.seats)
    # Only named differences help a revision.
    arena.differences = [draft for draft in answers if not says_same(draft) and not failed(draft)]
    return Consensus(yes / agents >= arena.config.convergence_agreement, shown.name, yes, agents, answers)


async def same_decision(arena: Arena, seat: Seat, shown: Seat, at: str, phase: str, number: int) -> Draft:
    """Whether this agent says its proposal decides the same as the one shown."""
    room = arena.room
    prompt = prompts.AGREE(
        **seat_facts(arena, seat),
        # The one that all are asked about comes first, so that their requests begin alike.
        proposals=board(arena, [shown, seat]),
        theirs_number=number_of(arena, shown.name),
        theirs=by_number(arena, shown.decision),
    )
    found, call = await arena.ask(seat, SameOrNot, prompt, at)
    if isinstance(found, Failure):
        data = SameDecision(round=number, of=shown.name, same=None, differs_in=None, failure=found.reason)
        return room.emit("agreement", seat.agent, f"No answer: {found.reason}", phase=phase, data=data, call=call)
    differs = found.differs_in.strip() or None
    same = found.same == "yes"
    data = SameDecision(round=number, of=shown.name, same=same, differs_in=differs, failure=None)
    text = (
        f"Decides the same as {shown.name}."
        if same
        else f"Differs from {shown.name}: {differs or 'it does not say in what'}"
    )
    return room.emit("agreement", seat.agent, text, phase=phase, data=data, target=shown.proposal, call=call)


def says_same(draft: Draft) -> bool:
    return isinstance(draft.data, SameDecision) and draft.data.same is True


def words_of(draft: Draft) -> str:
    data = draft.data
    return f"{data.decision}\n{data.proposal}" if isinstance(data, ArenaProposal) else draft.content


def _before(seat: Seat, number: int) -> Draft:
    """The proposal before this round; the current one if the agent failed to revise it."""
    revised = isinstance(seat.proposal.data, ArenaProposal) and seat.proposal.data.round == number
    return seat.versions[-2] if revised and len(seat.versions) > 1 else seat.proposal


def _nearest(seats: Sequence[Seat], pairs: dict[tuple[int, int], float]) -> str:
    """The agent whose proposal is most similar to the others on average; the first of several."""
    sums = [sum(one for pair, one in pairs.items() if index in pair) for index in range(len(seats))]
    return seats[sums.index(max(sums))].name


def _in_words(data: Convergence) -> str:
    if data.minimum is None or data.mean is None or data.threshold is None:
        return data.failure or "There is only one proposal."
    gate = "near enough to ask whether they agree" if data.passed else f"below the {bound(data.threshold)} needed"
    hollow = " The evidence is thin: this may be a hollow consensus." if data.hollow else ""
    figures = f"{reached(data.minimum)} at least, {reached(data.mean)} on average"
    return f"Similarity {figures} ({data.backend}): {gate}.{hollow}"

"""Convergence has two gates: the similarity of the proposals, and whether their authors say they decide the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from moot.api import Draft, Failure
from moot.protocols.arena import prompts
from moot.protocols.arena.board import board, called, each_of, seat_facts
from moot.protocols.arena.cast import Arena, Seat, failed
from moot.protocols.arena.evidence_quality import evidence_of, hollow_bar
from moot.protocols.arena.payloads import ArenaProposal, Convergence, PairSimilarity, SameDecision
from moot.protocols.arena.shapes import comparison_shape
from moot.stats.similarity import Alike, alike, threshold_of
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
    seats = arena.proposing
    texts = [text_of(seat.proposal) for seat in seats]
    before = [text_of(_before(seat, number)) for seat in seats]

    async def measure() -> Alike:
        return await alike([*texts, *before])

    found = await arena.room.learn(Alike, f"similarity/{number}", measure)
    figures = dict(zip(combinations(range(2 * len(seats)), 2), found.similarities, strict=False))
    whole = len(figures) == len(seats) * (2 * len(seats) - 1)
    threshold = threshold_needed(arena, found)
    quality = {seat.name: evidence_of(text, arena.known).quality for seat, text in zip(seats, texts, strict=True)}
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
    shown = next(seat for seat in arena.proposing if seat.name == found.nearest)
    asked = [seat for seat in arena.proposing if seat is not shown]
    given = await arena.room.together(
        *(compare(arena, seat, [shown], f"agree/{number}", number, "revision") for seat in asked)
    )
    answers = [answer for several in given for answer in several]
    yes = 1 + sum(found_same(answer) is not None for answer in answers)
    agents = len(arena.seats)
    # Only named differences help a revision.
    arena.differences = [answer for answer in answers if not found_same(answer) and not failed(answer)]
    return Consensus(yes / agents >= arena.config.convergence_agreement, shown.name, yes, agents, answers)


async def compare(arena: Arena, seat: Seat, others: Sequence[Seat], at: str, number: int, phase: str) -> list[Draft]:
    """Whether this agent says that its proposal decides the same as each of the others; a single entry with the reason
    if it failed."""
    room = arena.room
    prompt = prompts.COMPARE(
        **seat_facts(arena, seat),
        follows=prompts.IS_DECISION if phase == "revision" else prompts.IS_ONE_CANDIDATE,
        # Those that are asked about come first, so that the requests of a round begin alike.
        proposals=board(arena, [*others, seat]),
        targets=each_of(arena, others),
    )
    shape = comparison_shape(tuple(called(arena, other.name) for other in others))
    found, call = await arena.ask(seat, shape, prompt, at)
    if isinstance(found, Failure):
        data = SameDecision(round=number, failure=found.reason)
        return [room.emit("agreement", seat.agent, f"No answer: {found.reason}", phase=phase, data=data, call=call)]
    given = found.model_dump(by_alias=True)
    drafts = []
    for other in others:
        answer = given[called(arena, other.name)]
        differs = answer["differs_in"].strip() or None
        same = answer["same"] == "yes"
        data = SameDecision(round=number, of=other.name, same=same, differs_in=differs)
        differing = f"Differs from {other.name}: {differs or 'it does not say in what'}"
        text = f"Decides the same as {other.name}." if same else differing
        drafts.append(
            room.emit("agreement", seat.agent, text, phase=phase, data=data, target=other.proposal, call=call)
        )
    return drafts


def found_same(answer: Draft) -> str | None:
    """The agent whose proposal decides the same, if this answer says so."""
    return answer.data.of if isinstance(answer.data, SameDecision) and answer.data.same else None


def threshold_needed(arena: Arena, found: Alike) -> float:
    """The config's threshold, or the one that was measured for the backend."""
    own = arena.config.convergence_threshold
    return threshold_of(found.backend) if own is None else own


def text_of(draft: Draft) -> str:
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

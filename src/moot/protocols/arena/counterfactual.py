"""The counterfactual: what less debate would have decided, at what cost, and who changed its mind."""

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, Field

from moot.engine.define.study import plain_words
from moot.protocols.arena.payloads import ArenaDecision, ArenaProposal, ArenaRules, Critique, Gate, RoundOpened
from moot.record.entry import Entry
from moot.record.payloads import Header


class Alternative(BaseModel):
    """What another procedure would have decided. `same_words` is whether the wording equals the decision; other
    words may still mean the same. `calls` are the keys of the calls it would have needed."""

    agents: list[str]
    decision: str | None
    same_words: bool | None
    reason: str
    calls: list[str] = Field(exclude=True)
    tokens: int | None


class Counterfactual(BaseModel):
    """Computed from the same calls: the answer of the best single agent (best rated, or first), the majority of the
    blind proposals by wording, and the debate. Tokens are null if a model did not report them."""

    best_single: Alternative
    round_1_majority: Alternative
    debate: Alternative


class MindChanged(BaseModel):
    """An agent says it changed its mind, and its decision has a new wording: because of whom, and with which new
    evidence. `critique_seq` is that critic's critique, null if there was none."""

    agent: str
    round: int
    because_of: str | None
    critique_seq: int | None
    new_evidence: str | None
    from_decision: str
    to_decision: str


class CheapOutcome(BaseModel):
    """The step after which two agents decided the same, or null if the whole arena was needed. `calls` are all
    replies, repetitions included. `calls_saved` is relative to the whole arena without extra rounds, and negative if
    it was needed."""

    settled_after: str | None
    between: list[str]
    calls: int
    calls_of_whole_arena: int
    calls_saved: int


def counterfactual(
    entries: Sequence[Entry], header: Header, rules: ArenaRules, decision: str | None
) -> Counterfactual | None:
    """None until all blind proposals are in: before that a majority means nothing."""
    if not any(_after_proposals(entry) for entry in entries):
        return None
    first = {
        entry.speaker: (entry.data.decision or "", entry.call or "")
        for entry in reversed(entries)
        if isinstance(entry.data, ArenaProposal) and entry.data.failure is None and entry.data.changed_mind is None
    }
    names = [member.name for member in header.cast if member.role == "proposer" and member.name in first]
    best = max(names, key=lambda name: (rules.ratings.get(name, float("-inf")), -names.index(name)))
    why = "the best rated" if best in rules.ratings else "the first of the list"
    return Counterfactual(
        best_single=_alternative([best], first[best][0], decision, why, [first[best][1]]),
        round_1_majority=_majority({name: first[name] for name in names}, decision),
        debate=_alternative(names, decision, decision, "this debate", _answered(entries)),
    )


def counterfactual_with_tokens(found: Counterfactual, tokens: Mapping[str, int | None]) -> Counterfactual:
    def counted(one: Alternative, keys: Sequence[str]) -> Alternative:
        spent = [tokens.get(key) for key in keys]
        known = [count for count in spent if count is not None]
        return one.model_copy(update={"tokens": sum(known) if known and len(known) == len(spent) else None})

    return Counterfactual(
        best_single=counted(found.best_single, found.best_single.calls),
        round_1_majority=counted(found.round_1_majority, found.round_1_majority.calls),
        # All calls, including those without an entry.
        debate=counted(found.debate, list(tokens)),
    )


def minds_changed(entries: Sequence[Entry]) -> list[MindChanged]:
    critiques = {
        (entry.speaker, entry.data.of): entry.seq
        for entry in entries
        if isinstance(entry.data, Critique) and entry.data.of
    }
    held: dict[str, str] = {}
    found = []
    for entry in entries:
        data = entry.data
        if not isinstance(data, ArenaProposal) or data.failure is not None:
            continue
        before = held.get(entry.speaker, "")
        if data.changed_mind and plain_words(data.decision or "") != plain_words(before):
            found.append(
                MindChanged(
                    agent=entry.speaker,
                    round=data.round,
                    because_of=data.because_of,
                    critique_seq=critiques.get((data.because_of or "", entry.speaker)),
                    new_evidence=data.new_evidence,
                    from_decision=before,
                    to_decision=data.decision or "",
                )
            )
        held[entry.speaker] = data.decision or ""
    return found


def _answered(entries: Sequence[Entry]) -> list[str]:
    """The calls behind the entries, each once."""
    calls = (entry.call for entry in entries if getattr(entry.data, "failure", None) is None)
    return list(dict.fromkeys(call for call in calls if call))


def cheap_outcome(entries: Sequence[Entry], gates: Sequence[Gate], rules: ArenaRules) -> CheapOutcome:
    """From the log alone: repeated replies are only in the journal."""
    calls = len(_answered(entries))
    settled = next((gate.stage for gate in gates if gate.same and not gate.hollow), None)
    return CheapOutcome(
        settled_after=settled,
        between=gates[-1].between,
        calls=calls,
        calls_of_whole_arena=rules.calls_of_whole_arena,
        calls_saved=rules.calls_of_whole_arena - calls,
    )


def cheap_with_calls(found: CheapOutcome, calls: int) -> CheapOutcome:
    return found.model_copy(update={"calls": calls, "calls_saved": found.calls_of_whole_arena - calls})


def _after_proposals(entry: Entry) -> bool:
    data = entry.data
    return isinstance(data, ArenaDecision) or (isinstance(data, RoundOpened) and data.number > 1)


def _majority(first: Mapping[str, tuple[str, str]], decision: str | None) -> Alternative:
    counts = Counter(plain_words(said) for said, _ in first.values())
    words, most = counts.most_common(1)[0]
    behind = [name for name, (said, _) in first.items() if plain_words(said) == words]
    keys = [key for _, key in first.values()]
    if 2 * most <= len(first):
        reason = "no majority: the proposals word their decisions differently" if most == 1 else "no majority"
        return _alternative([], None, decision, reason, keys)
    return _alternative(behind, first[behind[0]][0], decision, f"{most} of {len(first)} in the same words", keys)


def _alternative(
    agents: list[str], said: str | None, decision: str | None, reason: str, calls: list[str]
) -> Alternative:
    same = plain_words(said) == plain_words(decision) if said is not None and decision is not None else None
    return Alternative(agents=agents, decision=said, same_words=same, reason=reason, calls=calls, tokens=None)

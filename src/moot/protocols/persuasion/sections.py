"""The sections of a persuasion dialogue's report. First the map, for every reader; then the
formal part in the order of the specification: shared context, commitment stores, framework, verdict, metrics."""

from collections.abc import Mapping, Sequence

from moot.api import Entry, Header, Material, first_data
from moot.present import (
    Block,
    Brief,
    Details,
    Facts,
    Heading,
    Item,
    Items,
    Map,
    Paragraph,
    Quote,
    Section,
    Table,
    Verbatim,
)
from moot.protocols.persuasion.framework import RULES, graph_from
from moot.protocols.persuasion.lines import irrelevance_note
from moot.protocols.persuasion.moves import SIDES
from moot.protocols.persuasion.payloads import (
    DialogueJudgement,
    DialogueMove,
    FallenArgument,
    Framework,
    FrameworkArgument,
    PutProposition,
    SharedContext,
)
from moot.protocols.persuasion.result import GivenUp, PersuasionOutcome
from moot.protocols.persuasion.summary import DECIDED, SEMANTICS, ended, scores_told
from moot.protocols.persuasion.words import name_of, part_of
from moot.text.maps import anchor

CERTIFICATES = {
    "acyclic": "There is no cycle, so the scores are exact.",
    "contraction": "There are cycles, and each step of the iteration shrinks: these scores are the only ones that fit.",
    "monotone": "There are cycles; bounds from below and above met, so these scores are the only ones that fit.",
    "none": "There are cycles; the iteration was seen to settle, but it is not proven that no other scores fit.",
}
NOTHING, NONE = "Nothing.", "None was named."


def sections(material: Material) -> list[Section]:
    header, outcome = material.header, material.result.outcome
    context = first_data(material.entries, SharedContext)
    if header is None or context is None or not isinstance(outcome, PersuasionOutcome):
        return []
    found = (
        outcome.framework if outcome.framework and (outcome.framework.arguments or outcome.framework.fallen) else None
    )
    moves = {one.data.id: one.seq for one in material.entries if isinstance(one.data, DialogueMove)}
    stores = _stores(header, outcome, material.entries)
    return [
        Section("map", "Argument map", _map(header, found, moves), "body", brief=True, live="open"),
        Section("context", "Shared context", _context(context), "setting", live="open"),
        Section("stores", "Commitment stores", stores, "end", live="open"),
        Section("framework", "Argumentation framework", _arguments(header, found), "end", live="open"),
        Section("relations", "Relations", _relations(outcome, found), "end", live="open"),
        Section("reasons", "The verdict in full", _verdict(outcome, found, material.entries), "end"),
        Section("metrics", "Metrics", _metrics(outcome), "end"),
    ]


def _context(context: SharedContext) -> list[Block]:
    facts = [("The claim", context.proposition), ("Its denial", context.denial)]
    if context.perspective:
        facts.append(("Perspective", context.perspective))
    if not context.gathered:
        return [Facts(facts), Paragraph("No facts were given, so none could be cited.")]
    left_out = ", ".join(f"{count} {why}" for why, count in context.left_out.items())
    lead = f"What both sides could cite, word for word: {context.gathered}."
    lead += f" Left out: {left_out}." if left_out else ""
    quoted = [Details(f"{one.id} {one.source}", [Verbatim(one.quote)], anchor=one.id) for one in context.facts]
    return [Facts(facts), Paragraph(lead, "lead"), *quoted]


def _stores(header: Header, outcome: PersuasionOutcome, entries: Sequence[Entry]) -> list[Block]:
    """The commitments of each side at the end, with those that are concessions, and its retractions."""
    puts = {put.id: put for one in entries if isinstance(one.data, DialogueMove) for put in one.data.puts}
    blocks: list[Block] = []
    for side in SIDES:
        conceded = {one.proposition: f"conceded in {one.move}" for one in outcome.concessions if one.side == side}
        held = [_item(puts[name], conceded.get(name, "")) for name in outcome.commitments.get(side, [])]
        retracted = [_item(puts[one.proposition], _how(one)) for one in outcome.retractions if one.side == side]
        blocks.append(Heading(f"The {part_of(side)}: {name_of(header, side)}"))
        for title, items in (("Commitments", held), ("Retractions", retracted)):
            blocks += [Paragraph(title, "small"), Items(items, otherwise=NOTHING)]
    return blocks


def _item(put: PutProposition, note: str = "") -> Item:
    """A proposition, linked to the map."""
    return Item(put.content, put.id, link=anchor(put.id), refs=put.evidence, note=note)


def _how(one: GivenUp) -> str:
    return f"in {one.move}, by rule: {RULES[one.rule]}" if one.rule else f"in {one.move}"


def _arguments(header: Header, found: Framework | None) -> list[Block]:
    if found is None:
        return []
    lead = (
        "All that was raised, and what became of it: what is withdrawn or struck does not count. A "
        "score goes from 0 to 1: it starts at 0.5, supporters raise it, attackers lower it. Above 0.5 it survives; "
        f"0.5 exactly and untouched: nobody argued for or against it. {_certificate(found)}"
    )
    rows = [
        [
            one.id,
            one.content,
            f"{name_of(header, one.side)}, {one.move}",
            _evidence(one),
            one.state if one.fate == "stands" else f"{one.state}, {one.fate}",
            _score(one.score),
            _score(one.dfquad),
        ]
        for one in found.arguments
    ]
    rows += [
        [one.id, one.content, f"{name_of(header, one.side)}, {one.move}", "", f"{one.fate}: {one.reason}", "", ""]
        for one in found.fallen
    ]
    columns = ["Id", "Content", "Source", "Evidence", "State", "Score", "DF-QuAD"]
    return [Paragraph(lead, "lead"), Table(columns, rows, texts=5, name="Arguments")]


def _evidence(one: FrameworkArgument) -> str:
    cited = " ".join(one.evidence) or "none"
    return f"{cited} ({note})" if (note := irrelevance_note(one)) else cited


def _certificate(found: Framework) -> str:
    if not found.certificate.converged:
        return "The iteration did not converge; arguments without a score are marked as not settled."
    return CERTIFICATES.get(found.certificate.certificate, "")


def _score(score: float | None) -> str:
    return "not settled" if score is None else f"{score:.3f}"


def _relations(outcome: PersuasionOutcome, found: Framework | None) -> list[Block]:
    """The relations of the arguments, the derived attacks, and the other semantics."""
    if found is None:
        return []
    rows = [
        [one.source, one.target, "support", "direct", one.move]
        if one.kind == "support"
        else [one.source, one.target, "attack", f"direct, {one.kind}", one.move]
        for one in found.relations
    ]
    rows += [[one.source, one.target, "attack", one.kind, f"through {one.via}"] for one in found.derived]
    rows += [[one.source, one.target, one.kind, "fallen", one.move] for one in found.fallen_relations]
    blocks: list[Block] = [Table(["From", "To", "Type", "Classification", "By"], rows, texts=5, name="Relations")]
    if found.derived:
        told = "A supported or secondary attack follows from two direct relations. It is listed, and not scored."
        blocks.append(Paragraph(told, "small"))
    sides = {"PRO": part_of("PRO"), "OPP": part_of("OPP"), None: "undecided"}
    rows = [[SEMANTICS.get(name, name), sides[side]] for name, side in outcome.by_semantics.items()]
    readings = Table(["Read by", "In favour of"], rows, texts=2, name="Who is ahead under each semantics")
    return [*blocks, Heading("Read in other ways"), Facts(_extensions(found)), readings]


def _extensions(found: Framework) -> list[tuple[str, str]]:
    listed = [("Grounded extension of the attacks", _set(found.grounded))]
    listed += [(f"Preferred extension {number}", _set(one)) for number, one in enumerate(found.preferred, start=1)]
    return [*listed, ("Further preferred extensions", "there are more")] if found.preferred_more else listed


def _set(names: Sequence[str]) -> str:
    return f"{{{', '.join(names)}}}"


def _map(header: Header, found: Framework | None, moves: Mapping[str, int]) -> list[Block]:
    """The map, where each argument links to its move; `moves` are their entries."""
    if found is None:
        return []
    from moot.argument.drawing import draw, text_map

    graph = graph_from(found.arguments, found.relations, found.fallen, found.fallen_relations)
    scores = {one.id: one.score for one in found.arguments}
    raised: list[FrameworkArgument | FallenArgument] = [*found.arguments, *found.fallen]
    sides = {one.id: name_of(header, one.side) for one in raised}
    links = {one.id: f"#e{moves[one.move]}" for one in raised if one.move in moves}
    # A picture with links is a group, because an image would hide them from screen readers.
    picture = draw(graph, scores, sides, links).replace('role="img"', 'role="group"', 1)
    caption = "Each argument leads to the move that put it forward, or by which it fell: what fell is pale."
    return [Map("Argument map", picture, text_map(graph, scores), caption)]


def _verdict(outcome: PersuasionOutcome, found: Framework | None, entries: Sequence[Entry]) -> list[Block]:
    verdict = outcome.verdict
    told = next((one for one in entries if isinstance(one.data, DialogueJudgement)), None)
    if verdict is None or told is None or not isinstance(told.data, DialogueJudgement):
        return []
    winner = f"{outcome.winner}, the {part_of(outcome.winning_side)}" if outcome.winning_side else "nobody"
    facts = [
        ("Winner", f"{winner}: {scores_told(outcome)}"),
        ("Decided", DECIDED.get(outcome.decided_by or "", "")),
        ("The claim", outcome.proposition),
    ]
    if outcome.ended:
        facts.append(("Ended", ended(outcome)))
    blocks: list[Block] = [Facts(facts), Quote(verdict.rationale, f"{told.speaker}, the moderator", told.seq)]
    if verdict.cites:
        blocks += [Paragraph("Cites", "small"), Items([_argument(found, one) for one in verdict.cites])]
    for title, items in (
        ("Strongest surviving arguments", [_argument(found, one) for one in verdict.strongest]),
        ("Valid points of the losing side", [Item(one) for one in verdict.valid_points]),
        ("Critical questions that nobody addressed", [Item(one) for one in verdict.open_questions]),
        ("Concessions that mattered", [_concession(one, verdict.unfounded) for one in verdict.concessions]),
    ):
        blocks += [Heading(title), Items(items, otherwise=NONE)]
    brief = told.data.brief or Brief()
    for title, point in (("Consensus", brief.agreed), ("Conditions for revisiting", brief.would_change_it)):
        blocks += [Heading(title), Paragraph(point.text if point else NONE)]
    return blocks


def _argument(found: Framework | None, name: str) -> Item:
    one = next((one for one in found.arguments if one.id == name), None) if found else None
    if one is None:
        return Item("no longer in the framework", name)
    return Item(one.content, one.id, link=anchor(one.id), refs=one.evidence)


def _concession(text: str, unfounded: Sequence[str]) -> Item:
    return Item(text, note="no move on record concedes it" if text in unfounded else "")


def _metrics(outcome: PersuasionOutcome) -> list[Block]:
    if outcome.metrics is None:
        return []
    told = outcome.metrics.model_dump()
    attacks = told.pop("rebuts"), told.pop("undercuts")
    rows = [["attacks", f"{sum(attacks)} ({attacks[0]} rebuts, {attacks[1]} undercuts)"]]
    rows += [[name.replace("_", " "), f"{value}"] for name, value in told.items()]
    return [Table(["What", "How many"], rows, name="Counts of arguments and moves")]

"""The findings of a debate, each at a place that is in what was submitted."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from moot.engine.define.capabilities import Reviews
from moot.present import GRADES, Block, Details, Finding, Item, Items, Section, Where
from moot.record.entry import Entry

if TYPE_CHECKING:
    from moot.engine.define.config import RunConfig


def checked_findings(config: "RunConfig", outcome: Any, entries: Sequence[Entry]) -> list[Finding]:
    """What the protocol found, with the places that are in what was submitted: the subject, the document that it came
    as, and diffs. No other place is shown, whoever named it."""
    reviews = config.protocol.get(Reviews)
    found = [Finding.model_validate(one) for one in reviews.findings(outcome, entries)] if reviews else []
    if not any(one.where for one in found):
        return found
    from moot.engine.define.submitted import UNNAMED
    from moot.evidence.diffs import passages, title_of_diff
    from moot.evidence.places import locate

    subject = config.protocol.subject
    text, name = (str(getattr(config.debate, key, "")) if key else "" for key in (subject.key, subject.source))
    documents = [one for one in config.options.documents if title_of_diff(one.text) or one.source == (name or UNNAMED)]
    places = [passage for one in (text, *(one.text for one in documents)) for passage in passages(one, name)]

    def located(several: Sequence[Where]) -> list[Where]:
        known = (locate(one, places) for one in several)
        return list(dict.fromkeys(one for one in known if one is not None))

    return [one.model_copy(update={"where": located(one.where)}) for one in found]


def findings_section(findings: Sequence[Finding]) -> list[Section]:
    """The findings for the report, the worst first. Those that were withdrawn are folded away."""
    ordered = sorted(findings, key=lambda one: -GRADES.index(one.severity))
    standing, withdrawn = ([_item(one) for one in ordered if one.stands is stands] for stands in (True, False))
    blocks: list[Block] = [Items(standing)] if standing else []
    blocks += [Details("Withdrawn", [Items(withdrawn)])] if withdrawn else []
    return [Section("review", "Findings", blocks, brief=True)] if blocks else []


def _item(one: Finding) -> Item:
    lead = f"{one.place}, {one.graded}:" if one.where else f"{one.graded.capitalize()}:"
    return Item(f"{one.claim} {one.fix}".rstrip(), lead=lead, note=", ".join(filter(None, (one.id, one.names))))

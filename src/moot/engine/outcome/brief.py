"""The brief of a debate: how its judge is asked for it, how it is read from the log, and how it is shown.

A protocol asks for the parts of `BriefReply` in the last request that its judge gets anyway (`brief_parts`), keeps them
in the payload of that entry as `brief`, and passes `recorded_brief(entries)` to its summary.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from moot.engine.sources.cited import CitedDocuments
from moot.present import Block, Brief, Item, Items, Paragraph, Point, Section
from moot.present.data import Model
from moot.record.entry import Draft, Entry
from moot.text import one_line, shows

if TYPE_CHECKING:
    from moot.engine.sources.context import ContextDocument

BRIEF = "brief"
"""The id of the section with the brief."""
MOST_REASONS = 3
_PARTS = """Write for whoever asked, in plain prose and in the language of the question, what the debate bears \
out and nothing else; leave empty what nobody said.

- `because`: one to three reasons that decide it, the weightiest first, each with `rests_on`, {labels}.
- `objection`: the strongest one that was not met. `agreed`: what all sides accept by now. `would_change_it`: the \
finding or event that would reverse it. `next`: the step that would settle what is open.
- `answer`: {answer}."""
_IN_A_SENTENCE = (
    "one sentence that answers the question as it was asked (yes, no, not yet, this option, this number) and names no "
    "debater"
)


def brief_parts(labels: str, answer_form: str = "") -> str:
    """The instruction that goes with `BriefReply`. `labels` says how entries are named, such as “the numbers of turns”,
    and `answer_form` how the answer is written if it is no sentence."""
    return _PARTS.format(labels=labels, answer=answer_form or _IN_A_SENTENCE)


def _require_all(schema: dict[str, Any]) -> None:
    """Ask for every part, though a reply without one can be used."""
    schema["required"] = list(schema["properties"])


def _that_say_something(given: Any) -> Any:
    """The reasons in which there is something to read. In the plain form they are texts, which rest on nothing."""
    if not isinstance(given, list):
        return given
    reasons = [one if isinstance(one, dict) else {"reason": one} for one in given]
    return [one for one in reasons if shows(str(one.get("reason") or ""))]


def _shown(text: str) -> str:
    if not shows(text):
        raise ValueError("there is nothing to read in it")
    return text


NotBlank = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_shown)]
"""The type of a field of a reply without which there is no reply: a text in which there is something to read."""


def _apart(given: Sequence[str]) -> list[str]:
    """The labels in these texts, of which one may have several: `2, #3`."""
    parts = (one_line(part).strip(" .()[]") for one in given for part in one.replace(";", ",").split(","))
    return [part for part in parts if shows(part)]


class ReasonReply(Model):
    model_config = ConfigDict(json_schema_extra=_require_all)

    reason: str
    rests_on: Annotated[list[str], AfterValidator(_apart)] = []


Reasons = Annotated[list[ReasonReply], BeforeValidator(_that_say_something)]


class BriefReply(Model):
    """The parts of a brief in a reply, the reasons before the answer. Protocols add their own fields."""

    model_config = ConfigDict(json_schema_extra=_require_all)

    because: Reasons = Field(min_length=1)
    objection: str = ""
    agreed: str = ""
    would_change_it: str = ""
    next: str = ""
    answer: NotBlank

    def brief(self, cited: Mapping[str, Draft | Entry]) -> Brief:
        """The brief, with the entries that the reply names by the labels in `cited`."""
        return Brief(
            answer=self.answer.strip() if shows(self.answer) else None,
            because=points(self.because, cited),
            objection=point(self.objection),
            agreed=point(self.agreed),
            would_change_it=point(self.would_change_it),
            next=point(self.next),
        )


def points(reasons: Sequence[ReasonReply], cited: Mapping[str, Draft | Entry]) -> list[Point]:
    """The reasons with the entries that they name by the labels in `cited`. “entry #3” is #3. A label
    that is not there is left out."""
    known = {label.casefold(): entry for label, entry in cited.items()}

    def entries(labels: Sequence[str]) -> list[int]:
        named = [known.get(label, known.get(label.split()[-1])) for label in map(str.casefold, labels)]
        return list(dict.fromkeys(draft.seq for draft in named if draft is not None and draft.seq is not None))

    return [Point(text=one.reason.strip(), entries=entries(one.rests_on)) for one in reasons[:MOST_REASONS]]


def point(text: str) -> Point | None:
    """A part of a brief; None if nothing was written."""
    return Point(text=text.strip()) if shows(text) else None


def _parts_last(schema: dict[str, Any]) -> None:
    last = [name for name in (*BriefReply.model_fields, "follows") if name in schema["properties"]]
    schema["properties"] |= {name: schema["properties"].pop(name) for name in last}


def _all_and_parts_last(schema: dict[str, Any]) -> None:
    _parts_last(schema)
    _require_all(schema)


class BriefLast(BriefReply):
    """A brief after what a protocol adds, such as the whole answer, of which it is the sum: that stands without an
    `answer`, too. What is added as `follows` comes last."""

    model_config = ConfigDict(json_schema_extra=_all_and_parts_last)

    answer: str = ""


class BriefBesides(BriefReply):
    """A brief in a reply that decides something first, and that counts without a brief. Its parts come last, and
    after them what a protocol adds as `follows`: the decision that the answer comes to."""

    model_config = ConfigDict(json_schema_extra=_parts_last)

    because: Reasons = []
    answer: str = ""


Reply = TypeVar("Reply", bound=BaseModel)


def _ask_plainly(schema: dict[str, Any]) -> None:
    """Ask for reasons as texts, and for nothing that a reply can do without."""
    schema["properties"]["because"] = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    schema["required"] = [name for name, part in schema["properties"].items() if "default" not in part]


def plain_form(shape: type[Reply]) -> type[Reply]:
    """A shape with a brief for small models and people, who fill in no long form."""
    return type(shape.__name__, (shape,), {"model_config": ConfigDict(json_schema_extra=_ask_plainly)})


def send_back_once(fault: Callable[[Reply], str | None]) -> Callable[[Reply], str | None]:
    """An `accept` for a reply that contradicts the record: it is sent back once, and then stays, to be flagged."""
    sent_back = False

    def accept(reply: Reply) -> str | None:
        nonlocal sent_back
        wrong = None if sent_back else fault(reply)
        sent_back = sent_back or wrong is not None
        return wrong

    return accept


def reasons_in(said: Iterable[tuple[Entry, str]]) -> list[Point]:
    """The first three different reasons for a brief, each with the entry in which it was given. Blank ones do not
    count."""
    points: dict[str, Point] = {}
    for entry, reason in said:
        if shows(reason):
            points.setdefault(one_line(reason).casefold(), Point(text=reason.strip(), entries=[entry.seq]))
    return [*points.values()][:MOST_REASONS]


def firm_by_votes(votes: int, voters: int, behind: str) -> str:
    """How firm an answer with so many votes is: `Narrow: 3 of 5 agents end on it.`"""
    if votes == voters:
        return f"Firm: all {voters} {behind}."
    word = "Clear" if 3 * votes >= 2 * voters else "Narrow" if 2 * votes > voters else "Weak"
    return f"{word}: {votes} of {voters} {behind}."


def brief_in_words(brief: Brief) -> str:
    """A brief as the text of its entry: the answer, then a paragraph for each part."""
    parts = [f"{words}: {point.text}" for words, point in brief.points]
    return "\n\n".join(filter(None, (brief.answer, *parts)))


def recorded_brief(entries: Sequence[Entry], **known: Any) -> Brief:
    """The last brief in the log, with its source, and with what is `known` besides: firmness, dissent."""
    for entry in reversed(entries):
        recorded = getattr(entry.data, "brief", None)
        if isinstance(recorded, Brief):
            return recorded.model_copy(update={"source": entry.seq, **known})
    return Brief(**known)


def without_answer(brief: Brief) -> Brief:
    """What is left of a brief whose answer is against the verdict: reasons for that answer would mislead, too."""
    return Brief(firmness=brief.firmness, dissent=brief.dissent)


def headline(answer: str, count: str = "") -> str:
    """An answer as a headline, with the count that bears it: `No: keep the one service (8 to 6)`."""
    words = one_line(answer).removesuffix(".")
    return f"{words} ({count})" if count else words


def with_places(brief: Brief, entries: Sequence[Entry], documents: "Sequence[ContextDocument]") -> Brief:
    """The brief with the places in documents that its points cite, or else the public entries that they rest on: lines
    or, if nothing is quoted, documents."""
    if not documents:
        return brief
    cited = CitedDocuments(documents)
    contents = {entry.seq: entry.content for entry in entries if entry.to == "all"}

    def placed(point: Point) -> Point:
        places = cited.places(point.text)
        if not places:
            behind = (place for seq in point.entries for place in cited.places(contents.get(seq, "")))
            places = list(dict.fromkeys(behind))
        lines = [place for place in places if place.line is not None]
        return point.model_copy(update={"places": lines or places})

    return brief.with_points(placed)


def brief_section(brief: Brief) -> list[Section]:
    """The brief for readers, below the headline that gives its answer."""
    blocks: list[Block] = [Paragraph(brief.firmness)] if brief.firmness else []
    if reasons := [_item(point) for point in brief.because]:
        blocks.append(Items(reasons, numbered=True))
    parts = [_item(point, f"{words}:") for words, point in brief.points if point not in brief.because]
    parts += [Item(one.reason, lead=f"{one.who} dissents:") for one in brief.dissent]
    blocks += [Items(parts)] if parts else []
    return [Section(BRIEF, "The answer", blocks, place="card", brief=True)] if blocks else []


def _item(point: Point, lead: str = "") -> Item:
    return Item(point.text, lead=lead, entries=point.entries, places=[(str(one), one.anchor) for one in point.places])

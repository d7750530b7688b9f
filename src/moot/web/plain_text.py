"""A debate as plain text: the public statements and the outcome. Clients may render it as Markdown with images and
links, so foreign text is escaped."""

import re
from collections.abc import Callable

import moot
from moot.engine.define.plain import common_line, guarded_lines, plain_line
from moot.engine.define.protocol import Protocol
from moot.engine.outcome.material import Material
from moot.engine.outcome.questions import Answer
from moot.present.markdown import inline, line, quote
from moot.report.markdown import markdown
from moot.report.public import public_contents
from moot.service.host import RUN_NAME
from moot.text.figures import dollars
from moot.text.prose import plural

WHOLE = "The whole debate: "
_LINK = re.compile(rf"{WHOLE}https?://[^/\s]+/runs/({RUN_NAME})$")


def paragraphs(protocol: Protocol) -> Callable[[moot.Entry], str]:
    """A function that turns the entries of one debate into Markdown; empty for entries that are not public or say
    nothing."""
    lines = guarded_lines(protocol.lines)

    def paragraph(entry: moot.Entry) -> str:
        shown = lines(entry) or plain_line(entry)
        if entry.to != "all" or common_line(entry) is not None:
            return ""
        text = entry.content if shown.text is None else shown.text
        words, rest = str(quote(text)) if text.strip() else "", str(markdown(shown.body)).strip()
        how = f"{inline(shown.label)} · **{inline(shown.badge)}**" if shown.badge else str(inline(shown.label))
        parts = [f"**{inline(entry.speaker)}** ({how}):", *filter(None, (words, rest))]
        return "".join(f"{part}\n\n" for part in parts) if parts[1:] or shown.badge else ""

    return paragraph


def answer_to_text(answer: Answer, link: str) -> str:
    """An answer about a debate: what it says and cites, what is wrong with it, and where to read the debate."""
    cited = ", ".join([*(f"entry {seq}" for seq in answer.entries), *answer.documents])
    parts = [
        str(quote(answer.text)),
        f"Cites {cited}." if cited else "",
        "\n".join(f"- **Flag:** {inline(fault)}" for fault in answer.faults),
        f"Answered by {inline(answer.model)} from the record. {WHOLE}{link}",
    ]
    return "\n\n".join(part for part in parts if part)


def debate_linked_in(text: str) -> str | None:
    """The name of the run that such a text, or that of an outcome, ends with."""
    found = _LINK.search(text.rstrip())
    return found[1] if found else None


def outcome_to_text(material: Material, link: str) -> str:
    """The headline, what the verdict card shows, how it was reached, what debating changed, the flags,
    what it took, and where to read all of it."""
    summary, spent = material.result.summary, material.result.spent
    card = [str(markdown(section.blocks)) for section in public_contents(material)["card"]]
    flags = "\n".join(
        f"- **{'Flag' if flag.severity == 'warning' else 'Note'}:** {inline(flag.text)}" for flag in summary.flags
    )
    price = "" if spent.cost is None else f", {dollars(spent.cost)}"
    parts = [
        f"**{inline(summary.headline)}**",
        *card,
        str(line(summary.reached)),
        str(line(summary.change or "")),
        f"Before relying on this:\n{flags}" if flags else "",
        f"{plural(spent.calls, 'call')}{price}. {WHOLE}{link}",
    ]
    return "\n\n".join(part.strip() for part in parts if part.strip())

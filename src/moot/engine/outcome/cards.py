"""Results and runs in a line and, for notebooks, as a small card in HTML. All texts are escaped."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from moot.present import Flag, Severity, Summary
from moot.text import clip, one_line, printable

LONGEST_LINE = 120
_EDGES = {"warning": "#c2680a", "note": "#888"}
"""The colours of edges, visible on a light and on a dark background. Texts and links have the colours of the notebook,
whose background is unknown here."""


def as_line(kind: str, *parts: str) -> str:
    """An object in one line, for example `<Result done · Ada wins, 8 to 6 · debates/…>`."""
    return f"<{kind} {' · '.join(clip(one_line(part), LONGEST_LINE) for part in parts if part)}>"


def card_of(topic: str, summary: Summary, facts: Sequence[str], report: Path | None) -> str:
    """The headline, the first reason, how it was reached, the flags, and a link to the report if there is one."""
    parts = [f"<div><small>{_text(topic)}</small></div>", f"<div><b>{_text(summary.headline)}</b></div>"]
    reasons = [point.text for point in summary.brief.because[:1]]
    parts += [f"<div>{_text(part)}</div>" for part in (*reasons, summary.reached, summary.change) if part]
    parts += [_flag(flag) for flag in summary.flags]
    shown = [_text(fact) for fact in facts if fact]
    if report is not None:
        shown.append(f'<a style="color:inherit;text-decoration:underline" href="{escape(report.as_uri())}">report</a>')
    parts.append(f"<div><small>{' · '.join(shown)}</small></div>")
    return f'<div style="{_edge("note")}">{"".join(parts)}</div>'


def _flag(flag: Flag) -> str:
    mark = "<b>!</b>" if flag.severity == "warning" else "·"
    return f'<div style="{_edge(flag.severity)}">{mark} {_text(flag.text)}</div>'


def _edge(severity: Severity) -> str:
    return f"margin:.3em 0;border-left:3px solid {_EDGES[severity]};padding-left:.7em"


def _text(text: str) -> str:
    return escape(printable(text))

"""The parts of a debate that can be shown, as plain data. Renderers for HTML, Markdown and the terminal draw them.

A protocol describes the outcome in a `Summary`, the evidence for it in `Section`s of blocks, and each entry in a
`Line`. Any text in them can come from a model or a stranger, so renderers escape all of it.
"""

from moot.present.blocks import (
    Bar,
    BarChart,
    Block,
    Details,
    Drift,
    DriftStrip,
    Facts,
    Heading,
    Item,
    Items,
    Map,
    Mark,
    Paragraph,
    Place,
    Quote,
    Range,
    ScoreChart,
    ScoreLine,
    Section,
    SpreadChart,
    Standing,
    Standings,
    Table,
    Tabs,
    Verbatim,
)
from moot.present.checks import drawable, fault_in
from moot.present.lines import Line, Lines
from moot.present.pages import Proposal, Sitting, Version
from moot.present.summary import Dissent, Flag, Severity, Summary

__all__ = [
    "Bar",
    "BarChart",
    "Block",
    "Details",
    "Dissent",
    "Drift",
    "DriftStrip",
    "Facts",
    "Flag",
    "Heading",
    "Item",
    "Items",
    "Line",
    "Lines",
    "Map",
    "Mark",
    "Paragraph",
    "Place",
    "Proposal",
    "Quote",
    "Range",
    "ScoreChart",
    "ScoreLine",
    "Section",
    "Severity",
    "Sitting",
    "SpreadChart",
    "Standing",
    "Standings",
    "Summary",
    "Table",
    "Tabs",
    "Verbatim",
    "Version",
    "drawable",
    "fault_in",
]

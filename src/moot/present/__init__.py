"""The parts of a debate that can be shown, as plain data. Renderers for HTML, Markdown and the terminal draw them.

A protocol describes the outcome in a `Summary`, the evidence for it in `Section`s of blocks, and each entry in a
`Line`. Any text in them can come from a model or a stranger, so renderers escape all of it.
"""

from moot.present.blocks import Bar as Bar
from moot.present.blocks import BarChart as BarChart
from moot.present.blocks import Block as Block
from moot.present.blocks import Details as Details
from moot.present.blocks import Facts as Facts
from moot.present.blocks import Heading as Heading
from moot.present.blocks import Item as Item
from moot.present.blocks import Items as Items
from moot.present.blocks import Map as Map
from moot.present.blocks import Mark as Mark
from moot.present.blocks import Paragraph as Paragraph
from moot.present.blocks import Place as Place
from moot.present.blocks import Quote as Quote
from moot.present.blocks import Range as Range
from moot.present.blocks import ScoreChart as ScoreChart
from moot.present.blocks import ScoreLine as ScoreLine
from moot.present.blocks import Section as Section
from moot.present.blocks import SpreadChart as SpreadChart
from moot.present.blocks import Standing as Standing
from moot.present.blocks import Standings as Standings
from moot.present.blocks import Table as Table
from moot.present.blocks import Tabs as Tabs
from moot.present.blocks import Verbatim as Verbatim
from moot.present.brief import Brief as Brief
from moot.present.brief import Dissent as Dissent
from moot.present.brief import Point as Point
from moot.present.checks import checked as checked
from moot.present.checks import drawable as drawable
from moot.present.documents import Document as Document
from moot.present.documents import Words as Words
from moot.present.findings import GRADES as GRADES
from moot.present.findings import Finding as Finding
from moot.present.findings import Grade as Grade
from moot.present.findings import Where as Where
from moot.present.lines import Line as Line
from moot.present.lines import Lines as Lines
from moot.present.pages import Version as Version
from moot.present.summary import Flag as Flag
from moot.present.summary import Severity as Severity
from moot.present.summary import Summary as Summary

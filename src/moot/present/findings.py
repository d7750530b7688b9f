"""Findings: what a reviewer gets of a debate about a text. Comments, annotations and reports are made from them."""

from typing import Annotated, Literal

from pydantic import Field

from moot.present.data import Data
from moot.text.prose import listed

Grade = Literal["minor", "moderate", "serious", "grave", "fatal"]
"""How bad a finding is: minor can be left, moderate and serious should be fixed, and with grave and fatal ones nothing
passes."""
GRADES: tuple[Grade, ...] = ("minor", "moderate", "serious", "grave", "fatal")
State = Literal["open", "accepted", "mended", "withdrawn"]
"""`accepted` is as a risk, and `mended` in a rewritten text, not in the one that was submitted."""
LineNumber = Annotated[int, Field(ge=1)]
NO_PLACE = "no place found"
_STATES: dict[State, str] = {"accepted": " (accepted as a risk)", "mended": " (fixed in the revision)"}


class Where(Data):
    """A place in a text: a file, its lines, and the words there. The file is empty if the text has no name; `removed`
    lines are those that a diff removed before the line. If the text is a document of the debate, it is cited as
    `document`, such as D1."""

    file: str = ""
    line: LineNumber | None = None
    end_line: LineNumber | None = None
    quote: str = ""
    removed: bool = False
    document: str = ""

    @property
    def anchor(self) -> str:
        """Where a document shows it."""
        return self.document if self.line is None else f"{self.document}-L{self.line}"

    def __str__(self) -> str:
        name = f"{self.document} {self.file}".strip()
        if self.line is None:
            return name
        several = self.end_line is not None and self.end_line > self.line
        lines = f"{self.line}-{self.end_line}" if several else f"{self.line}"
        place = f"{name}:{lines}" if name else f"line{'s' * several} {lines}"
        return f"{place} (removed)" if self.removed else place


class Finding(Data):
    """Something wrong with what was submitted, and the change that would mend it. A protocol gives the places as it was
    told them, and the engine keeps those that are in the submitted text. Names are those of agents."""

    id: str
    claim: str
    severity: Grade
    where: list[Where] = []
    change: str = ""
    raised_by: list[str] = []
    confirmed_by: list[str] = []
    withdrawn_by: list[str] = []
    state: State = "open"

    @property
    def stands(self) -> bool:
        return self.state != "withdrawn"

    @property
    def blocks(self) -> bool:
        """Whether what was submitted should not pass with it."""
        return self.stands and self.severity in ("grave", "fatal")

    @property
    def place(self) -> str:
        """Its places in words."""
        return ", ".join(map(str, self.where)) or NO_PLACE

    @property
    def graded(self) -> str:
        """Its severity and what became of it, in words."""
        return f"{self.severity}{_STATES.get(self.state, '')}"

    @property
    def fix(self) -> str:
        """The change in words, empty if the claim says it already."""
        return f"Fix: {self.change}" if self.change and self.change != self.claim else ""

    @property
    def names(self) -> str:
        """Who raised, confirmed and withdrew it, in words."""
        said = {"raised": self.raised_by, "confirmed": self.confirmed_by, "withdrawn": self.withdrawn_by}
        return "; ".join(f"{verb} by {listed(names)}" for verb, names in said.items() if names)

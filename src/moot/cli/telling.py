"""From entries to pieces. What every protocol has is told here, the rest by its view."""

from typing import Any

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from moot import Entry
from moot.cli.pieces import DIM, Cast, Piece, row
from moot.cli.views import view_of
from moot.cli.words import clean, colour, one_line

STEPS = {"summary": "is summing up what came before"}


class Teller:
    """Puts entries into pieces. The header tells it who takes part and which protocol's view to use."""

    def __init__(self) -> None:
        self.cast = Cast()
        self._use("")

    def _use(self, protocol: str) -> None:
        view = view_of(protocol)
        self._tell, self.steps, self.aloud = view.teller(self.cast), {**view.steps, **STEPS}, view.aloud

    def tell(self, entry: Entry) -> Piece:
        people = self.cast.people
        if people and entry.to not in ("all", []) and people.isdisjoint(entry.to):
            # Somebody who takes part looks at this screen, and nobody sees what is not theirs.
            return row("·", Text(f"{one_line(entry.speaker)}, in private: {entry.type}", DIM))
        text = f"{entry.type} · {one_line(entry.speaker)}: {one_line(entry.content)}"
        if entry.outside:
            return row("↪", Text(f"from outside · {text}", DIM))
        data: Any = entry.data  # of the class that goes with the entry's type
        match entry.type if data else "":
            case "header" | "setup":
                return self._header(data)
            case "switch":
                return row("⇄", Text(one_line(entry.content), "yellow"))
            case "summary":
                what = f"a summary of its {len(data.replaced)} oldest exchanges"
                return row("≡", Text(f"{one_line(data.agent)} goes on with {what}", DIM))
        return self._tell(entry) or row("·", Text(text, DIM))

    def _header(self, header: Any) -> Piece:
        for index, member in enumerate(header.cast):
            self.cast.styles[member.name] = Style(color=colour(member.colour, index), bold=True)
            self.cast.sides[member.name] = member.side
            if any(model.startswith("human/") for model in member.models):
                self.cast.people.add(member.name)
        self.cast.turns = header.turns
        self._use(header.protocol)
        lines = [Text(clean(header.topic), "bold")]
        if header.premise:
            lines.append(Text(f"Premise: {clean(header.premise)}"))
        lines.append(Text())
        width = max((cell_len(one_line(member.name)) for member in header.cast), default=0)
        for member in header.cast:
            line = self.cast.name(member.name)
            line.append(" " * max(2, min(width, 20) - line.cell_len + 2))
            line.append(f"argues {member.side}" if member.side else member.role)
            lines.append(line.append(" · " + ", then ".join(map(one_line, member.models)), DIM))
        lines += [Text()] * bool(header.notices)
        lines += [Text(f"! {clean(notice)}", "bold yellow") for notice in header.notices]
        label = Text(one_line(header.protocol) + (f" · {header.turns} turns" if header.turns else ""))
        return Piece("panel", label, Text("\n").join(lines), Style())

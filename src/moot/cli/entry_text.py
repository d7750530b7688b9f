"""From entries to pieces: the header and common entries are handled here, the others by the protocol's lines."""

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from moot import Entry
from moot.cli.blocks import rendered
from moot.cli.layout import DIM, Cast, Piece, row
from moot.cli.wording import clean, colour
from moot.engine.define.capabilities import LiveView
from moot.engine.define.plain import common_line, guarded_lines, plain_line, plain_lines
from moot.engine.define.registry import get_protocol
from moot.errors import ConfigError
from moot.present import Line, Lines
from moot.record.entry import Source
from moot.record.payloads import Header, Recap, Switch
from moot.text import one_line

TRENDS = {"up": (" ▲", "green"), "same": (" =", "dim"), "down": (" ▼", "red"), "": ("", "")}
TONES = {"plain": DIM, "good": Style(color="green"), "bad": Style(color="yellow"), "strong": Style(bold=True)}
SIGNS = {"plain": "·", "good": "✓", "bad": "✗", "strong": "·"}


class Teller:
    """Puts entries into pieces. The header provides the participants and the protocol whose lines to use."""

    def __init__(self) -> None:
        self.cast = Cast()
        self._lines: Lines = plain_lines()
        self.live = LiveView()

    def tell(self, entry: Entry) -> Piece:
        line = self.line(entry)
        if isinstance(entry.data, Header):
            return self._header(entry.data)
        people = self.cast.people
        if people and not entry.public and people.isdisjoint(entry.to):
            # A participant is looking at this screen, and must not see private entries of others.
            return row("·", Text(f"{one_line(entry.speaker)}, in private: {entry.type}", DIM))
        if entry.outside:
            text = f"{entry.type} · {one_line(entry.speaker)}: {one_line(entry.content)}"
            return row("↪", Text(f"from outside · {text}", DIM))
        match entry.data:
            case Switch():
                return row("⇄", Text(one_line(entry.content), "yellow"))
            case Recap(agent=agent, replaced=keys):
                what = f"a summary of its {len(keys)} oldest exchanges"
                return row("≡", Text(f"{one_line(agent)} continues with {what}", DIM))
            case _:
                return self._piece(entry, line)

    def line(self, entry: Entry) -> Line:
        """The line of an entry; each must be asked for once, in order."""
        if isinstance(entry.data, Header):
            self._meet(entry.data)
        own = self._lines(entry)
        return common_line(entry) or own or plain_line(entry)

    def _meet(self, header: Header) -> None:
        for index, member in enumerate(header.cast):
            self.cast.styles[member.name] = Style(color=colour(member.colour, index), bold=True)
            if any(model.startswith("human/") for model in member.models):
                self.cast.people.add(member.name)
        self._choose(header.protocol)

    def _piece(self, entry: Entry, line: Line) -> Piece:
        text = clean(entry.content if line.text is None else line.text)
        style, name = self.cast.style_of(entry.speaker), self.cast.name(entry.speaker)
        below = [*rendered(line.body, {}), *(_source(source) for source in entry.sources)]
        match line.kind:
            case "statement":
                name.append(f"{self._number(entry)} · {one_line(line.label)}")
                if self.live.numbered and entry.rebuttal_to_seq is not None:
                    name.append(f" · answers #{entry.rebuttal_to_seq}")
                return Piece("speech", name, Text(text), style, below)
            case "verdict":
                label = name.append(f" {one_line(line.label)}")
                badge = [Text(one_line(line.badge), "bold")] if line.badge else []
                body = Text("\n\n").join([*badge, *([Text(text)] if text else [])])
                return Piece("box", label, body, style, [Text(), *below] if body and below else below)
            case "private":
                label = name.append(f" {one_line(line.label)}", "italic dim")
                return Piece("thought", label, Text(text, DIM), DIM, below)
            case "mark":
                label = self.cast.name(line.about or entry.speaker).append(self._number(entry))
                label.append(f" {one_line(line.badge)}").append(*TRENDS[line.trend])
                if self.live.numbered and entry.target_seq is not None:
                    label.append(f" on #{entry.target_seq}")
                return Piece("row", label.append(" "), Text(one_line(text), TONES[line.tone]), DIM, below)
            case "note":
                said = name.append(f" {one_line(line.label)}", "not bold")
                if lines := [one_line(one) for one in text.split("\n") if one.strip()]:
                    said.append(
                        ":" + "".join(f"\n{one}" for one in lines) if lines[1:] else f": {lines[0]}", "not bold"
                    )
                said.stylize(TONES[line.tone])
                return Piece("row", Text(SIGNS[line.tone]), said, DIM, below)

    def _number(self, entry: Entry) -> str:
        return f" · #{entry.seq}" if self.live.numbered else ""

    def _header(self, header: Header) -> Piece:
        lines = [Text(clean(header.topic), "bold")]
        lines += [Text(f"{one_line(name)}: {clean(text)}") for name, text in header.details.items()]
        lines.append(Text())
        width = max((cell_len(one_line(member.name)) for member in header.cast), default=0)
        for member in header.cast:
            line = self.cast.name(member.name)
            line.append(" " * max(2, min(width, 20) - line.cell_len + 2))
            line.append(f"argues {member.side}" if member.side else member.role)
            lines.append(line.append(" · " + ", then ".join(map(one_line, member.models)), DIM))
        lines += [Text()] * bool(header.flags)
        lines += [
            Text(f"! {clean(flag.text)}", "bold yellow")
            if flag.severity == "warning"
            else Text(f"· {clean(flag.text)}", DIM)
            for flag in header.flags
        ]
        return Piece("box", Text(one_line(header.protocol)), Text("\n").join(lines), Style())

    def _choose(self, name: str) -> None:
        """Use the lines of that protocol; plain lines if it is not installed."""
        try:
            protocol = get_protocol(name)
        except ConfigError:
            return
        self._lines = guarded_lines(protocol.lines)
        self.live = protocol.live


def _source(source: Source) -> Text:
    return Text(f"↪ {one_line(source.title)}, {one_line(source.url)}", DIM)

"""Reads Argdown as its own parser does. Headings, tags and the like are left out and reported as a loss.

Statements and arguments become arguments of the graph. A statement and an argument of one title are two: `[Tea]` and
`<Tea>`. A premise–conclusion structure becomes steps: the premises of a step support its conclusion, those of the last
step support the argument, and the argument supports the main conclusion. An undercut of an inference is one of its
conclusion, or of the argument for the last. An attack from an argument with such steps comes from its conclusion.
"""

import math
import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from moot.argument.formats.argdown_parser import Inference, Mention, Parser
from moot.argument.formats.argdown_parser import Structure as Numbered
from moot.argument.formats.base import ATTACK, SUPPORT, UNDERCUT, Builder, FormatError, Loss, quoted
from moot.argument.graph import Graph
from moot.argument.structure import Step, Structure, implied_supports

Key = tuple[str, str]
_MEANING = {"+": SUPPORT, "-": ATTACK, "_": UNDERCUT}


@dataclass(slots=True)
class _Node:
    """Everything said about one statement or argument."""

    line: int
    mentions: list[Mention] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)

    def texts(self) -> list[str]:
        """The wordings, the chosen one last: one marked as canonical, or the last."""
        said = [one for one in self.mentions if not one.reference]
        said.sort(key=lambda one: bool(one.data.get("isCanonical")))
        return list(dict.fromkeys(" ".join(one.text.split()) for one in reversed(said)))[::-1]


@dataclass(slots=True)
class _Reader:
    nodes: dict[Key, _Node] = field(default_factory=dict)
    related: list[tuple[str, Key, Key]] = field(default_factory=list)
    steps: dict[Key, list[tuple[list[Key], Key, Inference]]] = field(default_factory=dict)
    untitled: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def take(self, mention: Mention, undercut: Key | None = None) -> Key:
        """Take a mention and everything below it. An undercut below a conclusion is one of the step to it."""
        key = mention.kind, mention.title if mention.title is not None else self.new_title()
        node = self.nodes.setdefault(key, _Node(mention.line))
        node.data |= mention.data
        self.relate(key, mention.below, undercut or key)
        node.mentions.append(mention)  # as in Argdown's parser, a wording comes after those below it
        return key

    def relate(self, parent: Key, below: list[tuple[str, Mention]], undercut: Key) -> None:
        for symbol, mention in below:
            child = self.take(mention)
            if symbol == "><":
                self.related += [(ATTACK, child, parent), (ATTACK, parent, child)]
            elif symbol.endswith(">"):
                self.related.append((_MEANING[symbol[0]], parent, child))
            else:
                kind = _MEANING[symbol[-1]]
                self.related.append((kind, child, undercut if kind == UNDERCUT else parent))

    def new_title(self) -> str:
        self.untitled += 1
        return f"Untitled {self.untitled}"

    def take_structure(self, found: Numbered, argument: Key) -> None:
        if argument in self.steps:
            raise FormatError(f"{quoted(argument[1])} has a second premise–conclusion structure", found.line)
        steps: list[tuple[list[Key], Key, Inference]] = []
        self.steps[argument] = steps
        keys: list[Key] = []
        fresh: list[Key] = []
        last = len(found.statements) - 1
        for place, (inference, statement) in enumerate(found.statements):
            undercutters = [self.take(mention) for _, mention in inference.below] if inference else []
            if statement.title is None:
                statement.title = self.new_title()
            key = "statement", statement.title
            undercut = argument if inference and place == last else key
            self.related += [(UNDERCUT, one, undercut) for one in undercutters]
            self.take(statement, undercut)
            if inference:
                steps.append((self.premises(inference, keys, fresh), key, inference))
                fresh = []
            keys.append(key)
            fresh.append(key)
        used = {key for premises, conclusion, _ in steps for key in (*premises, conclusion)}
        steps[-1][0].extend(key for key in keys if key not in used)

    def premises(self, inference: Inference, keys: list[Key], fresh: list[Key]) -> list[Key]:
        """What a step uses: the statements that its data name, or all since the step before, with its conclusion."""
        uses = inference.data.pop("uses", None)
        self.left_out["data other than name, text and weight"] += len(inference.data)
        if isinstance(uses, list) and uses and all(type(one) is int and 1 <= one <= len(keys) for one in uses):
            return list(dict.fromkeys(keys[one - 1] for one in uses))
        return list(dict.fromkeys(fresh))

    def graph(self) -> Graph:
        builder = Builder()
        names = {key: self.add(builder, key, node) for key, node in self.nodes.items()}
        for kind, source, target in self.related:
            if own := self.steps.get(source):
                source = own[-1][1]  # noqa: PLW2901
            builder.relate(kind, builder.index[names[source]], builder.index[names[target]])
        steps: list[Step] = []
        for argument, mine in self.steps.items():
            taken = [
                Step(names[argument], tuple(names[one] for one in premises), names[conclusion], tuple(inference.rules))
                for premises, conclusion, inference in mine
            ]
            for one, other in implied_supports(taken):
                builder.relate(SUPPORT, builder.index[one], builder.index[other])
            steps += taken
        builder.structure = Structure(
            frozenset(names[key] for key in self.nodes if key[0] == "statement"),
            tuple(steps),
            {names[key]: tuple(more) for key, node in self.nodes.items() if (more := node.texts()[:-1])},
        )
        return builder.graph()

    def add(self, builder: Builder, key: Key, node: _Node) -> str:
        kind, title = key
        other = "argument" if kind == "statement" else "statement"
        if (other, title) in self.nodes:
            title = f"[{title}]" if kind == "statement" else f"<{title}>"
        data = node.data
        texts = node.texts()
        name, weight, text = data.pop("name", title), data.pop("weight", None), data.pop("text", texts and texts[-1])
        if not isinstance(name, str) or not isinstance(text or "", str):
            raise FormatError("the name and the text in the data have to be text", node.line)
        if weight is not None and (isinstance(weight, bool) or not isinstance(weight, int | float)):
            shown = quoted(weight) if isinstance(weight, str) else "in the data"
            raise FormatError(f"the weight {shown} is not a number", node.line)
        if isinstance(weight, float) and math.isnan(weight):
            raise FormatError("the weight is not a number", node.line)
        data.pop("isCanonical", None)
        self.left_out["data other than name, text and weight"] += len(data)
        builder.add(name, node.line, weight=weight, text=text or "")
        return name


def read(text: str) -> Graph:
    parser = Parser(text.removeprefix("\ufeff"))
    reader = _Reader()
    before: Key | None = None
    for block in parser.document():
        if isinstance(block, Mention):
            before = reader.take(block)
            before = before if block.kind == "argument" else None
        elif block is not None:
            argument = before or ("argument", reader.new_title())
            reader.nodes.setdefault(argument, _Node(block.line))
            reader.take_structure(block, argument)
            before = None
        else:
            before = None
    graph = reader.graph()
    left_out = parser.left_out + reader.left_out
    if said := ", ".join(f"{what} ({number})" for what, number in left_out.items() if number):
        warnings.warn(f"a graph does not hold these of the Argdown document: {said}", Loss, stacklevel=4)
    return graph

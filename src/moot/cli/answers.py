"""Answers to questions about a debate, in the terminal. Untrusted text is shown, never obeyed."""

from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.text import Text

from moot.cli.wording import WIDEST, duration, hanging, show, spending, total
from moot.engine.outcome.questions import Answer
from moot.text import one_line, printable


def print_answer(answer: Answer) -> None:
    """Print an answer with what it cites, what is wrong with it, and what it cost."""
    console = Console()
    for part in _answer(answer):
        show(console, part)
    if not answer.asked_before:
        used = answer.usage
        cost = spending(1, total(used.input, used.output), used.cost) if used else spending(1, None, None)
        show(console, Text(f"{one_line(answer.model)} · {cost} · {duration(answer.seconds)}", "dim"))


def print_questions(answers: Sequence[Answer], console: Console) -> None:
    """Print the questions that were asked about a debate, each with its answer."""
    for answer in answers:
        show(console, Constrain(Text(f"Asked afterwards: {one_line(answer.question)}", "bold"), WIDEST))
        for part in _answer(answer):
            show(console, part)
        show(console, Text(f"Answered by {one_line(answer.model)}", "dim"))
        show(console, Text())


def _answer(answer: Answer) -> list[RenderableType]:
    cited = [*(f"entry {seq}" for seq in answer.entries), *answer.documents]
    parts: list[RenderableType] = [Constrain(Text(printable(answer.text)), WIDEST)]
    if cited:
        parts.append(hanging("Cites ", Text(", ".join(cited))))
    return parts + [hanging("! ", Text(one_line(fault), "yellow")) for fault in answer.faults]

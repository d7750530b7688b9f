"""Honest sentences in six languages with the pages that they cite in other words, rebuttals that reason and cite
nothing, and what becomes of them and of false citations in debates whose verifier and chair read well, or do not.

`benchmarks/citations.py` prints the rates that stand in docs/chaired.md.
"""

import asyncio
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import moot
from moot.evidence.pages import Text, readable
from moot.protocols.chaired.payloads import Redaction, Ruling, Verification
from moot.protocols.chaired.sentences import sentences
from moot.testing import Scripted, ScriptedModel
from moot.text.yaml import parse_yaml
from tests.kit.chaired import PACK, model_of
from tests.kit.statements import PAGES, STATEMENTS

_DATA = parse_yaml(Path(__file__).with_suffix(".yaml").read_bytes(), "citations.yaml")
PARAPHRASES = [(language, *pair) for language, pairs in _DATA["paraphrases"].items() for pair in pairs]
"""Language, sentence, page."""
REBUTTALS = [(language, sentence) for language, several in _DATA["rebuttals"].items() for sentence in several]
Page = tuple[str, str, str]
"""Its address, title and text."""
One = TypeVar("One")
READINGS = {"false": "contradicts", "unrelated": "says_nothing", "misquoted": "partly", "hidden": "says_nothing"}
"""What a verifier who reads well says of the labelled statements that are not as the page has it."""
READERS = ("well", "hastily", "badly", "not at all")
"""How the verifier and the chair read: hastily is wrong at the first look and right at the second, badly is wrong at
both, and takes false citations for true ones; not at all gives no usable reply."""
AT_ONCE = 8
"""Sentences in a statement: as many as it may have sources."""


@dataclass(slots=True)
class Rate:
    """How many of so many sentences were ruled on, or sent back to their author."""

    of: int = 0
    ruled: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{len(self.ruled)} of {self.of}"


def paraphrases(reader: str = "well") -> dict[str, Rate]:
    """By language, how many honest paraphrases were ruled on, though the verifier quotes the passage; if it reads well,
    all of them are confirmed."""
    rates = {language: Rate() for language, _, _ in PARAPHRASES}
    for few in _by_statement(PARAPHRASES):
        pages = [(f"https://pages.example/{number}", "A page", page) for number, (_, _, page) in enumerate(few)]
        content = "\n\n".join(f"{sentence} [{number}]" for number, (_, sentence, _) in enumerate(few, 1))
        looks = {
            number: _looks(reader, _reading("supports", page), _reading("partly", page))
            for number, (_, _, page) in enumerate(few, 1)
        }
        entries = _opening(content, pages, looks, [url for url, _, _ in pages])
        found = [one.data for one in entries if isinstance(one.data, Verification) and one.target_seq == 2]
        against, confirmed = _against(entries), [one.quote for one in found if one.status == "confirmed"]
        for language, sentence, page in few:
            lost = reader == "well" and page.rstrip(".。") not in confirmed
            rates[language].of += 1
            rates[language].ruled += [sentence] * (lost or any(one in sentence for one in against))
    return rates


def rebuttals(reader: str = "well") -> dict[str, Rate]:
    """By language, how many rebuttals without a source were ruled on; with a chair who reads well, also those that were
    sent back."""
    rates = {language: Rate() for language, _ in REBUTTALS}
    for few in _by_statement(REBUTTALS):
        content = "\n\n".join(sentence for _, sentence in few)
        said = {"thought": "", "type": "rebuttal", "rebuttal_to_seq": 3, "sources": [], "content": content}
        cited = {"thought": "", "type": "opening_statement", "sources": [{"url": PACK[0]["url"]}]}
        first = cited | {"content": "Trams carry 31 % of the people in 14 of 20 towns [1]."}
        named = [{"sentence": sentence.partition(" [=")[0], "mend": ""} for _, sentence in few]
        nothing = {"unsourced": [], "reason": "So it is.", "words": "", "breach": "none"}
        answers: dict[str, Any] = {"promoter@opening/turn": first, "promoter@r1/turn": said}
        for version, look in zip(("", ".again"), _looks(reader, nothing, nothing | {"unsourced": named}), strict=True):
            answers[f"chair@promoter.r1{version}/conduct"] = look
        model = model_of(answers)
        against = _against(_held(model, []))
        again = reader == "well" and any(one.key == "promoter@r1/turn-again" for one in model.requests)
        for language, sentence in few:
            rates[language].of += 1
            rates[language].ruled += [sentence] * (again or any(one and one[:20] in sentence for one in against))
    return rates


def false_citations(reader: str = "well") -> dict[str, Rate]:
    """By kind, how many of the labelled statements were ruled on, struck or redacted. The verifier says of each what
    the page says, or is credulous, and says yes to the true ones and to pages that do not exist."""
    rates: dict[str, Rate] = {}
    pages = [(url, title, _text(body)) for url, (title, body) in PAGES.items()]
    first = {url: sentences(text)[0].text for url, _, text in pages}
    for one in STATEMENTS:
        rate = rates.setdefault(one.kind, Rate())
        rate.of += 1
        quote, says = first.get(one.urls[0], ""), READINGS.get(one.kind, "supports")
        looks = _looks(reader, _reading(says, quote), _reading("supports", quote))
        rate.ruled += [one.content] * bool(_against(_opening(one.content, pages, {1: looks, 2: looks}, one.urls)))
    return rates


def readers_table(quoted: Mapping[str, Mapping[str, Rate]], reasoned: Mapping[str, Mapping[str, Rate]]) -> str:
    """By reader: paraphrases and rebuttals that are ruled on."""
    rows = [f"| {reader} | {total(rates)} | {total(reasoned[reader])} |" for reader, rates in quoted.items()]
    return "\n".join(["| they read | paraphrases ruled on | rebuttals ruled on |", "|---|---|---|", *rows])


def total(rates: Mapping[str, Rate]) -> Rate:
    every = list(rates.values())
    return Rate(sum(one.of for one in every), [sentence for one in every for sentence in one.ruled])


def _looks(reader: str, right: Scripted, wrong: Scripted) -> tuple[Scripted, Scripted]:
    """The first and the second look of a reader."""
    looks = {"well": (right, right), "hastily": (wrong, right), "badly": (wrong, wrong)}
    return looks.get(reader, ("no JSON", "no JSON"))


def _by_statement(listed: Sequence[One]) -> Iterator[Sequence[One]]:
    for start in range(0, len(listed), AT_ONCE):
        yield listed[start : start + AT_ONCE]


def _reading(supports: str, quote: str) -> Scripted:
    return {"quote": quote, "explanation": "So it says.", "supports": supports, "confidence": 0.9}


def _text(body: str) -> str:
    found = readable(f"<html><body><article>{body}</article></body></html>".encode(), "text/html")
    assert isinstance(found, Text)
    return found.text


def _against(entries: Sequence[moot.Entry]) -> list[str]:
    """The sentences of the promoter that rulings go against; a blank for a turn or an entry that is struck."""
    ruled = [one.data for one in entries if isinstance(one.data, Ruling | Redaction)]
    return [getattr(one, "sentence", None) or "" for one in ruled if one.against == "promoter"]


def _opening(
    content: str, pages: Sequence[Page], looks: Mapping[int, tuple[Scripted, Scripted]], urls: Sequence[str]
) -> Sequence[moot.Entry]:
    """The entries of a debate that the promoter opens with this. Looks are by the number of the page."""
    said = {"thought": "", "type": "opening_statement", "sources": [{"url": url} for url in urls], "content": content}
    answers: dict[str, Any] = {"promoter@opening/turn": said}
    for number, (first, second) in looks.items():
        answers[f"verifier@promoter.opening.{number}/check"] = first
        answers[f"verifier@promoter.opening.{number}.again/check"] = second
    return _held(model_of(answers), pages)


def _held(model: ScriptedModel, pages: Sequence[Page]) -> Sequence[moot.Entry]:
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "pack"
        pack.mkdir()
        listed = [*PACK, *({"url": url, "title": title, "text": text} for url, title, text in pages)]
        (pack / "pages.jsonl").write_text("".join(json.dumps(one) + "\n" for one in listed), "utf-8")
        config = moot.configure(
            "chaired",
            topic="Trams are better than cars.",
            evidence={"pack": str(pack)},
            max_rounds=1,
            model=model.name,
            seed=7,
            out=str(Path(folder) / "runs"),
        )
        result = asyncio.run(moot.run(config, models={model.name: model}, reports=False))
        assert (result.status, result.reason) == ("done", None)
        return moot.find_run(result.run).entries()

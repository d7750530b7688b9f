"""What is struck with an invented source takes no word from those who tell the truth."""

import pytest

from moot.evidence import Document, Judgement, Unfetched, decide
from moot.evidence.pages import Text, readable, sha256
from moot.protocols.chaired.citing import said_in
from moot.protocols.chaired.payloads import Redaction, Verification
from moot.protocols.chaired.record import mask_of, shared_wording
from moot.protocols.chaired.sentences import sentences
from moot.record.entry import Draft
from tests.kit.statements import PAGES, STATEMENTS, Statement


def page(url: str) -> Document | Unfetched:
    if url not in PAGES:
        return Unfetched(url=url, kind="absent", words="it is not in the evidence pack")
    title, body = PAGES[url]
    found = readable(f"<html><body><article>{body}</article></body></html>".encode(), "text/html")
    assert isinstance(found, Text)
    return Document(url=url, title=title, text=found.text, sha256=sha256(found.text))


def verified(one: Statement) -> list[Verification]:
    found = []
    for said in said_in(one.content):
        for number in said.cites:
            source = page(one.urls[number - 1])
            assert isinstance(source, Document)
            first = sentences(source.text)[0].text
            finding = decide(source, Judgement(quote=first, explanation="Sure.", supports="supports", confidence=1.0))
            found.append(Verification(**(finding.model_dump() | {"sentence": said.text})))
    return found


@pytest.mark.parametrize("number", range(50, 60))
def test_striking_an_invention_strikes_no_word_of_a_true_statement(number: int) -> None:
    lie = STATEMENTS[number]
    evidence = [document.text for url in PAGES if isinstance(document := page(url), Document)]
    struck = Draft("opening", "promoter", "opening_statement", lie.content, number=2)
    data = Redaction(
        rule=12, against="promoter", url=lie.urls[-1], reason="made up", spared=shared_wording(struck, evidence)
    )
    ruling = Draft("rebuttal", "chair", "redaction", "Struck.", data=data, target=struck, number=90)
    for place, one in enumerate((one for one in STATEMENTS if one.kind == "true"), 3):
        said = Draft("opening", "detractor", "opening_statement", one.content, number=place)
        found = [
            Draft("opening", "verifier", "verification_result", "", data=data, target=said, number=91 + number)
            for number, data in enumerate(verified(one))
        ]
        assert mask_of([struck, said, ruling, *found]).text(one.content, place) == one.content

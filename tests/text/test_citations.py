"""Which quotations belong to which citation, in ten scripts and in all forms of brackets: no honest one is accused, and
invented ones are found."""

from itertools import product
from pathlib import Path

import pytest

from moot.record.payloads import Misquote
from moot.text.yaml import parse_yaml
from tests.kit.duels import Replies, duel
from tests.kit.runs import entries

WORDS = parse_yaml(Path(__file__).with_name("citations.yaml").read_bytes(), "citations.yaml")
BRACKETS = ("[D1]", "［D1］", "【D1】", "〔D1〕", "《D1》")
FORMS = (
    "{quote}{space}{mark}{stop}",
    "{mark}{space}{says}{space}{quote}{stop}",
    "{they}{space}{theirs}{stop}{space}{mark}{space}{says}{space}{quote}{stop}",
    "{they}{space}{theirs}{but}{space}{mark}{space}{says}{space}{quote}{stop}",
    "{they}{space}{theirs}{stop}{space}{quote}{stop}{space}{mark}",
    "{they}{space}{theirs}{but}{space}{quote}{space}{mark}{stop}",
)


@pytest.mark.parametrize("language", WORDS)
def test_a_quotation_of_an_opponent_is_no_quotation_of_the_document(language: str, tmp_path: Path) -> None:
    words = WORDS[language]
    opened, closed = words["marks"]
    cases = [
        (form.format(mark=mark, **words | {"theirs": f"{opened}{words['theirs']}{closed}"}, quote=quote), honest)
        for form, mark in product(FORMS, BRACKETS)
        for honest in (True, False)
        for quote in [f"{opened}{words['found' if honest else 'invented']}{closed}"]
    ]
    said: Replies = {f"A/turn/{2 * place + 1}": f"1: {words['theirs']}{words['stop']}" for place in range(len(cases))}
    said |= {f"B/turn/{2 * place + 2}": text for place, (text, _) in enumerate(cases)}
    documents = [{"title": "Report", "text": f"{words['found']}{words['stop']}"}]
    result, _ = duel(tmp_path, said, turns=2 * len(cases), documents=documents)
    assert result.status == "done", result.reason
    log = entries(result)
    wrong = {log[entry.target_seq or 0].content for entry in log if isinstance(entry.data, Misquote)}
    assert [text for text, honest in cases if honest and text in wrong] == []
    assert [text for text, honest in cases if not honest and text not in wrong] == []

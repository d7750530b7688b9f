"""A share of a panel's weight beside the bound it was held against: neither is told as what it is not."""

import io
from pathlib import Path

import pytest
from rich.console import Console

import moot
from moot.cli.summary import print_summary
from tests.kit.panels import labels, outcome, panel, rules
from tests.kit.runs import entries

SPLIT = labels("accept", "reject", "accept", "reject") | rules("accept")


def told(result: moot.Result) -> str:
    out = io.StringIO()
    print_summary(result, Console(file=out, width=200))
    return " ".join(out.getvalue().split())


def report(result: moot.Result, form: str) -> str:
    return (moot.find_run(result.run).path / f"report.{form}").read_text("utf-8")


@pytest.mark.parametrize(("needed", "in_per_cent"), [("0.666", "66.6"), ("0.625", "62.5")])
def test_what_carried_never_reads_as_short_of_its_bound(tmp_path: Path, needed: str, in_per_cent: str) -> None:
    weights = {"Innovator": 1, "Pragmatist": 1, "Critic": 1, "Advocate": 1, "Validator": 2}
    kind = {"labels": {"accept": "a", "reject": "b"}, "question": "Go?", "rounds": 2, "agreement": needed}
    mine = {"mine": {**kind, "criteria": "c"}}
    result, _ = panel(tmp_path, SPLIT, persona_weights=weights, kind="mine", kinds=mine)
    assert outcome(result).carried is True
    assert f"66.66% of the weight is behind it, and {in_per_cent}% were needed." in told(result)
    for form in ("md", "html"):
        assert f"66.66% of the weight is behind it, and {in_per_cent}% were needed." in report(result, form)
    assert "accept, with 66.66% of the weight." in [one.content for one in entries(result)]

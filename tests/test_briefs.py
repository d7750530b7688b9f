"""The demonstration of every protocol ends in a brief that somebody could forward."""

from pathlib import Path

import pytest

from moot.models.scripted import demo_names
from tests.kit.contract import faults_of_brief
from tests.kit.shelf import codes, demonstrated


@pytest.mark.parametrize("name", demo_names())
def test_a_demonstration_ends_in_a_brief(name: str, tmp_path: Path) -> None:
    result, _ = demonstrated(name, tmp_path)
    brief = result.summary.brief
    assert faults_of_brief(result) == []
    assert brief.answer and brief.answer.removesuffix(".") in result.summary.headline
    assert brief.firmness and brief.because
    assert brief.objection or brief.dissent or brief.firmness.startswith("Firm: all"), "somebody was against it"
    assert all(point.entries for point in brief.because), "each reason says what it rests on"
    assert "answer_contradicts_verdict" not in codes(result)

"""Folders of batches, tournaments and evaluations that somebody sent, mutated at random: each is shown, or said to be
damaged, and nobody else's is."""

import random
from pathlib import Path

import pytest

from moot.engine.staging.finding import list_studies
from moot.studies.pages import Studies
from tests.kit import batches, leagues, quiz
from tests.kit.examples import tries
from tests.kit.mutants import IN_PLACE, mutated

SAID = {"sample": "ANSWER: 7", "Avery": "ANSWER: 7", "Blake": "ANSWER: 8", "duel": "7"}


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    given, made = tmp_path_factory.mktemp("given"), tmp_path_factory.mktemp("made")
    questions = quiz.write(given, quiz.numbers(2))
    quiz.run(quiz.Quiz({}, SAID), questions, [quiz.short_duel(given)], out=made / "evaluation")
    leagues.hold(leagues.write_league(given), made / "league")
    batches.ran(batches.made(batches.write_grid(given), made / "batch"))
    return made


def test_no_mutated_study_breaks_the_others(studies: Path) -> None:
    files = sorted(path for path in studies.glob("*/*") if path.suffix in (".json", ".jsonl"))
    known = {one.study.name for one in Studies(lambda: list_studies(str(studies))).all()}
    assert len(known) >= 3
    draw, faults, times = random.Random(1), 0, tries(40)
    for _ in range(times):
        file = draw.choice(files)
        whole = file.read_bytes()
        file.write_bytes(mutated(draw, draw.choice([*IN_PLACE, "value", "value"]), whole))
        try:
            index = Studies(lambda: list_studies(str(studies)))
            shown = index.all()
            faults += sum(index.contents(one.study).fault is not None for one in shown)
        finally:
            file.write_bytes(whole)
        others = {one.study.name for one in shown if one.study.path.parts[-1] != file.parent.name}
        assert others >= {name for name in known if not name.startswith(file.parent.name)}
    assert faults > times / 8, "and it says so"

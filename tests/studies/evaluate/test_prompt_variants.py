"""The benchmark of prompts plays variants of them by `moot eval`, and leaves the prompts as they were."""

import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kit.endpoint import FakeEndpoint, Fault, say

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
import prompts

MARK = "Look at your own steps once more."
AGAIN = f"{MARK} {{topic}} {{answers}}"


def answering() -> Callable[[int, dict[str, Any]], Fault]:
    """Answers 7 when asked as the variant asks, else 8; of three first answers of agents, the first is 7."""
    asked: Counter[str] = Counter()

    def answer(_: int, body: dict[str, Any]) -> Fault:
        text = json.dumps(body["messages"])
        asked[text] += 1
        if "moved_by" in json.dumps(body):
            found = "7" if MARK in text else "8"
            return say(json.dumps({"reasons": "r", "moved_by": "a step", "because": "b", "answer": found}))
        return say(f"So it is.\nANSWER: {7 if 'agents' in text and asked[text] % 3 == 1 else 8}")

    return answer


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    rows = [{"id": f"Q{number}", "question": f"Q{number}: how many?", "answer": 7} for number in range(9)]
    (tmp_path / "quiz.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    folder = tmp_path / "variants" / "once-more"
    folder.mkdir(parents=True)
    (folder / "AGAIN.txt").write_text(AGAIN, "utf-8")
    given = ["multiagent", tmp_path / "quiz.jsonl", "-m", "fake/fake", "--variants", folder.parent]
    return [*map(str, given), "--seeds", "2", "--baseline", "single", "--out", str(tmp_path / "out")]


async def test_variants_are_played_and_set_against_the_prompts_as_they_are(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = prompts.text_of(prompts.prompts_of("multiagent")["AGAIN"][0].AGAIN)
    async with FakeEndpoint(faults=answering()) as server:
        monkeypatch.setenv("FAKE_BASE_URL", server.url)
        report, requests = await prompts.measure(prompts.parsed(options), model="fake/fake"), server.requests
    rows = {line.split("|")[1].strip(): line.split("|")[2:-1] for line in report.splitlines() if line.startswith("|")}
    assert {"as is", "once-more", "single", "multiagent/first"} <= rows.keys()
    found = {name: [cell.strip() for cell in cells] for name, cells in rows.items()}
    asked = str(2 * len(prompts.questions_in(prompts.parsed(options).questions, last=False, limit=None)))
    assert [found[name][:2] for name in ("as is", "once-more")] == [["100 %", "0 %"], ["100 %", "100 %"]]
    assert found["once-more"][3] == "+100" and {one[-1] for one in (found["single"], found["as is"])} == {asked}
    assert any(MARK in json.dumps(request) for request in requests)
    assert prompts.text_of(prompts.prompts_of("multiagent")["AGAIN"][0].AGAIN) == before
    assert (tmp_path / "out" / "table.md").read_text("utf-8") == report


def test_a_third_of_the_questions_is_for_the_last_check(options: list[str]) -> None:
    files = prompts.parsed(options).questions
    search, last = (prompts.questions_in(files, last=last, limit=None) for last in (False, True))
    assert len(search) + len(last) == 9 and last
    assert not {one["id"] for one in search} & {one["id"] for one in last}


@pytest.mark.parametrize(("name", "text"), [("AGAINST", ""), ("AGAIN", "{unheard}")])
def test_a_variant_of_no_prompt_or_with_an_unknown_name_is_refused(name: str, text: str) -> None:
    with pytest.raises(ValueError, match="AGAIN"), prompts.replaced("multiagent", {name: text}):
        pass


@pytest.mark.parametrize("folder", sorted(prompts.VARIANTS.iterdir()), ids=lambda folder: folder.name)
def test_the_variants_that_are_there_fit_their_prompts(folder: Path) -> None:
    for texts in prompts.variants_in(folder).values():
        with prompts.replaced(folder.name, texts):
            pass

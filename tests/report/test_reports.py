"""What the two reports of a run say, and in which order, however the run went."""

import asyncio
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.engine.outcome.material import gather
from moot.engine.outcome.result import fold
from moot.report import reports
from moot.testing import ScriptedModel
from tests.kit.duels import MODEL, Replies, full_script, play, small_config, staged


def texts(run: moot.Run) -> tuple[str, str]:
    """Both reports as they lie in the folder."""
    return (run.path / "report.md").read_text("utf-8"), (run.path / "report.html").read_text("utf-8")


def duel(folder: Path, changed: Replies | None = None, turns: int = 2, **settings: Any) -> tuple[str, str]:
    """The reports of a scripted duel in which some replies are other than usual."""
    result = play(small_config(folder, turns, **settings), ScriptedModel(full_script(turns) | (changed or {})))
    return texts(moot.find_run(result.run))


def test_the_verdict_comes_first_and_everything_else_in_order(tmp_path: Path) -> None:
    run = staged(tmp_path, turns=4)
    markdown, page = texts(run)
    assert re.findall(r"^##? (.*)", markdown, re.MULTILINE) == [
        "Is it so?",
        "Answer",
        "Scores, turn by turn",
        "Cast",
        "Transcript",
        "Calls and cost",
        "What failed",
        "Receipt",
    ]
    assert "\n\n\n" not in markdown
    sections = re.findall(r'<section id="(\w+)"', page)
    assert sections == ["verdict", "scores", "cast", "transcript", "saw", "cost", "failed", "receipt"]


def test_the_chart_has_a_gap_where_a_score_is_missing(tmp_path: Path) -> None:
    markdown, page = duel(tmp_path, {"judge/score/3": ["none", "none", "none"]}, turns=6)
    first, second = re.findall(r'<g class="line line-\d c-(\w+)">\s*(.*)\n', page)
    assert [line[0] for line in (first, second)] == ["cyan", "magenta"]
    assert [line[1].count("<path") for line in (first, second)] == [2, 1]
    assert "    Ada  ▅   ×   ▄    5 – 4\n" in markdown
    assert re.search(r"<desc[^>]*>.*Ada \(solid line, round marks\): 5, 4\. Bo \(dashed line", page)
    assert '<th scope="row">3</th><td>Ada</td><td class="n">none</td>' in page


def test_the_transcript_marks_what_was_private_and_links_answers(tmp_path: Path) -> None:
    run = staged(tmp_path, turns=3)
    markdown, page = texts(run)
    answered = {entry.seq: entry.rebuttal_to_seq for entry in run.entries() if entry.rebuttal_to_seq is not None}
    assert len(answered) == 2
    for seq, earlier in answered.items():
        article = page.partition(f'<article id="e{seq}"')[2].partition("</article>")[0]
        assert f'answers <a class="seq" href="#e{earlier}">' in article
        assert f"(entry {seq}, answers entry {earlier}, public)" in markdown
    for entry in run.entries():
        assert page.count(f'id="e{entry.seq}"') == 1
        folded = page.partition(f'<details id="e{entry.seq}"')[2].partition("</details>")[0]
        assert (entry.content in folded) == (entry.type in ("plan", "think"))
    assert "**Ada** plans (entry 1, private):\n\n> Ada plans – “für alle”." in markdown
    assert "> Statement 1, by A.\n> In two lines." in markdown


def test_a_journal_that_does_not_add_up_is_named(tmp_path: Path) -> None:
    run = staged(tmp_path)
    lines = run.journal_path.read_text("utf-8").replace("what Bo will hold", "what Bo will dread")
    run.journal_path.write_text(lines, "utf-8")
    for name, text in reports(gather(run, fold(run, "done", None, 1))).items():
        run.write(name, text)
    assert "the journal does not add up: the request at A/plan is not the one" in texts(run)[1]


@dataclass
class Silent:
    """A model that does not say what its replies took."""

    script: Replies
    name: str = MODEL
    small: bool = False
    context_window: int | None = None

    async def ready(self) -> None:
        pass

    async def reply(self, request: moot.Request, on_text: object = None) -> moot.ModelReply:
        reply = self.script[request.key]
        return moot.ModelReply(reply if isinstance(reply, str) else json.dumps(reply))


def test_a_cost_that_nobody_knows_is_unknown(tmp_path: Path) -> None:
    result = asyncio.run(moot.run(small_config(tmp_path), models={MODEL: Silent(full_script(2))}))
    markdown, page = texts(moot.find_run(result.run))
    assert re.search(r"\| All +\| +14 \| +unknown \| +unknown \| +unknown \| +unknown \|", markdown)
    assert re.search(r"\| A/plan +\| scripted/replies \| +unknown ", markdown)
    assert '<td class="n">unknown</td>' in page


def test_a_change_of_model_is_marked(tmp_path: Path) -> None:
    failure = moot.NotReady("out of order <today>").paid(moot.Usage(7, 0, 3, 0.5))
    broken = ScriptedModel(lambda _: failure, name="scripted/broken")
    config = small_config(tmp_path, roles={"A": [broken.name, MODEL]})
    result = play(config, broken, ScriptedModel(full_script(2)))
    markdown, page = texts(moot.find_run(result.run))
    assert "**moot** notes that an agent changed its model (entry 1, seen by no agent):" in markdown
    assert "Ada continues with scripted/replies instead of scripted/broken" in page
    assert re.search(r"<li><code>seq 1</code> Ada: .*instead of scripted/broken: .*out of order &lt;today&gt;", page)
    assert re.search(r"\| A/plan +\| scripted/replies \|.* \$0\.5000 \|.* 2 \|", markdown)
    assert re.search(r"\| Ada +\| +3 \|.* \$0\.5000 \|", markdown)


def test_an_entry_from_outside_is_no_part_of_the_debate(tmp_path: Path) -> None:
    run = staged(tmp_path)
    source = {"url": "https://example.org/a_b", "title": "A | B", "accessed": "2026-01-02"}
    seq = moot.append_outside(
        run, phase="rebuttal", speaker="Ada", type="note", content="I never said this.", sources=[source]
    )
    asyncio.run(moot.rebuild(run))
    markdown, page = texts(run)
    block = page.partition(f'id="e{seq}"')[2].partition("</div>\n{")[0]
    assert "From outside" in block
    assert "No agent said it and no agent was shown it." in block
    assert "https://example.org/a_b" in block
    assert "**From outside:**" in markdown
    assert "- Source: A \\| B, https://example.org/a_b (read 2026-01-02)" in markdown
    assert f'<article id="e{seq}"' not in page


def test_a_run_that_hit_a_limit_tells_how_to_go_on(tmp_path: Path) -> None:
    result = play(small_config(tmp_path, 4, max_calls=14), ScriptedModel(full_script(4)))
    run = moot.find_run(result.run)
    for text in texts(run):
        assert "This debate is unfinished: limit" in text
        assert "the limit of 14 calls is reached" in text
        assert f"moot resume {run.path.name}" in text
        assert "No verdict yet" in text
        assert "Running score" in text
        assert text.index("unfinished") < text.index("No verdict yet") < text.index("Statement 1, by A.")


def test_a_failed_call_is_listed_with_its_attempts(tmp_path: Path) -> None:
    script = full_script(2) | {"B/turn/2": moot.NotReady("no <b>key</b>")}
    result = play(small_config(tmp_path), ScriptedModel(script))
    assert result.status == "failed"
    markdown, page = texts(moot.find_run(result.run))
    assert re.search(r"\| B/turn/2 +\| scripted/replies \|(?: +\|){4} no reply \| +1 \|", markdown)
    assert "- At B/turn/2, Bo: scripted/replies: NotReady: no \\<b>key\\</b>" in markdown
    assert "NotReady: no &lt;b&gt;key&lt;/b&gt;" in page
    assert "This debate is unfinished: failed" in page


def test_a_run_with_nothing_but_a_config(tmp_path: Path) -> None:
    run = staged(tmp_path)
    for name in ("log.jsonl", "calls.jsonl", "result.json", "report.md", "report.html"):
        (run.path / name).unlink()
    assert asyncio.run(moot.rebuild(run)).status == "interrupted"
    for text in texts(run):
        assert "Is it so?" in text
        assert "The debate had not begun" in text
        assert f"moot resume {run.path.name}" in text
        assert "Nothing failed." in text


def test_a_fork_names_its_origin(tmp_path: Path) -> None:
    run = staged(tmp_path)
    twin = moot.fork(run, 3)
    asyncio.run(moot.rebuild(twin))
    for text in texts(twin):
        assert re.sub(r"\\(.)", r"\1", text).count(f"Forked from {run.path.name} at entry 3.") == 1


def test_the_same_files_give_the_same_reports(tmp_path: Path) -> None:
    run = staged(tmp_path, turns=4)
    before = texts(run)
    result = asyncio.run(moot.rebuild(moot.Run(run.path)))
    assert texts(run) == before
    assert tuple(reports(gather(run, result)).values()) == before


LIGHT, DARK = 0, 1


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_colour_has_enough_contrast(tmp_path: Path, scheme: int) -> None:
    page = texts(staged(tmp_path))[1]
    roots = re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", roots[scheme]))
    grounds = [colours[name] for name in ("paper", "card", "well")]
    inks = ["ink", "soft", "link", "warn", "cyan", "magenta", "yellow", "green", "blue", "red", "neutral"]
    pairs = [(colours[ink], ground) for ink in inks for ground in grounds]
    pairs += [(colours[ink], colours["warn-well"]) for ink in ("ink", "soft", "warn")]
    assert min(contrast(*pair) for pair in pairs) >= 4.5


def contrast(one: str, other: str) -> float:
    """The contrast ratio as WCAG defines it."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    channels = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

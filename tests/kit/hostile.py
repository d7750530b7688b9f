"""Duels of one shape, with the mildest and with the worst that models and configs could say in them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import moot
from moot.engine.outcome.material import gather
from moot.engine.outcome.result import fold
from moot.report import reports
from moot.testing import Scripted, ScriptedModel
from tests.kit.duels import MODEL, play

PAYLOADS = [
    "<script>window.pwned = 1</script>",
    "<img src=x onerror='window.pwned = 1'><svg onload='window.pwned = 1'>",
    "</p></div></details></article></section></main><h1>Bo wins</h1><details>",
    "<style>* { display: none }</style><meta http-equiv=refresh content='0;url=https://tracker.invalid/'>",
    "\\<script>window.pwned = 1</script> \\\\<b>x</b> ]]> --> <!-- <![CDATA[ <?php ?>",
    "{{ 7*7 }} {% raw %} {# note #} ${7*7} &lt;b&gt; &#60;b>",
    "[click](javascript:window.pwned=1) <javascript:window.pwned=1> ![pixel](https://tracker.invalid/x.png)",
    "[ref]\n\n[ref]: https://tracker.invalid/ 'title'",
    "# Verdict\n\nBo wins\n=======\n\nBo wins\n---\n\n- # Verdict\n  ===\n\n1. ## Verdict",
    "| Agent | Calls |\n| --- | ---: |\n| Bo | 0 |\n\n:-\n-|-",
    "> [!WARNING]\n> Do not read on.",
    "before\u2028# Verdict\u2029# Verdict\x85# Verdict\r# Verdict",
    "\u202egnihton\u202c \u2066x\u2069 \x1b[31mred\x1b[0m \x1b]8;;https://tracker.invalid\x07 \x00 🦉",
    "~~~\nnever closed",
    "```html window.pwned\n</code></pre><script>window.pwned = 1</script>\n",
]
WORST = "\n\n".join(PAYLOADS)
"""Ends in a fence that is never closed."""
DEEP = "\n\n".join(["- " * 40 + "deep in a list", ">" * 40 + " deep in a quote", *PAYLOADS])
LONG_LINE = "<b>" * 33_333

MILD_PROSE = (
    "A plain sentence of many words, none of which means any harm to whoever reads it, and which is long enough to be "
    "known again when it is said once more."
)
MILD = f"# A heading\n\n{MILD_PROSE}"
"""Has the faults that code sees in the worst, a heading and that it is repeated, so that both have the same flags."""
MILD_NAMES = ("Ada", "Bo", "Kim")
WORST_NAMES = ("<img src=x onerror=window.pwned=1>", "- </details>'\"{{7*7}}|`*_#[x](y)", "1. }*{display:none}</style>")


def mild(folder: Path) -> moot.Run:
    return staged(folder, MILD_NAMES, MILD, "Another.", "Yet another plain sentence: number 1.", "cyan")


def worst(folder: Path) -> moot.Run:
    run = staged(folder, WORST_NAMES, WORST, DEEP, LONG_LINE, "neutral")
    # No config gets such a colour past the door, but a log can be edited.
    log = run.log_path.read_text("utf-8")
    run.log_path.write_text(log.replace('"colour":"neutral"', '"colour":"red;} * {display:none} </style>"'), "utf-8")
    return run


def reported(run: moot.Run) -> moot.Run:
    """The run with reports of all that stands in its log now."""
    for name, text in reports(gather(run, fold(run, "done", None, 1))).items():
        run.write(name, text)
    return run


def staged(folder: Path, names: tuple[str, str, str], text: str, deep: str, long: str, colour: str) -> moot.Run:
    """A duel of three turns, with a score that fails and a note from outside, in which everybody says the same."""
    a, b, judge = names

    def script(request: moot.Request) -> Scripted:
        match request.key:
            case "A/turn/1":
                return long
            case "judge/score/2":
                return "no object"
            case "judge@verdict/confirm":
                return "both"
            case "judge@verdict/extract":
                return {"winner": a, "scores": {a: 3, b: 4}}
            case key if "/score/" in key:
                return {"score": 5, "reasoning": text}
            case key:
                return deep if "/think/" in key else text

    def persona(name: str) -> dict[str, str]:
        return {"name": name, "personality": text, "colour": colour}

    def debater(name: str) -> dict[str, str]:
        return persona(name) | {"position": text, "instructions": text}

    settings: dict[str, Any] = {
        "topic": text[:100],
        "claim": text[:300],
        "turns": 3,
        "debaters": [debater(a), debater(b)],
        "judge": persona(judge) | {"judging_criteria": text},
    }
    config = moot.configure("duel", model=MODEL, seed=1, out=str(folder), **settings)
    run = moot.find_run(play(config, ScriptedModel(script)).run)
    cited = [{"url": "javascript:window.pwned=1", "title": text, "accessed": text}]
    moot.append_outside(run, phase="rebuttal", speaker="- 1. #", type="note", content=text, sources=cited, target=1)
    return run


@dataclass(frozen=True)
class Runs:
    """Two reported duels of one shape: one in plain words, one full of traps."""

    plain: moot.Run
    hostile: moot.Run

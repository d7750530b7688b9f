"""Batch files: what they expand to, and what is wrong with them."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

import moot
from moot.studies.batch import Design, read_batch
from tests.kit.batches import DUEL, SIDED, write_grid, write_lines
from tests.kit.duels import ADA, BO, KIM


def test_a_grid_is_every_combination_with_seeds_that_follow_each_other(tmp_path: Path) -> None:
    grid = {"turns": [2, 4], "roles.judge": ["scripted/one", "scripted/two"], "judge": [KIM, {**KIM, "name": "Lou"}]}
    found = read_batch(write_grid(tmp_path, grid=grid, repeat=3, seed=5, roles={"A": "scripted/a"}))
    assert len(found.items) == 2 * 2 * 2 * 3
    assert len({item.id for item in found.items}) == 24
    first, last = found.items[0], found.items[-1]
    assert first.factors == {"turns": 2, "roles.judge": "scripted/one", "judge": "Kim", "repeat": 1}
    assert last.factors == {"turns": 4, "roles.judge": "scripted/two", "judge": "Lou", "repeat": 3}
    assert (first.config["seed"], last.config["seed"]) == (5, 7)
    assert last.config["roles"] == {"A": "scripted/a", "judge": "scripted/two"}


def test_values_that_look_alike_are_told_apart(tmp_path: Path) -> None:
    """What is cut off, or has the same name, is still another value."""
    topics = ["x" * 90 + "one?", "x" * 90 + "two?", "Short?"]
    found = read_batch(write_grid(tmp_path, grid={"topic": topics, "judge": [KIM, {**KIM, "personality": "Stern."}]}))
    assert len({json.dumps(item.factors) for item in found.items}) == 6
    assert found.items[-1].factors == {"topic": "Short?", "judge": "Kim (2)"}


def test_ids_are_the_same_every_time_and_depend_on_all_that_decides(tmp_path: Path) -> None:
    file = write_grid(tmp_path, grid={"turns": [2, 4]})
    ids = [item.id for item in read_batch(file).items]
    assert ids == [item.id for item in read_batch(file).items]
    assert ids != [item.id for item in read_batch(file, max_reply_tokens=99).items]
    assert not set(ids) & {item.id for item in read_batch(write_grid(tmp_path, grid={"turns": [2, 4]}, seed=1)).items}


def test_lines_may_have_an_id_and_an_answer(tmp_path: Path) -> None:
    file = write_lines(tmp_path, {"id": "tea-1", "answer": True}, {"topic": "Another?", "seed": 3})
    one, two = read_batch(file, Design(swap_order=True)).items[::2]
    assert (one.id, one.answer, one.group) == ("tea-1", True, "tea-1")
    assert (two.config["topic"], two.config["seed"], two.answer) == ("Another?", 3, None)
    assert read_batch(file, Design(swap_order=True)).items[1].id == "tea-1-order-swapped"
    longest = "x" * 64
    items = read_batch(write_lines(tmp_path, {"id": longest}), Design(True, True, True)).items
    assert items[-1].id == f"{longest}-sides-swapped-order-swapped-claim-reversed"


def test_lines_set_keys_of_the_file(tmp_path: Path) -> None:
    lines = [{"idea": "A queue.", "truth": "accept"}, {"idea": "A cache.", "seed": 7}]
    (tmp_path / "ideas.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    file = tmp_path / "panel.yaml"
    base = {"protocol": "panel", "model": "scripted/x", "lines": "ideas.jsonl", "carry": True, "max_revisions": 0}
    file.write_text(json.dumps(base))
    found = read_batch(file)
    assert [(one.config["idea"], one.config["seed"], one.answer) for one in found.items] == [
        ("A queue.", 0, "accept"),
        ("A cache.", 7, None),
    ]
    assert found.carry and {one.config["max_revisions"] for one in found.items} == {0}


def test_the_answer_of_a_panel_is_one_that_it_can_give(tmp_path: Path) -> None:
    file = tmp_path / "ideas.yaml"
    panel = {"protocol": "panel", "idea": "A queue.", "model": "scripted/x"}
    file.write_text(json.dumps({**panel, "answer": "banana"}))
    with pytest.raises(moot.ConfigError, match=r"`answer` is 'banana'; a selection decides .*accept"):
        read_batch(file)
    file.write_text(json.dumps({**panel, "answer": "Accept"}))
    assert read_batch(file).items[0].answer == "Accept", "as answers are compared, but for case"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"grid": {"turns": []}}, "`grid.turns`: should have at least 1 item"),
        ({"grid": [1]}, "`grid`: should be a mapping"),
        ({"grid": {"turns": [2, 1]}}, r"grid.yaml \(turns = 1\): .*`turns`: should be greater than or equal to 2"),
        ({"grid": {"topic.x": ["y"]}}, "`grid.topic.x`: `topic` is no mapping"),
        ({"grid": {"turn": [2]}}, "unknown key `turn`: did you mean `turns`"),
        ({"lines": "x.jsonl", "repeat": 2}, "`lines` should be the name of a file, and takes no"),
        ({"carry": True}, "the protocol duel has nothing to carry over"),
        ({"repeat": 0}, "`repeat`: should be greater than or equal to 1"),
        ({"seed": "x"}, "`seed` should be a whole number"),
        ({"budget": {"max_coins": 1}}, "unknown key `budget.max_coins`"),
        ({"protocol": None}, "`protocol` is missing"),
        ({"protocol": "duell"}, "no protocol is called 'duell'; did you mean duel"),
        ({"topic": None, "claim": None, "kind": "open"}, "`topic` is missing"),
        ({"answer": "yes"}, "`answer` should be true or false: whether"),
        ({"file": "x.yaml"}, "unknown key `file`"),
        ({"model": "human/Ana"}, "a person cannot take part in a batch"),
        ({"debaters": [{**ADA, "type": "human"}, BO]}, "a person cannot take part in a batch"),
        ({"repeat": 1000, "grid": {"seed": [*range(0, 10**6, 1000)]}}, "there are 1,000,000 debates; a batch has 100"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(moot.ConfigError, match=message):
        read_batch(write_grid(tmp_path, **settings))


def test_faults_in_lines_name_the_line(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    good = json.dumps(DUEL)
    for bad, message in [
        ("{", "line 3: not JSON"),
        ('{"protocol": "duel", "topic": "One?", "topic": "Two?"}', "line 3: not JSON: the key 'topic' stands twice"),
        ("[1]", "line 3: should be a debate file as one JSON object"),
        (good, "line 3: this is the same debate, or has the same `id`, as .*line 1"),
        (json.dumps(DUEL | {"id": "../x"}), "line 3: `id` should be up to 64 letters"),
        (json.dumps(DUEL | {"id": "A"}) + "\n" + json.dumps(DUEL | {"id": "a", "seed": 1}), "line 4: .*the same `id`"),
        (json.dumps(DUEL | {"turns": 1}), "line 3: .*`turns`"),
    ]:
        file.write_text(f"{good}\n\n{bad}\n")
        with pytest.raises(moot.ConfigError, match=message):
            read_batch(file)
    file.write_text("\n")
    with pytest.raises(moot.ConfigError, match="holds no debate"):
        read_batch(file)
    with pytest.raises(moot.ConfigError, match="cannot be read"):
        read_batch(tmp_path / "absent.jsonl")


def test_sides_and_positions_change_hands(tmp_path: Path) -> None:
    given, swapped = read_batch(write_grid(tmp_path), Design(swap_sides=True)).items
    assert [{key: one[key] for key in SIDED[0]} for one in given.config["debaters"]] == SIDED
    assert [one["side"] for one in swapped.config["debaters"]] == ["against", "for"]
    assert [one["position"] for one in swapped.config["debaters"]] == [SIDED[1]["position"], SIDED[0]["position"]]
    assert [one["name"] for one in swapped.config["debaters"]] == ["Ada", "Bo"]
    assert given.group == swapped.group != swapped.id
    assert (given.design, swapped.design) == ({"sides": "given"}, {"sides": "swapped"})


def test_the_order_changes_and_nobody_changes_sides_or_models(tmp_path: Path) -> None:
    file = write_grid(tmp_path, debaters=[ADA, BO], roles={"A": "scripted/a", "b": "scripted/b"})
    given, swapped = read_batch(file, Design(swap_order=True)).items
    assert [(one["name"], one["side"]) for one in given.config["debaters"]] == [("Ada", "for"), ("Bo", "against")]
    assert [(one["name"], one["side"]) for one in swapped.config["debaters"]] == [("Bo", "against"), ("Ada", "for")]
    assert given.config["roles"] == swapped.config["roles"] == {"Ada": "scripted/a", "Bo": "scripted/b"}


def test_the_claim_is_denied_and_everybody_holds_what_it_held(tmp_path: Path) -> None:
    file = write_grid(tmp_path, claim="We should drink tea.", answer=True)
    given, other = read_batch(file, Design(reverse_claim=True)).items
    assert other.config["claim"] == "“We should drink tea” is wrong."
    assert [one["side"] for one in other.config["debaters"]] == ["against", "for"]
    assert "and you argue AGAINST it" in other.config["debaters"][0]["position"]
    assert (given.answer, other.answer) == (True, False)
    with pytest.raises(moot.ConfigError, match="needs a debate with a `claim`"):
        read_batch(write_grid(tmp_path, claim=None, kind="open"), Design(reverse_claim=True))


def test_every_combination_of_designs_is_held(tmp_path: Path) -> None:
    items = read_batch(write_grid(tmp_path), Design(True, True, True)).items
    assert len({json.dumps(item.design) for item in items}) == len({item.id for item in items}) == 8
    assert len({item.group for item in items}) == 1


def test_the_given_version_of_a_drawn_cast_is_the_one_that_would_be_drawn(tmp_path: Path) -> None:
    pools = {"for": [ADA, {**ADA, "name": "Cy"}], "against": [BO, {**BO, "name": "Di"}], "order": "random"}
    settings = {key: value for key, value in (DUEL | pools).items() if key != "debaters"}
    file = tmp_path / "drawn.yaml"
    drawn = set()
    for seed in range(8):
        file.write_text(json.dumps(settings | {"seed": seed}), "utf-8")
        item = read_batch(file, Design(swap_order=True)).items[0]
        names = tuple(one["name"] for one in item.config["debaters"])
        header = moot.configure(**(settings | {"seed": seed}))
        assert list(asyncio.run(moot.plan(header)).models)[:2] == list(names)
        drawn.add(names)
    assert len(drawn) > 2


def test_a_dialogue_is_swapped_and_reversed(tmp_path: Path) -> None:
    file = tmp_path / "dialogue.yaml"
    file.write_text(json.dumps({"protocol": "persuasion", "topic": "We should keep it.", "model": "scripted/x"}))
    given, swapped = read_batch(file, Design(swap_sides=True)).items
    assert given.config["proponent"] == swapped.config["opponent"]
    _, reversed_ = read_batch(file, Design(reverse_claim=True)).items
    assert reversed_.config["claim"] == "“We should keep it” is wrong."
    assert reversed_.config["opponent"] == given.config["proponent"]
    with pytest.raises(moot.ConfigError, match="order of a persuasion dialogue is part of its rules"):
        read_batch(file, Design(swap_order=True))
    file.write_text(json.dumps({"protocol": "arena", "topic": "Which?", "model": "scripted/x"}))
    with pytest.raises(moot.ConfigError, match="arena has no two sides"):
        read_batch(file, Design(swap_sides=True))


def test_the_example_and_the_documentation_are_batch_files(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    assert len(read_batch(root / "examples" / "batch.yaml").items) == 12
    page = (root / "docs" / "batches.md").read_text("utf-8")
    [grid] = re.findall(r"^```yml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "grid.yaml").write_text(grid, "utf-8")
    assert len(read_batch(tmp_path / "grid.yaml").items) == 20
    [line] = re.findall(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "many.jsonl").write_text(line, "utf-8")
    assert read_batch(tmp_path / "many.jsonl").items[0].id == "tea"


def test_a_denial_that_is_given_is_debated_when_the_claim_is_reversed(tmp_path: Path) -> None:
    design = Design(reverse_claim=True)
    file = write_grid(tmp_path, claim="We must leave.", denial="We may stay.")
    one, other = read_batch(file, design).items
    assert (one.config["claim"], other.config["claim"]) == ("We must leave.", "We may stay.")
    assert (one.config["denial"], other.config["denial"]) == ("We may stay.", "We must leave.")
    with pytest.raises(moot.ConfigError, match="`denial`"):
        read_batch(write_grid(tmp_path, denial=3), design)

"""Every format: what goes out comes back, bad files are told by line, and what cannot be held is said."""

import html
import json
import re
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.argument.drawing import draw, text_map
from moot.argument.dung import extensions
from moot.argument.formats import FORMATS, READABLE, FormatError, Loss, guess, losses, read, schema, write
from moot.argument.gradual import scores
from moot.argument.graph import ArgumentError, Fallen, Graph
from tests.kit.graphs import named_graphs

SMALL = Graph.of(
    ["a", "b", "c"],
    [("b", "a")],
    [("c", "a")],
    undercuts=[("c", "b")],
    weights={"a": 0.25},
    texts={"a": "Let us do it.", "b": 'It costs "too much": 5 > 3 & more'},
)


def without(graph: Graph, *what: str) -> Graph:
    """The graph as a format that lacks some things holds it. A text that repeats the name counts as none."""
    said = [
        "" if text == name or "texts" in what else text for name, text in zip(graph.names, graph.texts, strict=True)
    ]
    return Graph.numbered(
        graph.names,
        graph.attacks,
        () if "supports" in what else graph.supports,
        undercuts=None if "marks" in what else graph.undercuts,
        weights=None if "weights" in what else graph.weights,
        texts=said,
    )


def written(graph: Graph, form: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Loss)
        return write(graph, form)


@given(named_graphs())
def test_json_holds_everything(graph: Graph) -> None:
    again = read(write(graph, "json"), "json")
    assert losses(graph, "json") == []
    assert (again, again.names) == (without(graph), graph.names)


@given(named_graphs().filter(len))
def test_apx_holds_names_relations_and_weights(graph: Graph) -> None:
    held = without(graph, "marks", "texts")
    assert bool(losses(graph, "apx")) == (held != without(graph))
    assert read(written(graph, "apx"), "apx") == held


@given(named_graphs())
def test_tgf_holds_relations_and_says_what_becomes_of_the_rest(graph: Graph) -> None:
    again = read(written(graph, "tgf"), "tgf")
    assert list(again.relations()) == list(graph.relations())
    assert (losses(graph, "tgf") == []) == (again == without(graph))


@given(named_graphs())
def test_af_holds_the_attacks(graph: Graph) -> None:
    again = read(written(graph, "af"), "af")
    assert again.names == tuple(str(number) for number in range(1, len(graph) + 1))
    assert again.attacks == graph.attacks
    assert bool(losses(graph, "af")) == (again != without(graph))


@given(named_graphs())
def test_mermaid_holds_all_but_weights(graph: Graph) -> None:
    assert any("weights" in loss for loss in losses(graph, "mermaid")) == any(one is not None for one in graph.weights)
    labels = re.findall(r'^    n\d+\["(.*)"\]$', written(graph, "mermaid"), re.MULTILINE)
    decoded = [html.unescape(re.sub(r"#(\d+);", r"&#\1;", label.partition("<br/>")[0])) for label in labels]
    # What HTML has no number for is not read back here.
    plain = [name for name in graph.names if name.isprintable()]
    assert [name for name in decoded if name in plain] == plain
    assert all(set('"<>[]{}()|;') & set(re.sub(r"#\d+;|<br/>", "", label)) == set() for label in labels)


@given(named_graphs())
def test_dot_holds_all_but_the_character_zero(graph: Graph) -> None:
    if any("\0" in part for part in (*graph.names, *without(graph).texts)):
        with pytest.raises(FormatError, match="DOT cannot hold"):
            write(graph, "dot")
    else:
        assert losses(graph, "dot") == []
        assert write(graph, "dot").count(" -> ") >= len(graph.attacks) + len(graph.supports)


@pytest.mark.parametrize("form", ["argdown", "apx"])
def test_a_graph_without_arguments_is_refused_where_it_could_not_be_read(form: str) -> None:
    with pytest.raises(FormatError, match="has an argument at least"):
        write(Graph.of([]), form)


@given(named_graphs(), st.sampled_from(sorted(FORMATS)))
def test_a_loss_is_warned_of(graph: Graph, form: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            write(graph, form)
        except FormatError:
            return
    lost = losses(graph, form)
    assert [str(one.message) for one in caught] == ([f"{form} does not hold {', '.join(lost)}"] if lost else [])


@given(st.text(max_size=60), st.sampled_from(READABLE))
def test_any_text_is_read_or_refused_with_a_reason(text: str, form: str) -> None:
    try:
        read(text, form)
    except FormatError as error:
        assert str(error)
        assert len(str(error).split("\n")) == 1


@pytest.mark.parametrize("form", READABLE)
def test_the_format_is_told_by_ending_and_by_look(form: str, tmp_path: Path) -> None:
    text = written(SMALL, form)
    assert guess(text) == form
    for suffix in FORMATS[form].suffixes:
        file = tmp_path / f"graph{suffix}"
        file.write_text(text, "utf-8")
        assert read(file) == read(text, form)


@pytest.mark.parametrize("form", sorted(FORMATS.keys() - set(READABLE)))
def test_what_others_read_is_only_written(form: str, tmp_path: Path) -> None:
    file = tmp_path / f"graph{FORMATS[form].suffixes[0]}"
    file.write_text(written(SMALL, form), "utf-8")
    with pytest.raises(FormatError, match=f"{form} is only written; a graph is read from af, apx, tgf, json"):
        read(file)


def head(more: str) -> str:
    return f'{{"format": "moot.argument", "version": 2, {more}}}'


@pytest.mark.parametrize(
    ("form", "text", "message"),
    [
        ("af", "", "line 1: the first line that is no comment has to be: p af"),
        ("af", "# x\np af x\n", "line 2: the first line"),
        ("af", "p af 2\n1 2\n# c\n1 3\n", "line 4: there is no argument 3 among the 2"),
        ("af", "p af 2\n\n1 2 1\n", "line 3: 3 numbers, where an attack has two"),
        ("af", "p af 2\n1 2\n1\n", "line 3: 1 numbers"),
        ("af", "p af 2\n1 2\n1 b\n", "line 3: '1 b' is not an attack"),
        ("af", "p af 2\n1 \u0663\n", "line 2: '1 \u0663' is not an attack"),
        ("af", "p af 2\n1 0\n", "line 2: there is no argument 0"),
        ("af", "p af 2\n1 99999999999\n", "line 2: a number of more than 9 digits"),
        ("af", "p af 99999999999999\n", "line 1: more than 10,000,000 arguments"),
        ("apx", "arg(a).\narg(a).", "line 2: the argument 'a' is there twice"),
        ("apx", "arg(a).\natt(a,b).", "line 2: there is no argument 'b'"),
        ("apx", "arg(a).\n\natt(a).", "line 3: att relates two arguments"),
        ("apx", "arg(a).\n% note\natt(a,a)", "line 3: 'att(a,a)' is none of"),
        ("apx", "arg(a,2).", "line 1: the weight '2' is not within 0..1"),
        ("apx", "arg(a,b).", "line 1: the weight 'b' is not a number"),
        ("apx", 'arg("a\\t").', "line 1: \\t is no escape"),
        ("apx", "% nothing\n", "line 2: there is no argument in it"),
        ("tgf", "a\nb\n", "there is no line # between"),
        ("tgf", "a\n#\na\n", "line 3: 'a' is not a relation"),
        ("tgf", "a\n#\na b\n", "line 3: there is no argument 'b'"),
        ("tgf", "a\n#\na a because\n", "line 3: a relation called 'because'"),
        ("json", '{"format": "moot.argument",\n"version": 2,\n', "line 3: not JSON"),
        ("json", head('"arguments": [{"name": "a", "x\\ny": 1}]'), "arguments.0.x\\ny: "),
        ("json", head('"arguments": [], "x": 1'), "x: Extra"),
        ("json", '{"format": "moot.argument", "version": 1, "arguments": []}', "version: "),
        ("json", head('"arguments": [{"name": 3}]'), "arguments.0.name: "),
        ("json", head('"arguments": [{"name": "a", "weight": 2}]'), "arguments.0.weight: "),
        ("json", head('"arguments": [{"name": "a", "weight": NaN}]'), "NaN is not a JSON number"),
        ("json", head('"arguments": [{"name": "\\ud800"}]'), "half a character"),
        ("json", head('"arguments": [], "attacks": [{"from": "a", "to": "a"}]'), "there is no argument 'a'"),
        ("json", "[]", "the document: "),
    ],
)  # fmt: skip
def test_a_bad_file_is_told_by_line_and_reason(form: str, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text, form)
    assert message in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.apx").write_bytes(b"arg(a).\narg(\xe9).")
    with pytest.raises(FormatError, match=r"latin\.apx: line 2: this is not UTF-8 text"):
        read(tmp_path / "latin.apx")
    with pytest.raises(FormatError, match=r"none\.apx: cannot be read: No such file"):
        read(tmp_path / "none.apx")
    with pytest.raises(FormatError, match="to read a file, give a Path"):
        read("graph.apx")
    with pytest.raises(FormatError, match="none of the formats"):
        read("who knows")
    with pytest.raises(FormatError, match="there is no format 'xyz'"):
        read("arg(a).", "xyz")
    with pytest.raises(FormatError, match="half a character"):
        write(Graph.of(["\ud800"]), "json")


def test_a_byte_order_mark_and_windows_line_ends_are_no_trouble(tmp_path: Path) -> None:
    for name, text in (
        ("a.af", "p af 2\r\n1 2\r\n"),
        ("a.apx", "arg(1).\r\narg(2).\r\natt(1,2).\r\n"),
        ("a.tgf", "1\r\n2\r\n#\r\n1 2\r\n"),
    ):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert read(tmp_path / name) == Graph.of(["1", "2"], [("1", "2")]), name


def test_apx_as_others_write_it_and_with_the_quotes_that_an_answer_set_program_needs() -> None:
    graph = read("arg(A1, 0.8).  arg( b ).% note\natt(b,A1). sup(A1,b).", "apx")
    assert graph == Graph.of(["A1", "b"], [("b", "A1")], [("A1", "b")], weights={"A1": 0.8})
    assert write(Graph.of(["a1", "7", "P1", "a b", "not", 'x"\n\\']), "apx") == (
        'arg(a1).\narg(7).\narg("P1").\narg("a b").\narg("not").\narg("x\\"\\n\\\\").\n'
    )


WITH_FALLEN = replace(
    SMALL,
    fallen=(Fallen("gone", "It is so.", "struck", "no reason"),),
    fallen_relations=(("gone", SMALL.names[0], "attack"),),
)


@pytest.mark.filterwarnings("ignore::moot.argument.formats.Loss")
def test_what_fell_is_kept_where_people_read_and_counts_nowhere() -> None:
    assert read(write(WITH_FALLEN, "json")) == WITH_FALLEN != SMALL
    for form in ("argdown", "dot", "mermaid"):
        assert "struck" in write(WITH_FALLEN, form) and "struck" not in write(SMALL, form)
    assert "fallen arguments (1)" in losses(WITH_FALLEN, "tgf")
    assert 'class="am-fallen am-arg' in draw(WITH_FALLEN) and "(struck: no reason) It is so." in text_map(WITH_FALLEN)
    assert scores(WITH_FALLEN).by_name == scores(SMALL).by_name
    assert list(extensions(WITH_FALLEN, "PR")) == list(extensions(SMALL, "PR"))
    with pytest.raises(ArgumentError, match="gone does not count any more: struck, no reason"):
        WITH_FALLEN.number("gone")


def test_the_schema_is_that_of_the_document() -> None:
    published, document = schema(), json.loads(write(WITH_FALLEN, "json"))
    assert set(document) == set(published["properties"])
    assert published["required"] == ["format", "version", "arguments"]
    assert published["properties"]["version"]["const"] == document["version"]
    assert set(published["$defs"]["Attack"]["properties"]) == {key for one in document["attacks"] for key in one}
    assert set(published["$defs"]["Argument"]["properties"]) == {key for one in document["arguments"] for key in one}


@pytest.mark.parametrize("rest", ["", "\n", "\n \t\r\n\n", "\n# a comment", "\n# a comment\n\n"])
@pytest.mark.parametrize("attacks", ["", "1 2\n2 3", "1 2\r\n2 3\r"])
def test_an_af_file_may_end_in_blank_lines_and_have_no_attacks(attacks: str, rest: str) -> None:
    graph = read(f"p af 3\n{attacks}{rest}", "af")
    assert graph == Graph.of("123", [("1", "2"), ("2", "3")] if attacks else [])
    assert read("p af 3" + rest, "af") == Graph.of("123")

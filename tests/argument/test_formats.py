"""Every format: what goes out comes back, bad files are told by line, and what cannot be held is said."""

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.argument.formats import FORMATS, FormatError, Loss, guess, losses, read, schema, write
from moot.argument.graph import Graph
from moot.argument.structure import Locution, Step, Structure
from tests.kit.graphs import named_graphs


def plain(
    graph: Graph, *, supports: bool = True, marks: bool = True, weights: bool = True, texts: bool = True
) -> Graph:
    """The graph as a format that lacks some things holds it. A text that repeats the name counts as none."""
    said = dict(zip(graph.names, graph.texts or (), strict=False)) if texts else {}
    return Graph.numbered(
        graph.names,
        graph.attacks,
        graph.supports if supports else (),
        undercuts=graph.undercuts if marks else None,
        weights=graph.weights if weights else None,
        texts=["" if said.get(name) == name else said.get(name, "") for name in graph.names],
    )


def kinds(graph: Graph) -> list[tuple[str, str, str]]:
    return [(graph.names[one], graph.names[other], kind) for one, other, kind in graph.relations()]


def round_trip(graph: Graph, form: str) -> Graph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Loss)
        text = write(graph, form)
    return read(text, form)


@given(named_graphs())
def test_json_holds_everything(graph: Graph) -> None:
    assert losses(graph, "json") == []
    assert round_trip(graph, "json") == plain(graph)
    assert round_trip(graph, "json").names == graph.names


@given(named_graphs().filter(len))
def test_argdown_holds_everything(graph: Graph) -> None:
    assert losses(graph, "argdown") == []
    assert round_trip(graph, "argdown") == plain(graph)


@pytest.mark.parametrize("form", ["argdown", "apx"])
def test_a_graph_without_arguments_is_refused_where_it_could_not_be_read(form: str) -> None:
    with pytest.raises(FormatError, match="has an argument at least"):
        write(Graph.of([]), form)


@given(named_graphs())
def test_dot_holds_all_but_the_character_zero(graph: Graph) -> None:
    if any("\0" in part for part in (*graph.names, *(plain(graph).texts or ()))):
        with pytest.raises(FormatError, match="DOT cannot hold"):
            write(graph, "dot")
    else:
        assert losses(graph, "dot") == []
        assert round_trip(graph, "dot") == plain(graph)


@given(named_graphs())
def test_mermaid_and_aif_hold_all_but_weights(graph: Graph) -> None:
    for form in ("mermaid", "aif"):
        assert any("weights" in loss for loss in losses(graph, form)) == (plain(graph) != plain(graph, weights=False))
        assert round_trip(graph, form) == plain(graph, weights=False)


@given(named_graphs().filter(len))
def test_apx_holds_names_relations_and_weights(graph: Graph) -> None:
    held = plain(graph, marks=False, texts=False)
    assert bool(losses(graph, "apx")) == (held != plain(graph))
    assert round_trip(graph, "apx") == held


@given(named_graphs())
def test_tgf_holds_relations_and_says_what_becomes_of_the_rest(graph: Graph) -> None:
    again = round_trip(graph, "tgf")
    assert again.attacks.tolist() == graph.attacks.tolist()
    assert again.supports.tolist() == graph.supports.tolist()
    assert again.undercuts.tolist() == graph.undercuts.tolist()
    if losses(graph, "tgf") == []:
        assert again == plain(graph)
    else:
        assert again != plain(graph)


@given(named_graphs())
def test_af_holds_the_attacks(graph: Graph) -> None:
    again = round_trip(graph, "af")
    assert again.names == tuple(str(number) for number in range(1, len(graph) + 1))
    assert again.attacks.tolist() == graph.attacks.tolist()
    assert bool(losses(graph, "af")) == (again != plain(graph))


@given(named_graphs(), st.sampled_from(sorted(FORMATS)))
def test_a_loss_is_warned_of_in_both_directions(graph: Graph, form: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            write(graph, form)
        except FormatError:
            return
    lost = losses(graph, form)
    assert [str(one.message) for one in caught] == ([f"{form} does not hold {', '.join(lost)}"] if lost else [])


@given(st.text(max_size=60), st.sampled_from(sorted(FORMATS)))
def test_any_text_is_read_or_refused_with_a_reason(text: str, form: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Loss)
        try:
            read(text, form)
        except FormatError as error:
            assert str(error)
            assert len(str(error).split("\n")) == 1


SMALL = Graph.of(
    ["a", "b", "c"],
    [("b", "a")],
    [("c", "a")],
    undercuts=[("c", "b")],
    weights={"a": 0.25},
    texts={"a": "Let us do it.", "b": 'It costs "too much": 5 > 3 & more'},
)


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_the_format_is_told_by_ending_and_by_look(form: str, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Loss)
        text = write(SMALL, form)
        assert guess(text) == form
        for suffix in FORMATS[form].suffixes:
            file = tmp_path / f"graph{suffix}"
            file.write_text(text, "utf-8")
            assert read(file) == read(text, form)


def test_aif_in_a_json_file_is_told_from_ours(tmp_path: Path) -> None:
    file = tmp_path / "map.json"
    file.write_text(write(Graph.of(["a", "b"], [("a", "b")]), "aif"), "utf-8")
    assert read(file) == Graph.of(["a", "b"], [("a", "b")])


@pytest.mark.parametrize(
    ("form", "text", "message"),
    [
        ("af", "", "line 1: the first line that is no comment has to be: p af"),
        ("af", "# x\np af x\n", "line 2: the first line"),
        ("af", "p af 2\n1 2\n# c\n1 3\n", "line 4: there is no argument 3 among the 2"),
        ("af", "p af 2\n\n1 2 1\n", "line 3: 3 numbers, where an attack has two"),
        ("af", "p af 2\n1 2\n1\n", "line 3: 1 numbers"),
        ("af", "p af 2\n1 2\n1 b\n", "line 3: '1 b' is not an attack"),
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
        ("tgf", "a\nb\n", "there is no line # between"),
        ("tgf", "a\n#\na\n", "line 3: 'a' is not a relation"),
        ("tgf", "a\n#\na b\n", "line 3: there is no argument 'b'"),
        ("tgf", "a\n#\na a because\n", "line 3: a relation called 'because'"),
        ("aif", "{}", "an AIF document has nodes"),
        ("aif", "[", "line 1: not JSON"),
        ("aif", '{"nodes": [{"nodeID": "1", "type": "I"}], "edges": [{"fromID": "1", "toID": "2"}]}', "the node '2'"),
        ("aif", '{"nodes": [{"nodeID": "1", "type": "I"}, {"nodeID": 1, "type": "I"}]}', "a nodeID is there twice"),
        ("json", '{"format": "moot.argument",\n"version": 1,\n', "line 3: not JSON"),
        (
            "json",
            '{"format": "moot.argument", "version": 1, "arguments": [{"name": "a", "x\\ny": 1}]}',
            "arguments.0: there is no key 'x\\ny'; there are name, text",
        ),
        ("json", '{"format": "moot.argument", "version": 1, "arguments": [], "x": 1}', "there is no key 'x';"),
        ("json", '{"format": "moot.argument", "version": 2, "arguments": []}', "version: "),
        ("json", '{"format": "moot.argument", "version": 1, "arguments": [{"name": 3}]}', "arguments.0.name: "),
        ("json", '{"format": "moot.argument", "version": 1, "arguments": [{"name": "a", "weight": NaN}]}', "'NaN'"),
        ("json", '{"format": "moot.argument", "version": 1, "arguments": [{"name": "\\ud800"}]}', "half a character"),
        ("dot", "graph { a -- b }", "line 1: 'graph', where there should be digraph"),
        ("dot", "digraph {\n a -- b }", "line 2: '--', where there should be ->"),
        ("dot", "digraph {\n a -> b", "line 2: the end, where there should be a name"),
        ("dot", "digraph {\n subgraph x { a }\n}", "line 2: 'subgraph'"),
        ("dot", "digraph {\n a -> b [label=because]\n}", "line 2: a relation called 'because'"),
        ("dot", 'digraph {\n a [weight="x"]\n}', "line 2: the weight 'x' is not a number"),
        ("dot", "digraph {\n 'a' }", "line 2: \"'a' }\" is not DOT"),
        ("mermaid", "pie\n", "line 1: a Mermaid flowchart begins with"),
        ("mermaid", "flowchart BT\n a & b --> c\n", "line 2: "),
        ("mermaid", "flowchart BT\n a -->|because| c\n", "line 2: a relation called 'because'"),
        ("argdown", "<a>\n\n(1) x\n", "line 3: a premise–conclusion structure has to end"),
        ("argdown", "<a>\n\n(1) x\n----\n(2) y\n\n<a>\n\n(1) x\n----\n(2) y\n", "line 9: 'a' has a second premise"),
        ("argdown", "<a>\n\n(1) x\n----\n[y]\n", "line 5: a numbered statement has to follow"),
        ("argdown", "<a>: one\n<b>: two\n", "line 2: '<b>: two' does not fit here"),
        ("argdown", "<a>: x\n\n<b>: two *words\n", "line 3: the emphasis * is never closed"),
        ("argdown", "<a>: x\n\n<b>:", "line 3: the document ends too early"),
        ("argdown", '<a>: x {name: "\\UFFFFFFFF"}\n', "is not YAML data"),
        ("argdown", "\n\n", "line 3: the document ends too early"),
        ("apx", "% nothing\n", "line 2: there is no argument in it"),
        ("argdown", "  - <a>\n", "line 1: a relation has to stand below"),
        ("argdown", "<a>: x {weight: high}\n", "line 1: the weight 'high' is not a number"),
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
    expected = Graph.of(["1", "2"], [("1", "2")])
    for name, text in (
        ("a.af", "p af 2\r\n1 2\r\n"),
        ("a.apx", "arg(1).\r\narg(2).\r\natt(1,2).\r\n"),
        ("a.tgf", "1\r\n2\r\n#\r\n1 2\r\n"),
        ("a.argdown", "<1>\r\n\r\n<2>\r\n  - <1>\r\n"),
        ("a.mmd", "flowchart TD\r\n  1 --x 2\r\n"),
    ):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert read(tmp_path / name) == expected, name


def test_weighted_and_bipolar_apx_as_others_write_it() -> None:
    graph = read("arg(A1, 0.8).  arg( b ).% note\natt(b,A1). sup(A1,b).", "apx")
    assert graph == Graph.of(["A1", "b"], [("b", "A1")], [("A1", "b")], weights={"A1": 0.8})


def test_apx_names_are_quoted_where_an_answer_set_program_needs_it() -> None:
    assert write(Graph.of(["a1", "7", "P1", "a b", "not", 'x"\n\\']), "apx") == (
        'arg(a1).\narg(7).\narg("P1").\narg("a b").\narg("not").\narg("x\\"\\n\\\\").\n'
    )


AIFDB: dict[str, Any] = {
    "nodes": [
        {"nodeID": "10", "text": "Sugar is bad", "type": "I", "timestamp": "2020-01-01 00:00:00"},
        {"nodeID": "11", "text": "It rots teeth", "type": "I"},
        {"nodeID": "12", "text": "It is sold everywhere", "type": "I"},
        {"nodeID": "13", "text": "Not in that amount", "type": "I"},
        {"nodeID": "20", "text": "Default Inference", "type": "RA"},
        {"nodeID": "21", "text": "Default Conflict", "type": "CA"},
        {"nodeID": "22", "text": "Default Conflict", "type": "CA"},
        {"nodeID": "30", "text": "Ann: sugar is bad", "type": "L"},
        {"nodeID": "31", "text": "Asserting", "type": "YA"},
        {"nodeID": "32", "text": "Bob: because it rots teeth", "type": "L"},
        {"nodeID": "33", "text": "Default Transition", "type": "TA"},
        {"nodeID": "34", "text": "Arguing", "type": "YA"},
        {"nodeID": "40", "text": "Default Rephrase", "type": "MA"},
    ],
    "edges": [
        {"edgeID": str(number), "fromID": source, "toID": target, "formEdgeID": None}
        for number, (source, target) in enumerate(
            [("11", "20"), ("20", "10"), ("12", "21"), ("21", "10"),
             ("13", "22"), ("22", "20"), ("30", "31"), ("31", "10"),
             ("30", "33"), ("33", "32"), ("33", "34"), ("34", "20")]
        )
    ],
    "locutions": [{"nodeID": "30", "personID": "1", "timestamp": "2020-01-01"}],
}  # fmt: skip


def test_every_loss_of_an_aif_document_is_told() -> None:
    document = AIFDB | {
        "nodes": [
            *({"nodeID": name, "text": name, "type": "I"} for name in "abc"),
            {"nodeID": "s", "text": "Argument from Expert Opinion", "type": "RA"},
            {"nodeID": "l", "text": "Bob: a", "type": "L"},
        ],
        "edges": [{"fromID": one, "toID": other} for one, other in ("bs", "cs", "sa")],
        "schemefulfillments": [{"nodeID": "s", "schemeID": "1"}],
        "participants": [{"participantID": 9, "firstname": "Bob", "surname": "X"}],
        "locutions": [{"nodeID": "l", "personID": "9", "timestamp": None, "start": None, "source": "a talk"}],
    }
    with pytest.warns(Loss) as caught:
        read(json.dumps(document), "aif")
    [told] = caught
    assert str(told.message) == (
        "a graph does not hold this of the AIF document: 'participants' (1), 'schemefulfillments' (1), 'source' of"
        " locutions (1), linked premises, which support one by one (1), names of schemes (1)"
    )


@pytest.mark.parametrize("document", [AIFDB, {"AIF": AIFDB, "text": "as the extended form has it"}])
def test_aif_as_aifdb_writes_it(document: dict[str, Any]) -> None:
    with pytest.warns(Loss, match=r"these nodes of the AIF document: MA \(1\)$"):
        graph = read(json.dumps(document), "aif")
    assert graph.names == ("10", "11", "12", "13")
    assert graph.texts == ("Sugar is bad", "It rots teeth", "It is sold everywhere", "Not in that amount")
    related = Graph.of(graph.names, [("12", "10")], [("11", "10")], undercuts=[("13", "10")])
    assert graph == Graph.numbered(
        graph.names,
        related.attacks,
        related.supports,
        undercuts=related.undercuts,
        texts=graph.texts,
        structure=Structure(
            locutions=(
                Locution("30", "Ann: sugar is bad", "1", "2020-01-01", (("Asserting", "10"),)),
                Locution(
                    "32",
                    "Bob: because it rots teeth",
                    asserts=(("Arguing", ("11", "10")),),
                    answers=(("Default Transition", "30"),),
                ),
            )
        ),
    )
    assert losses(graph, "aif") == []
    assert read(write(graph, "aif"), "aif") == graph
    assert read(write(graph, "json"), "json") == graph


ARGDOWN = """\
===
title: front matter
===

# Heading

[Ban it]: We should \\[really\\] ban it. #policy
  + <Health>: It harms
      people.
    - <Study>: No study /* as yet */ shows it.
      _ <Newer> // a comment
  - [Liberty]
  +> <Relief>
  >< [Allow it]
  -> <Trade>

[Liberty]: People are free. {weight: 0.5, source: "Mill"}

A statement of its own.
  - <Health>
"""


def test_argdown_as_others_write_it() -> None:
    with pytest.warns(
        Loss, match=r"front matter \(1\), headings \(1\), tags \(1\), data other than name, text and weight \(1\)"
    ):
        graph = read(ARGDOWN, "argdown")
    assert graph == Graph.of(
        ["Ban it", "Health", "Study", "Newer", "Liberty", "Relief", "Allow it", "Trade", "Untitled 1"],
        [("Study", "Health"), ("Liberty", "Ban it"), ("Allow it", "Ban it"), ("Ban it", "Allow it"),
         ("Ban it", "Trade"), ("Health", "Untitled 1")],
        [("Health", "Ban it"), ("Ban it", "Relief")],
        undercuts=[("Newer", "Study")],
        weights={"Liberty": 0.5},
        texts={"Ban it": "We should [really] ban it.", "Health": "It harms people.", "Study": "No study shows it.",
               "Liberty": "People are free.", "Untitled 1": "A statement of its own."},
        structure=Structure(statements=frozenset({"Ban it", "Liberty", "Allow it", "Untitled 1"})),
    )  # fmt: skip


STRUCTURED = """\
<Core>: We cannot know it.

(1) [P1]: Who knows can say why.
(2) Nobody can say why.
-- Modus tollens {uses: [1, 2]} --
(3) Nobody knows it.
  _ [Doubt]: Some know without words.
(4) [Extra]: What nobody knows is unknown.
----
(5) [Unknown]: It is unknown.
  - [P1]

[P1]: Whoever knows a thing can say why.

<Unknown>
  - <Core>
"""


def test_premise_conclusion_structures_are_steps() -> None:
    graph = read(STRUCTURED, "argdown")
    assert graph.structure == Structure(
        frozenset({"P1", "Untitled 1", "Untitled 2", "Doubt", "Extra", "[Unknown]"}),
        (
            Step("Core", ("P1", "Untitled 1"), "Untitled 2", ("Modus tollens",)),
            Step("Core", ("Untitled 2", "Extra"), "[Unknown]"),
        ),
        {"P1": ("Who knows can say why.",)},
    )
    said = dict(zip(graph.names, graph.texts or (), strict=True))
    assert said["P1"] == "Whoever knows a thing can say why."
    # An attack of an argument with a conclusion is one of the conclusion.
    assert sorted(kinds(graph)) == [
        ("Core", "[Unknown]", "support"),
        ("Doubt", "Untitled 2", "undercut"),
        ("Extra", "Core", "support"),
        ("P1", "Untitled 2", "support"),
        ("P1", "[Unknown]", "attack"),
        ("Untitled 1", "Untitled 2", "support"),
        ("Untitled 2", "Core", "support"),
        ("[Unknown]", "<Unknown>", "attack"),
    ]


@pytest.mark.parametrize("form", ["argdown", "json"])
def test_structures_survive_a_round_trip(form: str) -> None:
    graph = read(STRUCTURED, "argdown")
    assert losses(graph, form) == []
    assert read(write(graph, form), form) == graph


def test_other_formats_say_that_they_lose_the_structure() -> None:
    lost = ["statement marks (6)", "premise–conclusion structures (1)", "further wordings (1)"]
    for form in FORMATS.keys() - {"argdown", "json"}:
        assert losses(read(STRUCTURED, "argdown"), form)[-3:] == lost, form


def test_an_edit_keeps_the_structures_it_does_not_touch() -> None:
    graph = read(STRUCTURED, "argdown")
    assert graph.without(["Doubt"]).structure.steps == graph.structure.steps
    for smaller in (graph.without(["Extra"]), graph.without(supports=[("P1", "Untitled 2")])):
        assert smaller.structure.steps == ()
        assert read(write(smaller, "argdown"), "argdown") == smaller
    # Argdown would take this for an attack of the conclusion.
    busy = graph.with_relations([("Core", "Doubt")])
    assert losses(busy, "argdown") == ["premise–conclusion structures (1)"]
    assert busy.structure.steps == graph.structure.steps


def test_a_statement_and_an_argument_of_one_title_are_two() -> None:
    graph = read("[Tea]: Tea is good.\n  + <Tea>: It calms.\n", "argdown")
    assert (graph.names, kinds(graph)) == (("[Tea]", "<Tea>"), [("<Tea>", "[Tea]", "support")])
    assert write(graph, "argdown") == "[Tea]: Tea is good.\n  + <Tea>\n\n<Tea>: It calms.\n"


def test_dot_as_others_write_it() -> None:
    graph = read(
        """/* a map */ strict digraph "G" {
        graph [bgcolor=white]; node [shape=box] edge [label="supports"]
        rankdir=LR
        a -> b -> "c d" [kind=attack]; e -> a; // note
        b [label=<<b>bold</b>>, weight=0.5]
        }""",
        "dot",
    )
    assert graph == Graph.of(["a", "b", "c d", "e"], [("a", "b"), ("b", "c d")], [("e", "a")], weights={"b": 0.5})


def test_mermaid_as_others_write_it() -> None:
    with pytest.warns(Loss, match="subgraphs"):
        graph = read(
            """%% a map
            graph TD;
            subgraph one
            A["Tea #amp; milk"] -- attacks --> B(Coffee)
            B --x C{Water};
            end
            D -.->|supports| A ==> C
            style A fill:#fff
            """,
            "mermaid",
        )
    assert graph == Graph.of(
        ["Tea & milk", "Coffee", "Water", "D"],
        [("Tea & milk", "Coffee"), ("Coffee", "Water"), ("Tea & milk", "Water")],
        [("D", "Tea & milk")],
    )


def test_mermaid_statements_end_with_a_semicolon_too() -> None:
    text = 'graph TD; A["50%% off; really"]-->B;B--xC;\n  C[x #59; y] --> A %% and so on; A --> C\n%% D --> A'
    assert read(text, "mermaid") == Graph.of(
        ["50%% off; really", "B", "x ; y"],
        [("50%% off; really", "B"), ("B", "x ; y"), ("x ; y", "50%% off; really")],
    )


def test_the_schema_is_that_of_the_document() -> None:
    published = schema()
    locution = Locution("L1", "I say so.", "Ann", asserts=(("Asserting", "a"), ("Arguing", ("c", "a"))))
    structure = Structure(frozenset("a"), (Step("b", ("c",), "a"),), {"a": ("Do it!",)}, (locution,))
    whole = replace(SMALL, structure=structure)
    assert read(write(whole, "json")) == whole
    document = json.loads(write(whole, "json"))
    assert set(document) == set(published["properties"])
    assert published["required"] == ["format", "version", "arguments"]
    assert published["properties"]["version"]["const"] == document["version"]
    attack = published["$defs"]["Attack"]["properties"]
    assert {key for one in document["attacks"] for key in one} <= set(attack)
    assert {key for one in document["arguments"] for key in one} == set(published["$defs"]["Argument"]["properties"])


def test_many_attacks_are_read_whole() -> None:
    pairs = [(one, other) for one in range(300) for other in range(300) if one % 7 == other % 5]
    graph = Graph.numbered(map(str, range(1, 301)), pairs)
    assert read(write(graph, "af"), "af") == graph


@pytest.mark.parametrize("rest", ["", "\n", "\n\n", "\n \t\r\n\n", "\n# a comment", "\n# a comment\n\n"])
@pytest.mark.parametrize("attacks", ["", "1 2\n2 3", "1 2\r\n2 3\r"])
def test_an_af_file_may_end_in_blank_lines_and_have_no_attacks(attacks: str, rest: str) -> None:
    graph = read(f"p af 3\n{attacks}{rest}", "af")
    assert graph == Graph.of("123", [("1", "2"), ("2", "3")] if attacks else [])
    assert read("p af 3" + rest, "af") == Graph.of("123")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("3", "line 10002: 1 numbers, where an attack has two"),
        ("1 2 3", "line 10002: 3 numbers, where an attack has two"),
        ("1 a", "line 10002: '1 a' is not an attack of the form: i j"),
        ("1 10001", "line 10002: there is no argument 10001 among the 10000"),
        ("0 1", "line 10002: there is no argument 0 among the 10000"),
        ("1 1234567890", "line 10002: a number of more than 9 digits"),
        ("1 \u0663", "line 10002: '1 \u0663' is not an attack of the form: i j"),
    ],
)
def test_a_long_af_file_is_refused_as_a_short_one_is(wrong: str, message: str) -> None:
    attacks = "".join(f"{one} {one % 10_000 + 1}\n" for one in range(1, 10_001))
    assert len(read(f"p af 10000\n{attacks}\n \n", "af").attacks) == 10_000
    with pytest.raises(FormatError) as long:
        read(f"p af 10000\n{attacks}{wrong}\n{attacks}", "af")
    assert str(long.value) == message
    with pytest.raises(FormatError) as short:
        read(f"p af 10000\n{wrong}\n", "af")
    assert str(short.value) == message.replace("10002", "2")


def test_names_of_locutions_are_kept_or_reported() -> None:
    spoken = (Locution("", "I say a."), Locution("a", "So do I.", answers=(("Agreeing", ""),)))
    graph = Graph.of("a", structure=Structure(locutions=spoken))
    assert read(write(graph, "json")) == graph
    assert losses(graph, "aif") == ["names of locutions that arguments have, too (1)"]
    unique = Graph.of("b", structure=Structure(locutions=spoken))
    assert losses(unique, "aif") == []
    assert read(write(unique, "aif"), "aif") == unique

"""The rooms keep their order, files stay small, and the public page is what it says."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import moot
import moot.api.capabilities
import moot.api.studies
import moot.argument
import moot.evidence
from moot.engine.define.shipped import BUILT_IN, OFFERED
from tests.kit.sources import FILES, SOURCE, nodes

DOCS = Path(__file__).parents[1] / "docs"
KERNEL = (
    ("errors",),
    ("system",),
    ("text",),
    ("plugins",),
    ("present",),
    ("evidence", "stats", "voting"),
    ("models",),
    ("record",),
    ("engine",),
    ("api",),
    ("protocols",),
    ("report",),
    ("runs",),
    ("",),
    ("cli",),
)
"""A room uses itself and the rooms above it in this table; "" is the public page. docs/architecture.md says what each
is for."""
FEATURES = (
    ("argument", "database", "embedded", "memory", "telemetry"),
    ("queue", "deliver", "feeds", "publish"),
    ("studies",),
    ("pipelines", "service"),
    ("mcp",),
    ("web",),
)
"""They use the kernel, and the features above them. The kernel reaches them through the table in plugins/features."""
ROOMS = (*KERNEL, *FEATURES, ("__main__", "inspect_solver", "testing"))
RANKS = {room: rank for rank, rooms in enumerate(ROOMS) for room in rooms}
ARGUING = {"protocols": "argument"}
"""Rooms of the kernel that use a feature: what a persuasion decides by."""


def module(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def for_type_checkers(path: Path) -> set[ast.AST]:
    """What a file imports only for type checkers."""
    found: set[ast.AST] = set()
    for node in nodes(path):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            found |= set(node.body)
    return found


def imports(path: Path) -> set[str]:
    """What a file imports of moot when it runs, as module names below it; "" is the public page."""
    found, unused = set(), for_type_checkers(path)
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node not in unused and node.module:
            found |= {f"{node.module}.{one.name}" for one in node.names} if node.module == "moot" else {node.module}
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
    below = {name.removeprefix("moot").lstrip(".") for name in found if name.split(".")[0] == "moot"}
    return {name if name.split(".")[0] in RANKS else "" for name in below}


def test_a_room_uses_the_rooms_above_it() -> None:
    tops = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in FILES} - {"__init__"}
    assert tops == RANKS.keys() - {""}, "every room has its place"
    found = []
    for path in FILES:
        room = module(path).split(".")[0]
        used = {one.split(".")[0] for one in imports(path)} - {room} if room else set()
        found += [
            f"{module(path)} uses {one or 'moot'}"
            for one in sorted(used)
            if RANKS[one] >= RANKS[room] and one != ARGUING.get(room)
        ]
    assert found == []


PAGES = {"api", "present", "argument", "evidence", "voting", "stats", "text", "protocols"}
"""What a protocol imports, and anybody can: the API, rooms that can be used alone, and itself."""


def test_protocols_import_what_any_author_can() -> None:
    found = []
    for path in FILES:
        if module(path).startswith("protocols"):
            modules = {node.module or "" for node in nodes(path) if isinstance(node, ast.ImportFrom)}
            found += [f"{module(path)} imports {name}" for name in modules if not _is_page(name)]
    assert found == []


def _is_page(name: str) -> bool:
    top, _, below = name.removeprefix("moot.").partition(".")
    return name.split(".", maxsplit=1)[0] != "moot" or name == "moot" or (top in PAGES and not below.startswith("_"))


def test_a_script_runs_nothing_side_by_side_but_through_the_room() -> None:
    scripts = [path for path in FILES if module(path).startswith("protocols.")]
    assert [module(path) for path in scripts if "asyncio" in path.read_text("utf-8")] == []


NAMING = {"engine.define.shipped", "runs.ways", ""}
"""The list of built-in protocols and the default; the public functions."""


def test_no_file_outside_protocols_names_one() -> None:
    found = []
    for path in FILES:
        name = module(path)
        texts = {one.value for one in nodes(path) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
        if name not in NAMING and not name.startswith("protocols"):
            found += [f"{name} names {one}" for one in sorted(texts & BUILT_IN.keys())]
    for path in sorted(SOURCE.rglob("*.jinja")):
        quoted = set(re.findall(r"[\"']([a-z]+)[\"']", path.read_text("utf-8")))
        found += [f"{path.name} names {one}" for one in sorted(quoted & BUILT_IN.keys())]
    assert found == []


def test_a_protocol_is_in_one_folder() -> None:
    folders = {path.relative_to(SOURCE / "protocols").parts[0] for path in FILES if "protocols" in path.parts}
    assert {name for name in BUILT_IN if name in folders or f"{name}.py" in folders} == set(BUILT_IN)
    mixed = [
        f"{module(path)} imports {one}"
        for path in FILES
        # A re-judging reads the debates of others again, in their own words.
        if module(path).startswith("protocols.") and not module(path).startswith("protocols.rejudging")
        for one in imports(path)
        for other in BUILT_IN
        if one.startswith(f"protocols.{other}") and not module(path).startswith(f"protocols.{other}")
    ]
    assert mixed == []


LONGEST_FILE, LONGEST_FUNCTION = 400, 60
LONGER: dict[str, str] = {}
"""What is longer than that, and the reason why dividing it would make it worse."""


def test_what_is_long_has_a_reason() -> None:
    found = [module(path) for path in FILES if path.read_text("utf-8").count("\n") > LONGEST_FILE]
    for path in FILES:
        functions = [node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        long = [one for one in functions if (one.end_lineno or 0) - one.lineno >= LONGEST_FUNCTION]
        found += [f"{module(path)}.{one.name}" for one in long]
    assert sorted(found) == sorted(LONGER)
    assert all(LONGER.values())


MOST_LINES_OF_KERNEL = 32_000
USABLE_ALONE = ("evidence", "stats", "voting")
"""Libraries that know nothing of debates."""
OTHER_PROTOCOLS = ("arena", "chaired", "panel", "persuasion", "rejudging")


def test_the_kernel_can_be_read() -> None:
    """What is left when all features are out: the rooms down to the command line, the duel, and the shelf."""
    rooms = {room for rooms in KERNEL for room in rooms} - {*USABLE_ALONE, "protocols"}
    lines = 0
    for path in FILES:
        room, below, *_ = [*module(path).split("."), ""]
        if room in rooms or (room == "protocols" and below not in OTHER_PROTOCOLS):
            lines += path.read_text("utf-8").count("\n")
    assert lines <= MOST_LINES_OF_KERNEL


def test_nothing_evaluates_text() -> None:
    found = []
    for path in FILES:
        called = {one.func.id for one in nodes(path) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)}
        found += [f"{module(path)} calls {name}" for name in called & {"eval", "exec", "compile", "__import__"}]
    assert found == []


def test_the_public_page_is_sorted_and_complete() -> None:
    def kind(name: str) -> int:
        return 0 if name.isupper() else 1 if name[0].isupper() else 2

    assert moot.__all__ == sorted(moot.__all__, key=lambda name: (kind(name), name))
    public = {
        name
        for name, value in vars(moot).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("moot")
    }
    assert public <= set(moot.__all__)
    for name in moot.__all__:
        assert hasattr(moot, name)


@pytest.mark.parametrize("code", ["import moot", "import moot.argument", "import moot.cli", "import moot.api"])
def test_starting_is_light(code: str) -> None:
    """What a name stands for is loaded when it is asked for."""
    heavy = ["aiohttp", "xllamacpp", "jinja2", "pydantic", "fastapi", "rich", "opentelemetry", "yaml", "asyncio"]
    heavy += ["numpy", "scipy", "clingo", "pysat"]
    check = f"{code}\nimport sys\nprint([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_formal_argumentation_starts_alone() -> None:
    loaded = "import sys, moot.argument\nprint(*sorted(name for name in sys.modules if name.startswith('moot')))"
    found = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout.split()
    assert found == ["moot", "moot.argument", "moot.plugins", "moot.plugins.lazy"]


@pytest.mark.parametrize(
    "page", [moot, moot.argument, moot.evidence, moot.api, moot.api.capabilities, moot.api.studies]
)
def test_a_page_of_names_has_what_it_tells_type_checkers(page: ModuleType) -> None:
    tree = ast.parse(Path(f"{page.__file__}i").read_text("utf-8"))
    told = {one.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for one in node.names}
    assert sorted(told) == sorted(page.__all__)
    for name, module in told.items():
        assert getattr(page, name) is getattr(import_module(str(module)), name)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        page.nothing  # noqa: B018 (asking is the test)


def test_the_map_names_files_that_there_are() -> None:
    """A name may leave out the folders that its line has named."""
    page = (DOCS / "architecture.md").read_text("utf-8")
    names = {name for name in re.findall(r"`([\w/]+\.py)`", page) if not name.startswith("tests/")}
    assert [name for name in sorted(names) if not any(SOURCE.rglob(name))] == []
    rooms = {path.name for path in (SOURCE / "engine").iterdir() if (path / "__init__.py").exists()}
    assert rooms == set(re.findall(r"^\| `(\w+)/` \| (?:What|How)", page, re.MULTILINE))


def test_tests_share_nothing_but_the_kit() -> None:
    tests = Path(__file__).parent
    shared = re.compile(r"^\s*from (?:\.|tests(?!\.kit\b))\S* import", re.MULTILINE)
    found = {str(path.relative_to(tests)): shared.findall(path.read_text("utf-8")) for path in tests.rglob("*.py")}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_every_public_name_is_in_the_docs() -> None:
    page = (DOCS / "python.md").read_text("utf-8")
    assert [name for name in moot.__all__ if f"`{name}`" not in page] == []
    others = [name for name in moot.__all__ if name not in OFFERED]
    assert len(others) <= 40, "the public page is for what users call; the rest is in its room"


MOST_CATCHING_ALL = 20
MOST_OF_MANY_PARAMETERS = 10
MANY_PARAMETERS = 7


def test_few_places_catch_whatever_is_raised() -> None:
    """Each says why on its line."""
    catching = re.compile(r"except \(?(.*\b)?(Base)?Exception\b")
    lines = [line for path in FILES for line in path.read_text("utf-8").splitlines() if catching.search(line)]
    assert len(lines) <= MOST_CATCHING_ALL
    assert [line for line in lines if "  # " not in line] == []


def test_few_functions_have_many_parameters() -> None:
    """Without `self` and `cls`; `*args` and `**more` are one each."""
    found = []
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                taken = node.args
                named = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, *filter(None, (taken.vararg, taken.kwarg))]
                if len([one for one in named if one.arg not in ("self", "cls")]) > MANY_PARAMETERS:
                    found.append(f"{path.name}: {node.name}")
    assert len(found) <= MOST_OF_MANY_PARAMETERS, found

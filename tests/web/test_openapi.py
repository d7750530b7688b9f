"""The API keeps to its own OpenAPI document, whatever it is sent: no 5xx, and no answer that is not written there."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import moot
from moot.web.app import make_app
from tests.kit.examples import tries
from tests.kit.servers import Site, serving
from tests.kit.waiting import PATIENCE

SCHEMA = schemathesis.openapi.from_dict(make_app("nowhere").openapi())
OPERATIONS = {one.ok().label: one.ok() for one in SCHEMA.get_all_operations() if isinstance(one, Ok)}
CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def fuzzed(finished: dict[str, moot.Run], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with a run of each protocol, on which no debate lasts: whatever is started is stopped by its limits."""
    folder = tmp_path_factory.mktemp("fuzzed")
    for run in finished.values():
        shutil.copytree(run.path, folder / run.name)
    limits = {"MOOT_MAX_CALLS": "2", "MOOT_MAX_MINUTES": "0.1"}
    with serving(folder, at_most=1000, environment=limits) as site:
        yield site


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=lambda mode: mode.value)
@pytest.mark.parametrize("label", OPERATIONS)
def test_nothing_that_is_not_documented(
    fuzzed: Site, finished: dict[str, moot.Run], label: str, mode: GenerationMode
) -> None:
    operation = OPERATIONS[label]
    if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.path_parameters):
        return
    names = [run.name for run in finished.values()]

    @settings(
        max_examples=tries(3), deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy(generation_mode=mode), known=st.sampled_from([*names, *names, None]))
    def ask(case: Case[Any], known: str | None) -> None:
        if known is not None and "name" in (case.path_parameters or {}):
            case.path_parameters["name"] = known
        case.call_and_validate(base_url=fuzzed.url, checks=CHECKS, timeout=PATIENCE)

    ask()


def test_every_route_is_in_the_document() -> None:
    paths = SCHEMA.raw_schema["paths"]
    assert len(OPERATIONS) >= 20
    for path, operations in paths.items():
        assert path.startswith(("/api/", "/v1/"))
        for operation in operations.values():
            assert operation["description"]
            assert "HTTPValidationError" not in str(operation)
            assert {"401", "403", "421"} <= operation["responses"].keys()
            assert ("413" in operation["responses"]) == ("requestBody" in operation)

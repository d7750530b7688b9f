"""What was skipped, and why. Where CI=true nothing may be, but for what needs a sandbox where none can be had."""

import os
from collections import Counter
from collections.abc import Generator

import pytest

NO_SANDBOX = "bubblewrap cannot make a sandbox on this machine"


def in_ci() -> bool:
    return os.environ.get("CI") == "true"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_if_skipped(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if in_ci():
        skipped = Counter(map(_reason, terminalreporter.stats.get("skipped", [])))
        terminalreporter.section("skipped, and why")
        for reason, count in skipped.most_common():
            terminalreporter.line(f"{count} skipped: {reason}")
        if not skipped:
            terminalreporter.line("nothing was skipped")


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    # A test that fails as expected counts as skipped too.
    if in_ci() and report.skipped and not hasattr(report, "wasxfail") and _reason(report) != NO_SANDBOX:
        report.outcome, report.longrepr = "failed", f"skipped, though CI=true: {_reason(report)}"


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    told = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return told.removeprefix("Skipped: ")

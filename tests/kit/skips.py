"""Where CI=true, whatever is skipped fails, but for what needs a sandbox where none can be had."""

import os
from collections.abc import Generator

import pytest

NO_SANDBOX = "bubblewrap cannot make a sandbox on this machine"
Report = pytest.TestReport | pytest.CollectReport


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, Report, Report]:
    report = yield
    # A test that fails as expected counts as skipped too.
    if os.environ.get("CI") == "true" and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if NO_SANDBOX not in reason:
            report.outcome, report.longrepr = "failed", f"{reason}, though CI=true"
    return report


pytest_make_collect_report = pytest_runtest_makereport

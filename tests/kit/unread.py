"""Debates whose reports nobody reads: tests that never look at them need not have them written."""

from typing import TYPE_CHECKING, Any

import moot

if TYPE_CHECKING:
    import pytest


def settings(given: dict[str, Any] | None = None) -> dict[str, Any]:
    """What is given on reports, which is taken out: it is no setting of the debate itself."""
    return {"reports": given.pop("reports")} if given and "reports" in given else {}


def write_reports(patch: "pytest.MonkeyPatch", *, wanted: bool) -> None:
    """What holds for debates that are run or resumed and nothing is said on reports."""
    for staging in (moot.run, moot.resume):
        defaults = staging.__kwdefaults__
        assert defaults is not None
        patch.setitem(defaults, "reports", wanted)

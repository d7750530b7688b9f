"""Whether debates that kits stage leave their reports. Tests that never look at them need not have them written."""

from typing import Any

written = True


def settings(given: dict[str, Any] | None = None) -> dict[str, Any]:
    """What to say of reports when a debate is run: what is given, which is taken out, or else what holds for all."""
    return {"reports": (given or {}).pop("reports", written)}

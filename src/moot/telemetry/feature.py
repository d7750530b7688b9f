"""What telemetry brings to moot."""

from moot.plugins.features import Feature

FEATURE = Feature(name="telemetry", extra="telemetry", offers={"observing": "moot.telemetry.tracing:traced"})

"""What debates for many people at once brings to moot."""

from moot.plugins.features import Feature

FEATURE = Feature(
    name="service",
    extra="web",
    needs=("database",),
)

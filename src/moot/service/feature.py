"""What debates for many people at once bring to moot."""

from moot.plugins.features import Feature

FEATURE = Feature(
    name="service",
    extra="web",
)

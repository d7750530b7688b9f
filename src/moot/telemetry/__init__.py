"""Debates as OpenTelemetry spans and metrics: a feature that observes each debate, and nothing depends on it."""

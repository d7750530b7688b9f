"""Test helpers that moot uses itself: models with scripted replies."""

from moot.models.scripted import Script, Scripted, ScriptedModel

__all__ = ["Script", "Scripted", "ScriptedModel"]

"""What moot's own tests are made of, for the tests of others: models that say what they are told to."""

from moot.models.scripted import Script, Scripted, ScriptedModel

__all__ = ["Script", "Scripted", "ScriptedModel"]

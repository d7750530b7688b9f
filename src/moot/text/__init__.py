"""Strings and figures for people and files: cleaning, rounding, plurals, YAML."""

from moot.text.clean import clip, cut, one_line, printable, reason_without_secrets, shows, spelled_out, valid_text

__all__ = ["clip", "cut", "one_line", "printable", "reason_without_secrets", "shows", "spelled_out", "valid_text"]

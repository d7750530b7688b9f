"""The record of a run: entries and their payloads, events, log, journal, and their storage."""

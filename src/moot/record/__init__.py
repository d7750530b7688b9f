"""What a run writes and reads back: entries and their payloads, events, log, journal, and where they are stored."""

"""Plays a script and keeps it honest: protocols and where they are found, config, rooms, calls, runs, replays, results."""

"""Plays a script and keeps it honest: protocols and where they are found, config, room, calls, runs, replays."""

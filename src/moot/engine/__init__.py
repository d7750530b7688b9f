"""Plays scripts and records them: protocols and their registry, config, room, calls, runs, replays."""

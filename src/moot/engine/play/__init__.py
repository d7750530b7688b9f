"""Plays a script: agents, prompts, replies, the room and its calls, within limits."""

"""Attacks that once worked: hostile folders, files, replies, pages and texts."""

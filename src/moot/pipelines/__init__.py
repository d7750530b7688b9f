"""Pipelines: what a debate gives to CI (a comment, a test report, findings beside the code), and repeated gates."""

"""What is done to a run: it is staged with its reports, verified, exported, contested, extracted from, looked at."""

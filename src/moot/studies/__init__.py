"""Studies over many debates: batches, evaluations against baselines, and re-judging."""

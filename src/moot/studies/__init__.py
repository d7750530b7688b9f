"""Many debates, one answer: batches, evaluations against baselines, and judging again."""

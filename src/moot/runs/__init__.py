"""Operations on runs: stage with reports, verify, export, contest, extract, read as an agent."""

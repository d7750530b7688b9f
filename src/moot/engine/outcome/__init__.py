"""What a log amounts to: result, brief, flags, findings, and the material for every view of it."""

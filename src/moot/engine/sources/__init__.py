"""What agents may read and cite: documents, lookups, citations."""

"""The engine: what a protocol is, and where protocols are found."""

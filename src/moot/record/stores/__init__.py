"""Where runs are kept: in a folder each, or all of them in a PostgreSQL database. The same promises hold for both."""

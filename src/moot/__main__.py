"""`python -m moot` is `moot`."""

from moot.cli import main

main()

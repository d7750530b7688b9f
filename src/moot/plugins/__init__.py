"""Extension points: tables of named things, plug-in files, and modules that load names lazily."""

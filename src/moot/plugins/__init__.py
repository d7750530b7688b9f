"""What others can add to moot: tables of named things, plug-in files, and pages of names that load lazily."""

"""What a debate is: protocols and where they are found, options, settings, gates."""

"""The built-in protocols: a folder or a file each. They import what any author would: `moot.api`."""

"""The pages, each in the module of its name. A page is a template filled on the server; scripts only add to it."""

"""Evidence: pages, packs, folders and git histories, and whether they support the sentences that cite them.

`Fetcher` gets cited pages safely; a `Corpus` is a closed pack of documents; `passages` and `commits` search folders and
git histories; `find_quote` and `decide` check a source. This package calls no model, and loads heavy libraries
only when they are needed.
"""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())

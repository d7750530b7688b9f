"""Batches: many debates from one file, in one folder, within one budget, with statistics over all of them.

import asyncio
from moot.studies import batch as batches

batch = batches.create_batch(batches.read_batch("grid.yaml"))
asyncio.run(batches.run_batch(batch))
print(batches.write_documents(batch).upheld)
"""

from moot.plugins.lazy import lazy as _lazy

__getattr__ = _lazy(globals())

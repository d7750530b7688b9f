"""Batches: many debates from one file, in one folder, within one budget; and what they come to together.

import asyncio
from moot import batches

batch = batches.create_batch(batches.read_batch("grid.yaml"))
asyncio.run(batches.run_batch(batch))
print(batches.write_documents(batch).upheld)
"""

from moot.batches.analysis import analyse
from moot.batches.budget import Need, SharedBudget
from moot.batches.design import Design
from moot.batches.documents import write_documents
from moot.batches.figures import BatchStatistics
from moot.batches.folder import Batch, create_batch, is_batch, open_batch
from moot.batches.items import BatchFile, Item, TotalLimits, read_batch
from moot.batches.planning import BatchPlan, plan_batch
from moot.batches.queued import QueueExecutor
from moot.batches.rows import Row, row_of
from moot.batches.running import Began, Called, Executor, Finished, LocalExecutor, Progress, Told, run_batch

__all__ = [
    "Batch",
    "BatchFile",
    "BatchPlan",
    "BatchStatistics",
    "Began",
    "Called",
    "Design",
    "Executor",
    "Finished",
    "Item",
    "LocalExecutor",
    "Need",
    "Progress",
    "QueueExecutor",
    "Row",
    "SharedBudget",
    "Told",
    "TotalLimits",
    "analyse",
    "create_batch",
    "is_batch",
    "open_batch",
    "plan_batch",
    "read_batch",
    "row_of",
    "run_batch",
    "write_documents",
]

"""Batches: many debates from one file, in one folder, within one budget, with statistics over all of them.

import asyncio
from moot.studies import batch as batches

batch = batches.create_batch(batches.read_batch("grid.yaml"))
asyncio.run(batches.run_batch(batch))
print(batches.write_documents(batch).upheld)
"""

from moot.studies.batch.analysis import analyse
from moot.studies.batch.budget import Need, SharedBudget
from moot.studies.batch.design import Design
from moot.studies.batch.documents import write_documents
from moot.studies.batch.figures import BatchStatistics
from moot.studies.batch.folder import Batch, create_batch, is_batch, open_batch
from moot.studies.batch.items import BatchFile, Item, TotalLimits, read_batch
from moot.studies.batch.planning import BatchPlan, plan_batch
from moot.studies.batch.progress import Began, Called, Finished, Progress, Told
from moot.studies.batch.queued import QueueExecutor
from moot.studies.batch.rows import Row, row_of
from moot.studies.batch.running import Executor, LocalExecutor, run_batch

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

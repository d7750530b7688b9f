# The names of this page, a line each. Each is loaded when it is asked for: see moot.plugins.lazy.
from moot.studies.batch.analysis import analyse as analyse
from moot.studies.batch.budget import BatchPlan as BatchPlan
from moot.studies.batch.budget import Need as Need
from moot.studies.batch.budget import SharedBudget as SharedBudget
from moot.studies.batch.budget import plan_batch as plan_batch
from moot.studies.batch.design import Design as Design
from moot.studies.batch.documents import write_documents as write_documents
from moot.studies.batch.figures import BatchStatistics as BatchStatistics
from moot.studies.batch.folder import Batch as Batch
from moot.studies.batch.folder import create_batch as create_batch
from moot.studies.batch.folder import is_batch as is_batch
from moot.studies.batch.folder import open_batch as open_batch
from moot.studies.batch.items import BatchFile as BatchFile
from moot.studies.batch.items import Item as Item
from moot.studies.batch.items import read_batch as read_batch
from moot.studies.batch.progress import BatchEvent as BatchEvent
from moot.studies.batch.progress import Began as Began
from moot.studies.batch.progress import Called as Called
from moot.studies.batch.progress import Finished as Finished
from moot.studies.batch.progress import Progress as Progress
from moot.studies.batch.queued import QueueExecutor as QueueExecutor
from moot.studies.batch.rows import Row as Row
from moot.studies.batch.rows import row_of as row_of
from moot.studies.batch.running import Executor as Executor
from moot.studies.batch.running import LocalExecutor as LocalExecutor
from moot.studies.batch.running import run_batch as run_batch
from moot.studies.limits import TotalLimits as TotalLimits

__all__: list[str]  # noqa: PYI035 (made when the page is loaded)

"""The worker: does the jobs of a store, as a thread of a program or as a process of its own.

It may import `opening` and everything below. Start reading at `worker`; what a job does is in
`mnemic.chat.jobs`.
"""

from mnemic.worker.chores import Chores
from mnemic.worker.threads import WorkerThread
from mnemic.worker.worker import Worker

__all__ = ["Chores", "Worker", "WorkerThread"]

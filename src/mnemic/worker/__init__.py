"""The worker: does the background work of a store, as a part of a program or as one of its own."""

from mnemic.worker.chores import Chores
from mnemic.worker.threads import WorkerThread
from mnemic.worker.worker import Worker

__all__ = ["Chores", "Worker", "WorkerThread"]

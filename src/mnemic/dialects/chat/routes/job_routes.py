"""`/memory/jobs`: background work as it stands."""

from typing import Annotated

from fastapi import Query

from mnemic.dialects.chat import work_answers
from mnemic.dialects.chat.body_fields import PathId
from mnemic.dialects.chat.described import Json
from mnemic.dialects.chat.queries import JobList
from mnemic.dialects.chat.routing import Endpoints, operation


class Jobs(Endpoints):
    """The endpoints of jobs."""

    @operation("GET", "/memory/jobs", work_answers.JobsAnswer, refuses=(400,))
    def list_memory_jobs(self, query: Annotated[JobList, Query()]) -> Json:
        """List background jobs."""
        page = self.chat.jobs(
            query.wanted(),
            sort=query.sort_by,
            order=query.sort_order,
            limit=query.limit,
            offset=query.offset,
        )
        return work_answers.JobJson.listed(page, query)

    @operation(
        "POST",
        "/memory/jobs/{job_id}/retry",
        work_answers.QueuedAnswer,
        refuses=(400, 404, 409),
    )
    def retry_memory_job(self, job_id: PathId) -> Json:
        """Try a dead or cancelled job again, from its first attempt."""
        return work_answers.QueuedJson.single(self.chat.retry_job(job_id))

    @operation(
        "POST",
        "/memory/jobs/{job_id}/cancel",
        work_answers.QueuedAnswer,
        refuses=(400, 404, 409),
    )
    def cancel_memory_job(self, job_id: PathId) -> Json:
        """Cancel a job that waits."""
        return work_answers.QueuedJson.single(self.chat.cancel_job(job_id))

    @operation("GET", "/memory/jobs/{job_id}", work_answers.JobAnswer, refuses=(400, 404))
    def get_memory_job(self, job_id: PathId) -> Json:
        """Get a background job."""
        return work_answers.JobJson.single(self.chat.job(job_id))

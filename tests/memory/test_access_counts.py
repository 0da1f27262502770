"""Promises about counting recalls: nobody waits long for it, and nothing is counted twice."""

from mnemic.errors import BusyError
from mnemic.memory.retrieval.access_counts import AccessLog
from mnemic.storage.rows.memory_rows import Access
from tests.conftest import NOON

MANY = 450


def test_counts_are_written_a_little_at_a_time() -> None:
    portions: list[int] = []

    def write(accesses: list[Access], *_rest: object) -> None:
        portions.append(len(accesses))

    log = AccessLog(write)
    log.note(range(MANY), at=NOON)
    log.flush()
    log.close()

    assert portions == [200, 200, 50]


def test_what_was_written_before_a_mishap_is_not_counted_again() -> None:
    counted: dict[int, int] = {}
    mishaps = [None, BusyError()]

    def write(accesses: list[Access], *_rest: object) -> None:
        mishap = mishaps.pop(0) if mishaps else None
        if mishap is not None:
            raise mishap
        for access in accesses:
            counted[access.memory_id] = counted.get(access.memory_id, 0) + access.count

    log = AccessLog(write)
    log.note(range(MANY), at=NOON)
    try:
        log.flush()
    except BusyError:
        log.note([0], at=NOON)
    log.close()

    assert counted == {0: 2} | dict.fromkeys(range(1, MANY), 1)

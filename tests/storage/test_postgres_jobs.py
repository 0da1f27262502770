"""Jobs on PostgreSQL: walls between accounts, races, poolers and lost connections."""

import pwd
import shutil
import subprocess
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from os import chown, geteuid
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from mnemic.opening import open_database
from mnemic.settings import read_settings
from mnemic.storage.chat_rows import job_rows
from mnemic.storage.rows import scope_rows
from mnemic.storage.statements import load_statements
from mnemic.storage.timestamps import to_micros
from tests.conftest import NOON
from tests.postgres import Server
from tests.storage.test_job_waking import LONG, SHORT, begin
from tests.storage.workers import (
    GARDEN,
    KIND,
    LEASE,
    SECOND,
    account,
    add,
    must_take,
    open_store,
    take,
)

POOLER = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
CLAIM = load_statements("mnemic.storage.postgres")["job_claim"].encode()
SEEN = """select (select count(*) from job), (select count(*) from current_job),
                 (select count(*) from job_queue)"""
LISTENERS = "from pg_stat_activity where datname = %s and query = 'listen mnemic_jobs'"


def test_no_account_sees_the_content_of_jobs_that_are_not_its_own(postgres_database: str) -> None:
    store = open_store(postgres_database)
    for name in ("ours", "theirs"):
        add(account(store, name), "j", payload={"secret": name})
    ours = scope_rows.account_named(store, "ours")
    store.close()

    counted: list[tuple[object, ...] | None] = []
    for as_account in ("", str(ours)):
        with psycopg.connect(postgres_database) as connection:
            connection.execute("select set_config('mnemic.account', %s, true)", (as_account,))
            counted.append(connection.execute(SEEN).fetchone())

    # Who names no account sees who waits for a worker, and not for what.
    assert counted == [(0, 0, 2), (1, 1, 1)]


def test_a_claim_is_found_by_an_index(postgres_database: str) -> None:
    store = open_store(postgres_database)
    with psycopg.connect(postgres_database) as connection:
        connection.execute("set enable_seqscan = off")
        plan = connection.execute(b"explain " + CLAIM, claim_values(NOON)).fetchall()
    store.close()

    lines = "\n".join(line for (line,) in plan)
    assert "using job_due on job_queue c" in lines
    assert "on job_queue b" in lines
    assert "Seq Scan" not in lines


def test_a_worker_does_not_wait_for_a_job_that_another_is_taking(postgres_database: str) -> None:
    store = open_store(postgres_database)
    db = account(store, "default")
    add(db, "held up")
    add(db, "free", GARDEN)
    with psycopg.connect(postgres_database) as connection:
        connection.execute("select from job_queue where job_id = 'held up' for update")

        assert must_take(store).job.id == "free"
        assert take(store) is None
    store.close()


def test_two_jobs_of_a_scope_never_run_at_once_even_where_clocks_disagree(
    postgres_database: str,
) -> None:
    store = open_store(postgres_database)
    db = account(store, "default")
    add(db, "later", run_at=NOON + SECOND)
    add(db, "now")
    # To the one worker the first job is not due yet; to the other it is, and it does not see what
    # the one is just taking.
    with psycopg.connect(postgres_database) as one, ThreadPoolExecutor(1) as pool:
        one.execute(CLAIM, claim_values(NOON, scope_rows.account_named(store, "default")))
        other = pool.submit(take, store, NOON + SECOND)
        until_somebody_waits(one)
        one.commit()

        assert other.result(LONG) is None
    assert job_rows.counts(db) == {"leased": 1, "pending": 1}
    store.close()


def test_a_listener_that_lost_its_connection_finds_back(
    postgres: Server, postgres_database: str
) -> None:
    store = open_store(postgres_database)
    mark = begin(store)
    name = urlsplit(postgres_database).path[1:]
    with psycopg.connect(postgres.url(), autocommit=True) as root:
        ended = root.execute(f"select pg_terminate_backend(pid) {LISTENERS}".encode(), (name,))
        assert ended.fetchall() == [(True,)]

    # What may have come meanwhile counts as news.
    again = store.wait(LONG, since=mark)
    assert again != mark
    add(account(store, "default"), "j")
    assert store.wait(LONG, since=again) != again
    store.close()


def test_closing_leaves_no_listener_behind(postgres: Server, postgres_database: str) -> None:
    store = open_store(postgres_database)
    begin(store)
    store.close()

    name = urlsplit(postgres_database).path[1:]
    with psycopg.connect(postgres.url(), autocommit=True) as root:
        deadline = time.monotonic() + LONG
        while root.execute(f"select pid {LISTENERS}".encode(), (name,)).fetchone():
            root.execute("select pg_sleep(0.02)")
            assert time.monotonic() < deadline


@pytest.mark.skipif(POOLER is None, reason="PgBouncer is not installed")
def test_jobs_work_behind_a_pooler_that_keeps_no_session(
    postgres: Server, postgres_database: str
) -> None:
    name = urlsplit(postgres_database).path[1:]
    with pooler(postgres) as address:
        pooled = f"postgresql://app@/{name}?{address}"
        store = open_store(pooled)
        add(account(store, "default"), "first")
        first = must_take(store)
        db = store.as_account(first.account_id)
        assert db.write(lambda: job_rows.heartbeat(db, first, now=NOON, lease=LEASE)) == "held"
        db.write(lambda: job_rows.finish(db, first, now=NOON))
        add(db, "j")

        # Nothing is left behind on a connection of the pool: workers look by the clock.
        assert store.wait(SHORT) == 0
        assert must_take(store).job.id == "j"
        store.close()
        settings = read_settings({"database": pooled, "listen_url": postgres_database}, {})
        listening = open_database(settings)
        mark = listening.wait(LONG)
        add(account(listening, "default"), "heard")
        assert listening.wait(LONG, since=mark) != mark
        listening.close()


def claim_values(now: datetime, account_id: int | None = 1) -> dict[str, object]:
    times = {"now": to_micros(now), "lease_until": to_micros(now + LEASE)}
    times |= {"far_off": to_micros(now + LEASE), "lost_lease": to_micros(now + 2 * LEASE)}
    return {"kinds": [KIND], "worker": "w", "account_id": account_id, "scope_id": None, **times}


def until_somebody_waits(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    deadline = time.monotonic() + LONG
    while not connection.execute("select 1 from pg_locks where not granted").fetchone():
        connection.execute("select pg_sleep(0.02)")
        assert time.monotonic() < deadline


@contextmanager
def pooler(server: Server) -> Generator[str]:
    """Run a PgBouncer in transaction mode; yield how its socket is named in an address."""
    with TemporaryDirectory(prefix="mnemic-") as made:
        folder = Path(made)
        lines = [
            "[databases]",
            f"* = host={server.folder} port=5432 user=app",
            "[pgbouncer]",
            f"unix_socket_dir = {folder}",
            *("listen_port = 6432", "auth_type = any", "pool_mode = transaction"),
            *("ignore_startup_parameters = extra_float_digits", "default_pool_size = 2"),
        ]
        (folder / "pooler.ini").write_text("\n".join(lines))
        account: dict[str, Any] = {}
        if geteuid() == 0:
            # Like PostgreSQL, it refuses to run as root.
            nobody = pwd.getpwnam("nobody")
            chown(folder, nobody.pw_uid, nobody.pw_gid)
            account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        command = [str(POOLER), "-q", str(folder / "pooler.ini")]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, **account) as process:
            try:
                deadline = time.monotonic() + LONG
                while not (folder / ".s.PGSQL.6432").exists():
                    assert process.poll() is None
                    assert time.monotonic() < deadline
                    time.sleep(0.02)
                yield f"host={folder}&port=6432"
            finally:
                process.terminate()

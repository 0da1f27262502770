"""The server itself: what it lacks, what is lost, and who is in whose way."""

import logging
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest

import mnemic
from mnemic import StorageError
from mnemic.dialects.robot.tools import RobotTools
from mnemic.opening import OpenMemory
from mnemic.storage.postgres.schema import bring_up_to_date
from mnemic.storage.postgres.server import PostgresServer as DatabaseServer
from mnemic.storage.rows import scope_rows
from tests.conftest import NOON, OpenIt
from tests.postgres import Server
from tests.storage.lossy_proxy import Cut, LossyProxy, lossy, over_tcp, socket_of

Make = Callable[[str], str]


@pytest.fixture
def fresh(postgres: Server) -> Iterator[Make]:
    """Make databases without tables; they are gone at the end."""
    made: list[str] = []

    def make(user: str) -> str:
        name = f"fresh_{uuid4().hex}"
        made.append(name)
        postgres.make_database(name)
        return postgres.url(name, user=user)

    yield make
    for name in made:
        postgres.drop_database(name)


def contents(memory: OpenMemory) -> list[str]:
    return sorted(one.content for one in memory.browse(limit=100))


def test_an_empty_database_gets_its_tables_from_whoever_may_make_them(fresh: Make) -> None:
    with mnemic.open(fresh("postgres"), embedder="hashing", partitions=2) as memory:
        memory.robot.learn("the cup is red")

        [hit] = memory.robot.recall("cup")["memories"]

    assert hit["content"] == "the cup is red"


def test_a_role_without_rights_is_told_to_ask_the_owner(fresh: Make) -> None:
    with pytest.raises(StorageError, match=r"owner .* `mnemic migrate --to`"):
        mnemic.open(fresh("app"), embedder="none")


def test_without_pgvector_memories_are_found_by_words_and_the_user_is_told(
    fresh: Make, postgres: Server, caplog: pytest.LogCaptureFixture
) -> None:
    # A role that may make tables but no extensions stands for a server that has none.
    url = fresh("maker")
    database = url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(postgres.url(database), autocommit=True) as owner:
        owner.execute("drop role if exists maker")
        owner.execute("create role maker login")
        owner.execute("grant create on schema public to maker")

    with (
        caplog.at_level(logging.WARNING, "mnemic"),
        mnemic.open(url, embedder="hashing", partitions=2) as memory,
    ):
        memory.robot.learn("the cup is red")
        memory.robot.update(1, "the cup is blue")
        recalled = memory.robot.recall("cup")

    assert [hit["content"] for hit in recalled["memories"]] == ["the cup is blue"]
    assert recalled["mode"] == "bm25_only"
    assert [record.getMessage()[:31] for record in caplog.records] == [
        "This PostgreSQL has no pgvector"
    ]

    server = DatabaseServer(postgres.url(database), pool_size=1)
    assert bring_up_to_date(server, partitions=2).vectors == "halfvec"
    server.close()
    with mnemic.open(postgres.url(database), embedder="hashing") as memory:
        assert memory.embed_missing() == 1
        assert memory.robot.recall("cup")["mode"] == "hybrid"


def test_a_pgvector_without_half_precision_does_as_well(fresh: Make) -> None:
    url = fresh("postgres")
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("create extension vector")
        owner.execute("alter extension vector drop type halfvec")
        owner.execute("alter type halfvec rename to not_there_yet")

    with mnemic.open(url, embedder="hashing", partitions=2) as memory:
        for color in ("red", "green", "blue"):
            memory.robot.learn(f"the {color} cup stands on the shelf")
        recalled = memory.robot.recall("green cups", n=1)

    assert [hit["content"] for hit in recalled["memories"]] == ["the green cup stands on the shelf"]
    assert recalled["mode"] == "hybrid"


@pytest.mark.parametrize("when", ["before the commit", "after the commit", "unheard by the server"])
def test_a_connection_that_breaks_during_a_commit_neither_loses_nor_doubles_the_write(
    postgres_database: str, when: Cut
) -> None:
    with (
        lossy(postgres_database) as (proxy, url),
        mnemic.open(url, embedder="none", busy_seconds=2.0) as memory,
    ):
        memory.robot.learn("the cup is red")
        proxy.cut_at_next_commit(when)

        learned = memory.robot.learn("the door is open")

        assert proxy.was_cut.is_set()
        assert learned["status"] == "created"
        assert contents(memory) == ["the cup is red", "the door is open"]
        assert len(memory.history(memory.browse(limit=1)[0].id)) == 1
        assert memory.robot.recall("door")["total"] == 1


def test_after_a_lost_connection_the_next_call_answers_as_if_nothing_had_been(
    postgres_database: str,
) -> None:
    with lossy(postgres_database) as (proxy, url), mnemic.open(url, embedder="none") as memory:
        memory.robot.learn("the cup is red")
        proxy.cut_all()
        assert memory.robot.recall("cup")["total"] == 1
        proxy.cut_all()
        assert memory.robot.forget(1, "broken")["status"] == "forgotten"


class _Starter(logging.Handler):
    """Starts a server as soon as somebody says that there is none yet."""

    def __init__(self, start: Callable[[], LossyProxy]) -> None:
        super().__init__()
        self.start = start
        self.started: list[LossyProxy] = []

    def emit(self, record: logging.LogRecord) -> None:
        if "is not there yet" in record.getMessage():
            self.started.append(self.start())


@pytest.fixture
def starter(postgres_database: str) -> Iterator[tuple[_Starter, str]]:
    """A server that is not there before somebody waits for it, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    handler = _Starter(lambda: LossyProxy(socket_of(postgres_database), port=port))
    log = logging.getLogger("mnemic")
    log.addHandler(handler)
    yield handler, over_tcp(postgres_database, port)
    log.removeHandler(handler)
    for proxy in handler.started:
        proxy.close()


def test_opening_waits_for_a_server_that_is_starting(starter: tuple[_Starter, str]) -> None:
    handler, url = starter

    with mnemic.open(url, embedder="none", busy_seconds=30) as memory:
        assert memory.robot.learn("the cup is red")["status"] == "created"

    assert len(handler.started) == 1


def test_a_database_that_does_not_exist_is_not_waited_for(
    postgres: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StorageError):
        mnemic.open(postgres.url("no_such_database"), embedder="none", busy_seconds=30)

    assert "is not there yet" not in caplog.text


def test_a_server_that_stays_away_is_an_error_that_says_so(postgres_database: str) -> None:
    with lossy(postgres_database) as (proxy, url):
        memory = mnemic.open(url, embedder="none", busy_seconds=0.1)
        proxy.close()

        with pytest.raises(StorageError, match="cannot be reached"):
            memory.robot.recall("cup")
        with pytest.raises(StorageError, match="cannot be reached"):
            memory.robot.learn("the cup is red")
        memory.close()


def test_a_change_whose_fate_nobody_can_tell_is_not_called_undone(postgres_database: str) -> None:
    with lossy(postgres_database) as (proxy, url):
        memory = mnemic.open(url, embedder="none", busy_seconds=0.1)
        proxy.cut_at_next_commit("after the commit", for_good=True)

        with pytest.raises(StorageError, match="whether the last change was kept is not known"):
            memory.robot.learn("the cup is red")
        memory.close()
    with mnemic.open(postgres_database, embedder="none") as memory:
        assert contents(memory) == ["the cup is red"]


def test_the_same_lesson_from_many_at_once_is_kept_once(open_it: OpenIt) -> None:
    robots = [open_it(busy_seconds=60.0).robot for _ in range(4)]

    def learn(robot: RobotTools) -> str:
        return robot.learn("keep to the left")["status"]

    with ThreadPoolExecutor(4) as pool:
        told = sorted(pool.map(learn, robots))

    assert told == ["created", "duplicate", "duplicate", "duplicate"]


def test_batches_over_several_collections_do_not_lock_each_other_out(
    postgres_database: str,
) -> None:
    with mnemic.open(postgres_database, embedder="none", busy_seconds=60.0) as memory:

        def learn(number: int) -> int:
            names = ["a", "b", "c"] if number % 2 else ["c", "b", "a"]
            drafts = [
                mnemic.Draft(f"lesson {name}{number}", scope=mnemic.Scope("collection", name))
                for name in names
            ]
            return len(memory.remember_many(drafts))

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(learn, range(24))) == 72


def test_more_memories_than_are_kept_in_memory_are_still_all_found(
    postgres_database: str,
) -> None:
    with mnemic.open(postgres_database, embedder="none", cached_memories=5) as memory:
        for number in range(12):
            memory.robot.learn(f"thing{number} is here", collection=f"room{number % 3}")

        for number in [*range(12)] * 5:
            found = memory.robot.recall(f"thing{number}", collection=f"room{number % 3}")
            assert found["total"] == 1


def test_an_account_that_was_given_up_is_read_again(postgres_database: str) -> None:
    with mnemic.open(postgres_database, embedder="none", cached_memories=1) as ours:
        db = ours._workspace.db  # pyright: ignore[reportPrivateUsage]
        ours.robot.learn("the cup is red")
        other = db.as_account(scope_rows.ensure_account(db, "other", now=NOON))
        assert other.search.commonness(["cup"], scope_ids=(1,)) == {"cup": 0.0}

        assert ours.robot.recall("cup")["total"] == 1

"""How PostgreSQL answers each named statement in a store of 100,000 memories, seen by a role that
row-level security holds to its account.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from uuid import uuid4

import psycopg
import pytest

from mnemic.storage.postgres.database import PostgresDatabase
from mnemic.storage.postgres.vectors import is_worth_a_walk
from mnemic.storage.statements import load_statements
from tests.postgres import Server
from tests.storage import many_memories
from tests.storage.chat_samples import Sample, Values
from tests.storage.statement_samples import SAMPLES

Plan = dict[str, Any]

STATEMENTS: Final = load_statements("mnemic.storage.postgres")
# Run once by the owner, when the tables are made.
UNPLANNED: Final = {"vectors_schema"}
# What belongs to no account.
SHARED: Final = {"account", "api_key", "audit_entry", "model", "pg_class"}
# No table of a few rows is worth an index; the audit log is counted by who looks after a store.
SMALL: Final = {"api_key", "audit_entry", "mnemic_schema", "model"}
GRAPH: Final = "vectors_nearest_in_graph"
# Workers look for whose jobs are due; no account is named there.
OF_ALL: Final = "job_accounts"
_PARTITION: Final = re.compile(r"_\d+$")


class Explaining(PostgresDatabase):
    """Prepares and binds as the backend does, and returns plans instead of rows."""

    explains = True

    def plan(self, name: str, values: Values) -> Plan:
        """Return how a statement would be answered."""
        [(found,)] = self.tuples(name, **values)
        return found[0]["Plan"]

    def plan_in_graph(self, values: Values, iterative_scan: str) -> Plan:
        """Return how the graph would be walked, after the settings that are made for it."""

        def work() -> Plan:
            self.explains = False
            self.binary("graph_settings", width=250, goes_on=True)
            self._lent().execute(
                "select set_config('hnsw.iterative_scan', %s, true)", (iterative_scan,)
            )
            self.explains = True
            return self.plan(GRAPH, values)

        return self.read(work)

    def _prepare(self, name: str, values: Mapping[str, object]) -> tuple[str, dict[str, Any]]:
        sql, bound = super()._prepare(name, values)
        return f"explain (format json)\n{sql}" if self.explains else sql, bound


@pytest.fixture(scope="module")
def large(postgres: Server) -> Iterator[Explaining]:
    """The large store, as the application sees it."""
    name = f"test_{uuid4().hex}"
    many_memories.fill(postgres.make_database(name, template="made"))
    database = Explaining(postgres.url(name, user="app"))
    yield database
    database.close()
    postgres.drop_database(name)


def nodes(plan: Plan) -> Iterator[Plan]:
    """Return a plan's steps, each before those that it is fed by."""
    yield plan
    for below in plan.get("Plans", []):
        yield from nodes(below)


def complaints(plan: Plan, sample: Sample) -> Iterator[str]:
    """Tell what is wrong with a plan for an account like most."""
    steps = list(nodes(plan))
    partitions = {step["Relation Name"] for step in steps if "Relation Name" in step}
    for table in {_PARTITION.sub("", one) for one in partitions}:
        own = sorted(one for one in partitions if re.fullmatch(rf"{table}_\d+", one))
        if len(own) > 1:
            yield f"looks into {own}"
    for step in steps:
        yield from _complaints_about(step)
    found = [step["Index Cond"] for step in steps if "Index Cond" in step]
    if sample.by and not any(
        all(re.search(rf"\b{one}\b", by) for one in sample.by) for by in found
    ):
        yield f"no index is read by {sample.by}, only {found}"


def _complaints_about(step: Plan) -> Iterator[str]:
    table = _PARTITION.sub("", step.get("Relation Name", ""))
    if step["Node Type"] == "Seq Scan" and table not in SMALL:
        yield f"reads all of {step['Relation Name']}"
    is_index = "Index Name" in step and step["Node Type"] != "ModifyTable"
    if is_index and table not in SHARED and "account_id =" not in step.get("Index Cond", ""):
        yield f"reads {step['Index Name']} without naming the account"


def test_every_statement_has_sample_values() -> None:
    assert SAMPLES.keys() == STATEMENTS.keys() - UNPLANNED


def test_every_statement_reads_one_partition_through_an_index_that_names_the_account(
    large: Explaining,
) -> None:
    database = large.as_account(many_memories.ACCOUNT)

    found = {
        f"{name}, sample {number}": wrong
        for name, samples in SAMPLES.items()
        for number, sample in enumerate(samples)
        if name not in (GRAPH, OF_ALL)
        and (wrong := list(complaints(database.plan(name, sample.values), sample)))
    }

    assert found == {}


@pytest.mark.parametrize("name", ["memory_count", "tally_of_scope", "scope_counts"])
def test_counting_reads_tallies_and_no_memory(large: Explaining, name: str) -> None:
    database = large.as_account(many_memories.ACCOUNT)

    steps = nodes(database.plan(name, SAMPLES[name][0].values))

    read = {step["Relation Name"] for step in steps if "Relation Name" in step}
    assert "tally" in read
    assert read <= {"tally", "scope"}


def test_no_index_holds_what_a_recall_changes(postgres_database: str) -> None:
    with psycopg.connect(postgres_database) as connection:
        held = connection.execute(
            "select attname from pg_index join pg_attribute on attrelid = indexrelid"
            " where indrelid = 'memory'::regclass"
        ).fetchall()

    assert ("scope_id",) in held
    assert not {("accessed_at",), ("access_count",), ("confidence",)} & set(held)


@pytest.mark.parametrize("iterative_scan", ["relaxed_order", "off"])
def test_a_large_scope_is_searched_in_the_graph_of_its_partition(
    large: Explaining, iterative_scan: str
) -> None:
    database = large.as_account(many_memories.LARGE_ACCOUNT)

    plan = database.plan_in_graph(SAMPLES[GRAPH][0].values, iterative_scan)

    [scan] = [step for step in nodes(plan) if "Index Name" in step]
    assert "Order By" in scan
    assert "account_id =" in scan["Filter"]
    assert "scope_id = ANY" in scan["Filter"]


def test_comparing_every_vector_never_walks_a_graph(large: Explaining) -> None:
    database = large.as_account(many_memories.LARGE_ACCOUNT)
    asked = SAMPLES[GRAPH][0].values
    for name in ("vectors_nearest", "vectors_nearest_among"):
        plan = database.plan(name, {**asked, "docs": [1_000_026, 1_000_027]})
        assert not any("Order By" in step for step in nodes(plan))
        assert any("account_id =" in step.get("Index Cond", "") for step in nodes(plan))


@pytest.mark.parametrize(
    ("size", "of", "worth_it"),
    [
        (50_000, 50_000, False),
        (100_000, 100_000, True),
        (1_000_000, 10_000_000, True),
        # An account of a fleet: 10,000 of the 30 million vectors in its partition.
        (10_000, 30_000_000, False),
        (100_000, 30_000_000, False),
        (8_500, 90_000, False),
    ],
)
def test_a_graph_is_walked_only_where_that_is_less_work_than_comparing(
    size: int, of: int, worth_it: bool
) -> None:
    assert is_worth_a_walk(size, of=of, goes_on=True) is worth_it


def test_a_walk_that_cannot_go_on_is_only_taken_where_most_is_found() -> None:
    assert is_worth_a_walk(100_000, of=150_000, goes_on=False)
    assert not is_worth_a_walk(100_000, of=300_000, goes_on=False)
    assert not is_worth_a_walk(1_000_000, of=3_000_000, goes_on=False)
    assert is_worth_a_walk(1_000_000, of=3_000_000, goes_on=True)

"""Both sides of every number of the chat contract."""

from datetime import timedelta
from math import ceil

import pytest

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import StateError
from mnemic.opening import OpenMemory
from mnemic.records.conversation import ContextQuery, JobFilter, branch_scope
from mnemic.records.item import NewItem
from mnemic.storage.chat_rows.job_rows import back_off
from tests.chat.chatting import items_in, said, work
from tests.chat.injection.by_hand import Sort, an_item, block_of, reasons
from tests.conftest import Clock
from tests.dialects.chat_calling import Api

BRANCH = branch_scope("s", "main")


def summarise(chat: ChatMemory, *tokens: int) -> None:
    """Write one short summary of so many tokens for each number."""
    chat.create_session("s")
    for count in tokens:
        chat.create_item(NewItem(scope=BRANCH, type="summary", tier="micro", content="雨" * count))


@pytest.mark.parametrize(
    ("tokens", "reason"),
    [
        ([1] * 11, None),
        ([1] * 12, "micro_count_threshold"),
        ([180] * 4 + [179], None),
        ([180] * 5, "micro_token_threshold"),
    ],
    ids=["11 summaries", "12 summaries", "899 tokens", "900 tokens"],
)
def test_12_summaries_or_900_tokens_are_compacted(
    memory: OpenMemory, tokens: list[int], reason: str | None
) -> None:
    summarise(memory.chat, *tokens)

    if reason is None:
        with pytest.raises(StateError, match="No compaction candidates"):
            memory.chat.compact(BRANCH, force=False)
    else:
        assert memory.chat.compact(BRANCH, force=False).reason == reason


@pytest.mark.parametrize(
    ("count", "taken"), [(5, 3), (7, 3), (8, 4), (12, 8), (15, 11), (16, 12), (17, 12)]
)
def test_the_newest_4_stay_and_3_to_12_are_taken_in(
    memory: OpenMemory, count: int, taken: int
) -> None:
    summarise(memory.chat, *[1] * count)

    assert len(memory.chat.compact(BRANCH).source_ids) == taken


def test_what_is_made_of_a_turn_matters_0_6(memory: OpenMemory) -> None:
    memory.chat.create_session("s")
    memory.chat.add_turn("s", said("I promise to bring the ledger tomorrow.", "Good."))
    work(memory.chat)

    found = items_in(memory.chat, BRANCH)
    assert {item.importance for item in found if item.type != "fact"} == {0.6}


def test_an_item_of_0_35_is_injected_and_one_of_less_is_not(memory: OpenMemory) -> None:
    chat = memory.chat
    chat.create_session("s")
    for importance in (0.34, 0.35):
        chat.create_item(
            NewItem(scope=BRANCH, type="fact", content=f"{importance}", importance=importance)
        )

    block = chat.context(ContextQuery(session_id="s", strategy="importance"))

    assert block.text == "[Memory]\n- (fact) 0.35"


SECTIONS: list[tuple[Sort, int]] = [("fact", 35), ("open_loop", 20), ("micro", 20), ("macro", 25)]


@pytest.mark.parametrize(("sort", "percent"), SECTIONS)
def test_a_section_has_its_share_of_the_budget(sort: Sort, percent: int) -> None:
    item = an_item("a", "雨" * 200, sort=sort)

    def is_beyond(budget: int) -> bool:
        block = block_of(item, strategy="dual_summary", budget=budget)
        return "beyond" in reasons(block)["a"]

    whole = block_of(item, strategy="dual_summary", budget=10_000).token_count
    enough = ceil(whole * 100 / percent)
    assert is_beyond(enough - 1)
    assert not is_beyond(enough)


def test_a_lease_lasts_120_seconds(memory: OpenMemory, clock: Clock) -> None:
    memory.chat.create_session("s")
    memory.chat.add_turn("s", said("It rains.", "Indeed."))

    first = memory.chat.take_job("one")
    clock.turn(seconds=120)
    meanwhile = memory.chat.take_job("two")
    clock.turn(seconds=1)
    after = memory.chat.take_job("two")

    assert first is not None
    assert meanwhile is None
    assert after is not None
    assert after.job.attempts == 2


def test_a_failed_job_waits_1_second_then_twice_as_long_and_at_most_30() -> None:
    pauses = [back_off(attempts) / timedelta(seconds=1) for attempts in range(1, 8)]

    assert pauses == [1, 2, 4, 8, 16, 30, 30]


def test_a_job_is_tried_5_times_and_maintenance_3_times(memory: OpenMemory) -> None:
    chat = memory.chat
    chat.create_session("s")
    chat.add_turn("s", said("It rains.", "Indeed."))
    queued = chat.maintain(BRANCH)

    tries = {job.kind: job.max_attempts for job in chat.jobs(JobFilter()).rows}

    assert queued.created
    assert tries == {"ingest_turn": 5, "maintenance": 3}


@pytest.mark.parametrize(("limit", "status"), [(0, 400), (1, 200), (100, 200), (101, 400)])
def test_a_page_has_1_to_100_rows(memory: OpenMemory, limit: int, status: int) -> None:
    assert Api(memory).send("GET", "/memories", limit=limit).status_code == status


@pytest.mark.parametrize(("budget", "status"), [(0, 400), (1, 200), (100_000, 200), (100_001, 400)])
def test_a_budget_is_1_to_100_000_tokens(memory: OpenMemory, budget: int, status: int) -> None:
    api = Api(memory)
    api.create("/sessions", {"id": "s"})

    answer = api.send("POST", "/sessions/s/context", {"token_budget": budget})

    assert answer.status_code == status

"""A program that uses every verb of a memory, without knowing where that memory is."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

from mnemic import Client, Draft, OpenMemory, Query, Scope, parse_filter, parse_near
from mnemic.errors import MnemicError
from mnemic.records.conversation import (
    ContextQuery,
    JobFilter,
    Line,
    TurnDraft,
    VersionDraft,
    branch_scope,
)
from mnemic.records.filters import of_kinds
from mnemic.records.item import ItemChange, ItemFilter, NewItem, Paging
from mnemic.records.memory import DEFAULT_USER, Chat, Payload, Utterance

Memory = OpenMemory | Client
KITCHEN = Scope("collection", "厨房")
HUGE = 2**80 + 1
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
_TIMES = re.compile(
    r"(elapsed_ms=|wall_ms=|cpu_ms=|'(?:query_ms|wall_ms|cpu_ms|execution_time|search_time|"
    r"processing_time|response_time)': )[\d.e-]+"
)
_COUNTER = re.compile(r"Counter\(({.*?})?\)")


def settled(value: object) -> str:
    """Return a result as text, types and all, without what the clock on the wall measured.

    A counter is a mapping, and a mapping is all that is promised.
    """
    return _COUNTER.sub(lambda found: found[1] or "{}", _TIMES.sub(r"\1…", repr(value)))


def told(ask: Callable[[], object]) -> str:
    """Return what an error tells, its class included."""
    try:
        return f"no error: {ask()!r}"
    except MnemicError as error:
        return f"{type(error).__name__} {error.code}: {error} {error.details!r}"


def everything(memory: Memory) -> list[str]:
    """Use all verbs; return what came back, step by step."""
    results = [*robot(memory), *engine(memory), *assistant(memory), *chat(memory)]
    return [one if isinstance(one, str) else settled(one) for one in results]


def robot(memory: Memory) -> list[object]:
    tools = memory.robot
    run = tools.start_session("default", {"robot": {"type": "UR5e"}})["session_id"]
    context = {"task": {"success": True, "serial": HUGE}, "params": {"force": 0.1 + 0.2}}
    return [
        tools.learn("12.5 N holds a mug", context, session_id=run),
        tools.learn("12.5 N holds a mug", context),
        tools.learn("湿度高时左边的抽屉会卡住", '{"spatial": {"at": [1, 2.5]}}'),
        tools.learn_many(
            ["看起来蓝色的杯子更轻", {"insight": "Cups slip when wet", "context": {}}]
        ),
        tools.save_perception("力传感器读数，抬起杯子时", "tactile", {"values": [0.1, 1e-7, HUGE]}),
        tools.recall("mug", context_filter={"task.success": True}, explain=True),
        tools.recall("抽屉", spatial_sort={"field": "spatial.at", "target": [1, 2]}),
        tools.get(4),
        tools.update(1, "11 N holds a mug", context={"task": {"success": False}}),
        tools.forget(2, "看错了"),
        tools.undo(2),
        tools.history(1),
        tools.list(n=2, before_id=4),
        tools.end_session(run, 0.9),
        told(lambda: tools.learn("  ")),
        told(lambda: tools.recall("x", n=1000)),
        told(lambda: tools.recall("half \ud800 of a pair")),
        told(lambda: tools.recall("x", context_filter={"a": {"$near": 1}})),
        told(lambda: tools.get(999)),
        told(lambda: tools.learn("x", {"much": float("nan")})),
        told(lambda: tools.end_session(run)),
        tools.erase(memory_id=4, dry_run=True),
        told(lambda: tools.erase()),
        told(lambda: tools.learn(12)),  # pyright: ignore[reportArgumentType]
    ]


def engine(memory: Memory) -> list[object]:
    many = [Draft(f"第{at}个杯子重 {at} 克", KITCHEN, context={"n": at}) for at in range(3)]
    perceived = Draft("Force", KITCHEN, "perception", payload=Payload("[1.0]"), dedup=False)
    first = memory.remember(Draft("杯子在柜子里", KITCHEN, confidence=1, dedup="exact"))
    number = first.memory.id
    chosen = parse_filter({"n": {"$gte": 1}, "created_at": {"$lt": "2030-01-01"}})
    near = parse_near({"field": "at", "target": [1, 2], "max_distance": 3})
    query = Query("杯子", (KITCHEN,), limit=10, filter=chosen & of_kinds(["fact"]), explain=True)
    episode, _ = memory.start_episode(KITCHEN, context={"why": "试验"})
    said = Chat(Utterance("user", "我对花生过敏。"), DEFAULT_USER, "talk")
    return [
        first,
        memory.remember_many([*many, perceived]),
        memory.recall(query),
        memory.recall(Query("杯子", (KITCHEN,), near=near, mode="bm25_only")),
        memory.get(number),
        memory.payload(number),
        memory.payload(number + 4),
        memory.browse(KITCHEN, filter=of_kinds({"fact"}), limit=2),
        memory.browse(KITCHEN, filter=parse_filter({"n": {"$in": [0, 1, None, "x"]}})),
        memory.count(KITCHEN, kinds={"fact", "perception"}),
        memory.supersede(number, []),
        memory.revise(number, "杯子在桌子上", context={"when": "今天"}),
        memory.forget(number, reason="moved"),
        memory.history(number),
        memory.undo(number),
        memory.end_episode(episode.id, outcome_score=0.5),
        memory.converse(said),
        memory.conversations(DEFAULT_USER, limit=5),
        memory.messages(DEFAULT_USER, "talk"),
        memory.profile(DEFAULT_USER),
        memory.profile(Scope("user", "nobody")),
        memory.empty_profile(DEFAULT_USER),
        *(memory.overview(), memory.newest(limit=3), memory.stats(), memory.links(number)),
        memory.delete_conversation(DEFAULT_USER, "talk"),
        *(memory.erase("memory", number, dry_run=True), memory.erase("memory", number)),
        memory.erasures(),
        memory.now(),
        told(lambda: memory.get(10**6)),
        told(lambda: memory.recall(Query(" "))),
        told(lambda: memory.recall(Query("x", limit=0))),
        told(lambda: memory.remember(Draft("half \udc00"))),
        told(lambda: memory.remember(Draft("x", confidence=7))),
        told(lambda: memory.undo(number + 1)),
    ]


def assistant(memory: Memory) -> list[object]:
    call = memory.assistant.call
    return [
        call("memory_add", {"content": "我住在成都", "memory_type": "core"}),
        call("memory_add", {"content": "I like tea", "memory_type": "auto", "context": "chat"}),
        call("memory_search", {"query": "成都"}),
        call("memory_chat", {"message": "我住在哪里？", "conversation_id": "c"}),
        call("memory_get_profile"),
        call("memory_add", {"content": ""}),
        call("memory_list", {"user_id": "nobody"}),
        told(lambda: call("memory_fly")),
    ]


def chat(memory: Memory) -> list[object]:
    room = memory.chat
    scope = branch_scope("tea", "main")
    lines = [Line("user", "I have a cat called Momo. 我对花生过敏。"), Line("assistant", "Hm.")]
    made = [room.create_session("tea"), room.add_turn("tea", lines, mode="sync")]
    later, ingest = room.add_turn("tea", lines, idempotency_key="k")
    new = NewItem(scope=scope, type="fact", content="用户喜欢茶", fact_key="likes", importance=0.9)
    one, two = (
        room.create_item(new),
        room.create_item(NewItem(scope=scope, type="fact", content="b")),
    )
    edge = room.create_edge(one.id, two.id, "supports")
    floor = room.turns("tea").rows[0]
    items = ItemFilter(scope_kind="branch", created_from=LONG_AGO)
    job = ingest.job_id or ""
    swiped = TurnDraft((VersionDraft(tuple(lines)), VersionDraft((lines[0],), LONG_AGO)), active=0)
    return [
        *(*made, later, ingest, one, edge),
        room.item(one.id),
        room.items(items, Paging("importance", "asc", 3)),
        room.item_stats(items),
        room.change_item(one.id, ItemChange(fact_key=None, importance=0.25)),
        room.change_item(one.id, ItemChange(content="用户喜欢绿茶")),
        room.set_status([two.id, "gone"], "deprecated"),
        *(room.edge(edge.id), room.edges(from_id=one.id), room.change_edge(edge.id, "updates")),
        told(lambda: room.create_edge(one.id, two.id, "updates")),
        told(lambda: room.create_edge(one.id, "nowhere", "updates")),
        *(room.jobs(JobFilter(status="pending")), room.job(job), room.cancel_job(job)),
        *(room.retry_job(job), room.scope_states(), room.rebuild(scope)),
        told(lambda: room.compact(scope, force=False)),
        *(room.maintenance(scope), room.maintain(scope), room.maintain_all()),
        *(room.sessions(), room.session("tea"), room.turn("tea", floor.id)),
        *(room.create_branch("tea", "other", at_floor_no=0), room.branches("tea")),
        room.context(ContextQuery(session_id="tea", text="Momo 花生", token_budget=200)),
        room.context(ContextQuery(session_id="tea", text="Momo 花生", as_of=LONG_AGO)),
        room.items(items, as_of=LONG_AGO),
        room.change_turn(
            "tea", floor.id, lines=[Line("user", "My dog is called Rex.")], mode="sync"
        ),
        *(room.turn_versions("tea", floor.id), told(lambda: room.turn_versions("tea", "gone"))),
        room.add_turns("tea", [swiped, TurnDraft((VersionDraft((lines[0],)),))]),
        told(lambda: room.add_turns("tea", [])),
        *(room.delete_turn("tea", later.id), room.delete_branch("tea", "other")),
        *(room.delete_edge(edge.id), room.delete_items([two.id, "gone"]), room.delete_item(one.id)),
        told(lambda: room.create_session("tea")),
        *(told(lambda: room.delete_branch("tea", "main")), told(lambda: room.item("gone"))),
        room.delete_session("tea"),
        room.erase("session", "tea"),
        *(room.erasures(limit=1), told(lambda: room.erase("session", "none"))),
    ]

"""Repetitive texts of doubling length: no verb takes longer for them than their length explains."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, get_args, get_origin

import pytest

import mnemic
from mnemic.opening import OpenMemory
from mnemic.records.conversation import ContextQuery, JobFilter, Line, TurnDraft, VersionDraft
from mnemic.records.item import Item, ItemChange, ItemFilter, NewItem
from mnemic.records.memory import Chat, Draft, Scope, Utterance
from mnemic.rpc import verbs as rpc
from mnemic.transfer.foreign import import_foreign
from tests.language.growth import grows_too_fast
from tests.language.test_growth import PUMPS

CHAT: Final = Scope("chat", "p")
_numbers: Final = count()

Verb = Callable[[OpenMemory, str], object]


def called(memory: OpenMemory, name: str, **params: object) -> Any:
    """Call a tool of the assistant that is not to refuse anything."""
    answer = memory.assistant.call(name, params)
    assert answer["success"] or answer["error"]["code"] == "OUT_OF_TIME", answer
    return answer["data"]


def tool(name: str, parameter: str, *, most: int, **given: str) -> Verb:
    def call(memory: OpenMemory, text: str) -> object:
        return called(memory, name, **{parameter: f"I {text}"[:most], **given})

    return call


def import_line(memory: OpenMemory, text: str) -> object:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "line.jsonl"
        path.write_text(json.dumps({"content": text}), encoding="utf-8")
        return import_foreign(memory, path, "jsonl")


def take_in(memory: OpenMemory, lines: list[Line]) -> object:
    return memory.chat.add_turn("p", lines, mode="sync")


def take_in_lines(memory: OpenMemory, text: str) -> object:
    size = len(text) // 50 + 1
    texts = [text[at : at + size] for at in range(0, len(text), size)]
    return take_in(memory, [Line("user", one) for one in texts])


def keep_an_item(memory: OpenMemory, text: str) -> object:
    return keep_an_item_of(memory, text)


def keep_an_item_of(memory: OpenMemory, text: str) -> Item:
    return memory.chat.create_item(NewItem(scope=CHAT, type="fact", content=text))


def inject(memory: OpenMemory, text: str, *_: object) -> object:
    return memory.chat.context(ContextQuery(session_id="p", text=text))


def ask_about(memory: OpenMemory, text: str) -> object:
    user = f"u{next(_numbers)}"
    tool("memory_add", "content", most=10_000, memory_type="auto", user_id=user)(memory, text)
    return called(memory, "memory_chat", message="What do I like?", user_id=user)


def swipe(memory: OpenMemory, text: str) -> object:
    floor, _ = memory.chat.add_turn("p", [Line("user", "I like tea")], mode="sync")
    return memory.chat.change_turn("p", floor.id, lines=[Line("user", text)], mode="sync")


def end_a_run(memory: OpenMemory, text: str) -> object:
    run = memory.robot.start_session()["session_id"]
    third = len(text) // 3
    for part in (text, text[third:] + text[:third], text[:third]):
        memory.remember(Draft(part or "x", dedup=False, episode_id=run))
    return memory.robot.end_session(run)


def learn_beside_a_likeness(memory: OpenMemory, text: str) -> object:
    third = len(text) // 3
    scope = Scope("collection", f"c{next(_numbers)}")
    memory.remember(Draft(f"{text[third:]} not {text[:third]}", scope, dedup=False))
    return memory.remember(Draft(text, scope))


def revise(memory: OpenMemory, text: str) -> object:
    known = memory.remember(Draft(f"It was another one {next(_numbers)}", dedup=False)).memory
    return memory.revise(known.id, text, context={"note": text})


def update(memory: OpenMemory, text: str) -> object:
    known = memory.remember(Draft(f"It was the first {next(_numbers)}", dedup=False)).memory
    memory.robot.update(known.id, "It was the second", context={"note": text})
    return memory.robot.forget(known.id, text)


def update_for_a_user(memory: OpenMemory, text: str) -> object:
    content = f"It was red {next(_numbers)}"
    number = called(memory, "memory_add", content=content, memory_type="core")["memory_id"]
    return called(memory, "memory_update", memory_id=number, content=f"I {text}"[:10_000])


def change_an_item(memory: OpenMemory, text: str) -> object:
    item = keep_an_item_of(memory, f"It was green {next(_numbers)}")
    return memory.chat.change_item(item.id, ItemChange(content=text))


def delete_a_turn(memory: OpenMemory, text: str) -> object:
    first, _ = memory.chat.add_turn("p", [Line("user", "I like tea")], mode="sync")
    take_in(memory, [Line("user", text)])
    return memory.chat.delete_turn("p", first.id)


def learn_with_a_context(memory: OpenMemory, text: str) -> object:
    context = {"note": text, text[:1_000]: [text], "task": {"name": text, "success": True}}
    memory.robot.recall("tea", context_filter={"task.name": text})
    return memory.robot.learn(f"It was blue {next(_numbers)}", context=context)


VERBS: Final[dict[str, Verb]] = {
    "recall": lambda memory, text: memory.recall(mnemic.Query(text)),
    "revise": revise,
    "forget": lambda memory, text: memory.forget(
        memory.remember(Draft(f"It is gone {next(_numbers)}", dedup=False)).memory.id, reason=text
    ),
    "converse": lambda memory, text: memory.converse(
        Chat(Utterance("user", text), Scope("user", f"u{next(_numbers)}"))
    ),
    "start_episode": lambda memory, text: memory.start_episode(context={"note": text}),
    "robot.update": update,
    "robot.learn with a context": learn_with_a_context,
    "memory_update": update_for_a_user,
    "chat.change_item": change_an_item,
    "chat.delete_turn": delete_a_turn,
    "remember": lambda memory, text: memory.remember(Draft(text)),
    "remember a likeness": learn_beside_a_likeness,
    "robot.learn": lambda memory, text: memory.robot.learn(text),
    "robot.recall": lambda memory, text: memory.robot.recall(text),
    "robot.save_perception": lambda memory, text: memory.robot.save_perception(text),
    "robot.end_session": end_a_run,
    "memory_add": tool("memory_add", "content", most=10_000, memory_type="auto"),
    "memory_search": tool("memory_search", "query", most=1_000),
    "memory_chat": tool("memory_chat", "message", most=5_000),
    "memory_chat about a long memory": ask_about,
    "chat.create_item": keep_an_item,
    "chat.items": lambda memory, text: memory.chat.items(ItemFilter(words=text)),
    "chat.add_turn": lambda memory, text: take_in(memory, [Line("user", text)]),
    "chat.add_turn of many lines": take_in_lines,
    "chat.change_turn": swipe,
    "chat.context": lambda memory, text: inject(memory, text),
    "chat.context of a long item": lambda memory, text: inject(
        memory, "What do I like?", keep_an_item(memory, text)
    ),
    "import": import_line,
}


NAMES_ONLY: Final = rpc.VERBS.keys() - {name.split()[0] for name in VERBS} - {"assistant.call"}
"""What takes no text that no other verb takes: everything is pumped that it takes."""


def by_names(path: str) -> Verb:
    verb = rpc.VERBS[path]
    hints = rpc.form_of(verb).hints
    made: dict[Any, Callable[[str], object]] = {
        str: str,
        str | None: str,
        str | int: str,
        int: len,
        Scope: lambda text: Scope("user", text),
        ItemFilter: lambda text: ItemFilter(words=text, fact_key=text),
        JobFilter: lambda text: JobFilter(floor_id=text, scope_name=text),
        Sequence[str]: lambda text: [text],
        Sequence[int]: lambda text: range(len(text)),
        Sequence[TurnDraft]: lambda text: [TurnDraft((VersionDraft((Line("user", text),)),))],
        Sequence[Draft]: lambda text: [Draft(text)],
        Sequence[str | Mapping[str, Any]]: lambda text: [text, {"insight": text}],
        str | Mapping[str, Any] | None: lambda text: {"note": text},
    }

    def call(memory: OpenMemory, text: str) -> object:
        given: dict[str, object] = {}
        for name, parameter in rpc.form_of(verb).signature.parameters.items():
            if hints.get(name) in made:
                given[name] = made[hints[name]](text)
            elif parameter.default is parameter.empty and get_origin(hints.get(name)) is Literal:
                given[name] = get_args(hints[name])[0]
        part = memory if verb.part == "engine" else getattr(memory, verb.part)
        return getattr(part, verb.name)(**given)

    return call


@pytest.fixture
def pumped(tmp_path: Path) -> Any:
    with mnemic.open(
        tmp_path / "memory.db", embedder="none", durability="off", locale="en"
    ) as memory:
        memory.chat.create_session("p")
        yield memory


@pytest.mark.parametrize("verb", [*VERBS, *sorted(NAMES_ONLY)])
def test_no_verb_takes_longer_than_its_text_explains(verb: str, pumped: OpenMemory) -> None:
    def call(text: str) -> object:
        try:
            # It would be refused for the character that ends it.
            return verbs[verb](pumped, text.replace("\x00", " "))
        except (mnemic.InvalidInputError, mnemic.NotFoundError, mnemic.StateError) as refused:
            return refused

    verbs, pumps = (VERBS, PUMPS) if verb in VERBS else ({verb: by_names(verb)}, PUMPS[:8])
    slow = {pump: grows_too_fast(call, pump) for pump in pumps}

    assert {pump: why for pump, why in slow.items() if why} == {}

"""Which verbs of an open memory a client may call, and what right each needs.

What a verb takes and returns is read off its method; nothing of that stands here.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, get_type_hints

from mnemic.dialects.assistant.catalog import tools_of
from mnemic.dialects.assistant.tools import AssistantTools
from mnemic.dialects.robot.tools import RobotTools
from mnemic.engine.memory_verbs import Engine
from mnemic.errors import InvalidInputError
from mnemic.records.access_key import Right
from mnemic.records.erasure import right_to_erase

Part = Literal["engine", "robot", "assistant", "chat"]

_TABLE: Final[Mapping[Part, Mapping[Right, str]]] = {
    "engine": {
        "read": "recall get payload browse count history conversations messages profile "
        "empty_profile overview newest stats links now erasures",
        "write": "remember remember_many revise supersede forget undo start_episode end_episode "
        "converse delete_conversation erase",
    },
    "robot": {
        "read": "recall get list history",
        "write": "learn learn_many save_perception forget update start_session end_session undo "
        "erase",
    },
    # What a tool of the assistant needs follows from its name: see `right_of`.
    "assistant": {"write": "call"},
    "chat": {
        "read": "item items item_stats edge edges jobs job scope_states maintenance sessions "
        "session branches turns turn turn_versions context erasures",
        "write": "create_item change_item delete_item delete_items set_status create_edge "
        "change_edge delete_edge create_session delete_session create_branch delete_branch "
        "add_turn add_turns change_turn delete_turn erase",
        "admin": "retry_job cancel_job rebuild compact maintain maintain_all",
    },
}

LOCAL: Final[Mapping[str, str]] = {
    "embed_missing": "it takes hours, and calls back; run `mnemic reindex` where the store is",
    "warm_up": "the server loads its embedder when it starts",
    "close": "a client closes its connections, not the server's store",
    "arrivals": "whole files come in where the store is; run `mnemic import` there",
    "apply_changes": "it belongs to an import; run `mnemic import` where the store is",
    "every_receipt": "the receipts of all accounts are read where the store is",
    "apply_receipts": "a copy is mended where it is; run `mnemic erase --apply-receipts` there",
    "has_account": "the key says whose memories they are",
    "of_account": "the key says whose memories they are",
    "served": "it is for the worker of the server",
    "watched_by": "whoever watches is told in the process that does the work",
    "assistant.execute_tool": "it is `call`, awaited",
    "assistant.refused": "it shapes an error for whoever serves the tools",
    "assistant.failed": "it shapes an error for whoever serves the tools",
    "chat.at_once": "it runs a function of the caller's inside the store",
    "chat.take_job": "a job is held by the process that does it; run `mnemic worker`",
    "chat.wait_for_job": "only a worker waits for jobs",
}
"""The public methods of an open memory that no client has, and why."""

LOCAL_PARAMETERS: Final = frozenset({"sampling"})
"""Parameters that are objects of the caller's process, and cannot be sent."""

_NO_OBJECT: Final = "it is an object of this process, which no server can call"

_WRITING_TOOLS: Final = frozenset(
    tool.name for tool in tools_of("assistant-extended") if not tool.reads_only
)


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: where it is found, and the right that it needs."""

    part: Part
    name: str
    right: Right

    @property
    def path(self) -> str:
        """What it is called on the wire, such as `recall` or `robot.learn`."""
        return self.name if self.part == "engine" else f"{self.part}.{self.name}"

    @property
    def speaks_json(self) -> bool:
        """Whether it takes and returns JSON as it is, and checks for itself what it takes."""
        return self.part in ("robot", "assistant")


VERBS: Final[Mapping[str, Verb]] = {
    verb.path: verb
    for part, rights in _TABLE.items()
    for right, names in rights.items()
    for verb in (Verb(part, name, right) for name in names.split())
}


def right_of(verb: Verb, arguments: Mapping[str, Any]) -> Right:
    """Return the right that a call needs: a tool of the assistant that only reads needs less, and
    erasing an account needs more.
    """
    if verb.name == "erase":
        return right_to_erase(arguments.get("kind"))
    if verb.part != "assistant":
        return verb.right
    name = arguments.get("name")
    return "write" if isinstance(name, str) and name in _WRITING_TOOLS else "read"


def class_of(part: Part) -> type:
    """Return the class whose methods the verbs of a part are."""
    if part == "chat":
        from mnemic.engine.chat_verbs import ChatMemory  # noqa: PLC0415  slow, and few need it

        return ChatMemory
    return {"engine": Engine, "robot": RobotTools, "assistant": AssistantTools}[part]


@dataclass(frozen=True, slots=True)
class Form:
    """What a verb takes and returns, as its method says it, less what it is bound to."""

    signature: inspect.Signature
    hints: Mapping[str, Any]

    def arguments(
        self, verb: Verb, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> dict[str, Any]:
        """Return what is given, by name; raise TypeError where the method would."""
        try:
            given = self.signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{verb.path}(): {error}") from None
        for name in LOCAL_PARAMETERS & given.keys():
            if given.pop(name) is not None:
                raise InvalidInputError(name, _NO_OBJECT, "None")
        return given

    def check_names(self, verb: Verb, given: Mapping[str, Any]) -> None:
        """Refuse a parameter that the method does not have, and the lack of one that it needs."""
        known = {
            name: parameter.default is parameter.empty
            for name, parameter in self.signature.parameters.items()
            if name not in LOCAL_PARAMETERS
        }
        allowed = ", ".join(known) or "no parameters"
        for name in given:
            if name not in known:
                told = f"{name[:60]!a}"
                raise InvalidInputError(told, f"{verb.path} has no such parameter", allowed)
        for name, needed in known.items():
            if needed and name not in given:
                raise InvalidInputError(name, "it is missing", allowed)


@cache
def form_of(verb: Verb) -> Form:
    """Return what a verb takes and returns."""
    method = getattr(class_of(verb.part), verb.name)
    signature, hints = inspect.signature(method), get_type_hints(method)
    bound, *parameters = signature.parameters.values()
    hints.pop(bound.name, None)
    return Form(signature.replace(parameters=parameters), hints)

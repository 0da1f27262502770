"""The assistant's tools in the words of MCP, as plain JSON: the envelope, twice."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from mnemic.dialects.assistant.catalog import AssistantTool, Profile, described, tools_of
from mnemic.dialects.assistant.messages import LocalizedText
from mnemic.dialects.assistant.refusals import Refused
from mnemic.dialects.assistant.tools import AssistantTools, Envelope
from mnemic.engine.memory_verbs import Replier
from mnemic.memory.interruptions import Interruption

Json = dict[str, Any]


class AssistantToolbox:
    """The tools of one profile, on one memory. Threads may share it."""

    instructions: ClassVar[str] = (
        "A memory of the user. Search it before answering what may depend on who they are, what "
        "they like or what they said; add what should still be known next time."
    )

    def __init__(self, assistant: AssistantTools, profile: Profile = "assistant") -> None:
        self._assistant = assistant
        self._tools = _named(profile)

    def listed(self) -> list[Json]:
        """Describe every tool, as `tools/list` does."""
        return [described(tool) for tool in self._tools.values()]

    def call(
        self, name: str, arguments: Mapping[str, Any], sampling: Replier | None = None
    ) -> Json:
        """Answer a call as `tools/call` does: the envelope as structure and as text.

        Arguments reach the tool exactly as they were sent, so that what is wrong with them is
        told in the envelope.
        """
        try:
            envelope = self._assistant.call(name, arguments, sampling=sampling)
            text = json.dumps(envelope, ensure_ascii=False)
        except Interruption:
            raise
        except Exception:
            envelope = self._assistant.failed(name)
            text = json.dumps(envelope, ensure_ascii=False)
        return _answer(envelope, text)

    def forbidden(self, name: str) -> Json:
        """Answer a call of somebody who may only read."""
        told = LocalizedText(
            f"{name} 会更改记忆，需要 'write' 权限；此密钥只有 'read' 权限",
            f"{name} changes what is remembered and needs the right 'write'; this key has only "
            "'read'. Use a key with the right 'write'.",
        )
        envelope = self._assistant.refused(Refused("AUTH_INSUFFICIENT_SCOPE", told))
        return _answer(envelope, json.dumps(envelope, ensure_ascii=False))


def _answer(envelope: Envelope, text: str) -> Json:
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": envelope,
        "isError": not envelope["success"],
    }


@cache
def _named(profile: Profile) -> Mapping[str, AssistantTool]:
    return {tool.name: tool for tool in tools_of(profile)}

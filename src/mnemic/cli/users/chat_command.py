"""`mnemic chat`: talk to what an assistant remembers, and see which memories a reply used."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from mnemic.cli.options import console, opened
from mnemic.cli.reporting import reporting_errors
from mnemic.errors import StateError
from mnemic.records.memory import DEFAULT_USER

_LEAVES = frozenset({"/quit", "/exit", "/q"})
_LONGEST = 100


def add_to(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command()(chat)


def chat(
    ctx: typer.Context,
    user: Annotated[
        str, typer.Option("--user", metavar="NAME", help="Who is talking.")
    ] = DEFAULT_USER.name,
    keep: Annotated[
        bool, typer.Option("--keep/--no-keep", help="Whether what is said is remembered.")
    ] = True,
) -> None:
    """Talk to your memory: a line is a message; /quit, or the end of the input, leaves.

    Below each reply stand the memories that it used. With MNEMIC_LLM_URL a language model replies.

    Example: mnemic chat --user ada
    """
    with reporting_errors(), opened(ctx) as memory:
        conversation: str | None = None
        for message in _messages():
            envelope = memory.assistant.call(
                "memory_chat",
                {
                    "message": message,
                    "user_id": user,
                    "memorizing": keep,
                    "conversation_id": conversation,
                },
            )
            if not envelope["success"]:
                raise StateError(envelope["error"]["details"])
            conversation = envelope["data"]["conversation_id"]
            _show(envelope["data"])


def _messages() -> Iterator[str]:
    while True:
        try:
            message = input("> ").strip()
        except EOFError:
            return
        if message in _LEAVES:
            return
        if message:
            yield message


def _show(reply: dict[str, Any]) -> None:
    console().print(Text(reply["response"]))
    for used in reply["used_memories"]:
        text = " ".join(used["content"].split())
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        console().print(Text(f"  {used['memory_id']}  {short}", style="dim"))

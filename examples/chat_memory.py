"""A chat app with a memory: fetch the block, put it into the prompt, feed back the turn.

Start `mnemic serve` first; MNEMIC_URL says where it is, if not at its usual address.
"""

import os
from typing import Any

import httpx2

HOST = os.environ.get("MNEMIC_URL", "http://127.0.0.1:7077")


def call(path: str, **body: Any) -> Any:
    return httpx2.post(HOST + path, json=body).raise_for_status().json()["data"]


def language_model(prompt: list[dict[str, str]]) -> str:
    # Put yours here. This one only tells what it was shown.
    known = [line for line in prompt[0]["content"].splitlines() if line.startswith("- ")]
    return f"(a reply that knows {len(known)} things and {len(prompt) - 2} earlier messages)"


TURNS_IN_PROMPT = 1  # A real app shows ten or twenty.
turns: list[tuple[int, list[dict[str, str]]]] = []


def reply(session: str, said: str) -> str:
    recent = turns[-TURNS_IN_PROMPT:]
    block = call(
        f"/sessions/{session}/context",
        query=said,
        token_budget=300,
        window_start_floor_no=recent[0][0] if recent else None,
    )
    system = {"role": "system", "content": f"You are Kai, a baker.\n\n{block['text']}"}
    asked = {"role": "user", "content": said}
    earlier = [message for _, messages in recent for message in messages]
    answered = {"role": "assistant", "content": language_model([system, *earlier, asked])}
    turn = call(f"/sessions/{session}/turns", messages=[asked, answered], mode="sync")
    turns.append((turn["floor_no"], [asked, answered]))
    return answered["content"]


session = call("/sessions")["id"]
print(reply(session, "My name is Mira. My cat is called Momo, and I am allergic to peanuts."))
print(reply(session, "我最近搬到成都了。"))
print(reply(session, "What would be a good present for Momo?"))

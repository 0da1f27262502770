"""Remember a person: add, search, chat, a follow-up, the profile, another user."""

import asyncio
from typing import Any

import mnemic
from mnemic.assistant import close_tools, execute_tool, initialize_tools

memory = mnemic.open(locale="en")
assistant = memory.assistant

added = assistant.call("memory_add", {"content": "I like oolong tea", "memory_type": "core"})
print(added["success"], "|", added["message"], "|", added["data"]["memory_id"])

for told in (
    "My sister Mei lives in Chengdu",
    "My brother Jun lives in Berlin",
    "Yesterday I bought a blue bicycle",
    "我对花生过敏",
):
    kept = assistant.call("memory_add", {"content": told, "memory_type": "auto"})["data"]
    print(kept["memory_type"], "|", kept["content"])

found = assistant.call("memory_search", {"query": "blue bicycle", "limit": 1})
for hit in found["data"]["results"]:
    print(hit["memory_type"], "|", hit["content"])

refused = assistant.call("memory_search", {"query": "blue bicycle", "limit": 101})
print(refused["error"]["code"], "|", refused["error"]["details"])


def say(message: str, **params: object) -> dict[str, Any]:
    return assistant.call("memory_chat", {"message": message, **params})["data"]


reply = say("Where does my sister live?")
print(reply["mode"], "|", "Chengdu" in reply["response"])
print([one["content"] for one in reply["used_memories"]])

print("花生" in say("我对什么过敏？")["response"])

say("Where does my sister live?")
print("Berlin" in say("And my brother?")["response"])

say("My name is Lin.")
print("Lin" in say("What is my name?")["response"])

secret = say("Do not keep this: I am planning a party.", memorizing=False)
print(secret["memorized"])

profile = assistant.call("memory_get_profile")["data"]["profile"]
for kind, counted in profile["memory_types"].items():
    print(kind, counted["count"])
print(profile["recent_activity"][0]["action"], "|", profile["usage_patterns"]["activity_level"])

bea = {"content": "My sister Ada lives in Oslo", "memory_type": "core", "user_id": "bea"}
assistant.call("memory_add", bea)
print("Oslo" in say("Where does my sister live?", user_id="bea")["response"])
print("Oslo" in say("Where does my sister live?", memorizing=False)["response"])

memory.close()


async def remember_at_once() -> None:
    notes = [f"Shelf {number} holds spare parts" for number in range(1, 4)]
    calls = [{"content": note, "memory_type": "knowledge_vault"} for note in notes]
    answers = await asyncio.gather(*(execute_tool("memory_add", call) for call in calls))
    print([answer["success"] for answer in answers])


print([tool["name"] for tool in initialize_tools(locale="en")])
asyncio.run(remember_at_once())
close_tools()

"""Promises of what the console never does with what is stored: make markup of it, or run it."""

import base64
import json
from typing import Any, Final
from urllib.parse import quote

import httpx2
import pytest
from playwright.sync_api import expect

from tests.console.looking import Look

HOSTILE: Final = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'>{{7*7}}"
LINK: Final = "javascript:alert(3)"
# Names of sessions and branches stand in addresses, without a slash.
NAME: Final = HOSTILE.replace("/", "")[:60]
TOLD: Final = "<img src=x onerror"


@pytest.fixture(scope="module")
def attacked(filled: str) -> dict[str, int | str]:
    """A store in which every field that somebody writes holds an attack; where to look for it."""
    with httpx2.Client(base_url=filled, timeout=30) as client:

        def call(path: str, body: dict[str, Any]) -> Any:
            answer = client.post(path, json=body)
            assert answer.status_code < 300, answer.text
            return answer.json().get("data")

        place = {"spatial": {"position": [9.0, 9.0, 9.0]}, "task": {"success": HOSTILE}}
        context = {**place, HOSTILE[:60]: [HOSTILE], "link": LINK}
        run = call(
            "/sdk/robot.start_session", {"collection": NAME, "context": {"task": {"name": HOSTILE}}}
        )
        lesson = {"insight": HOSTILE, "context": context, "collection": NAME}
        made = call("/sdk/robot.learn", {**lesson, "session_id": run["session_id"]})["memory_id"]
        call("/sdk/forget", {"memory_id": made, "reason": HOSTILE})
        call("/sdk/undo", {"memory_id": made})
        no_picture = base64.b64encode(b"\x89PNG\r\n\x1a\n" + HOSTILE.encode()).decode()
        felt = {HOSTILE[:40]: [1, 2, 3], "image": f"data:image/png;base64,{no_picture}"}
        sensed = {"description": HOSTILE, "perception_type": "visual", "collection": NAME}
        perceived = call("/sdk/robot.save_perception", {**sensed, "data": json.dumps(felt)})
        person = {"content": HOSTILE, "memory_type": "core", "user_id": NAME}
        client.post("/tools/memory_add", json=person)
        call("/sessions", {"id": NAME})
        line = {"role": "user", "name": HOSTILE, "content": HOSTILE}
        call(f"/sessions/{quote(NAME)}/turns", {"messages": [line], "mode": "sync"})
        call(f"/sessions/{quote(NAME)}/branches", {"branch_id": f"b{NAME}", "at_floor_no": 0})
        call("/keys", {"name": HOSTILE, "right": "read"})
        ends = {"from_id": f"mem_{made:010}", "to_id": f"mem_{perceived['memory_id']:010}"}
        call("/memory-edges", {**ends, "relation": "supports"})
        return {"memory": made, "perception": perceived["memory_id"], "run": run["session_id"]}


def test_a_stored_text_is_never_markup_on_any_page(
    look: Look, attacked: dict[str, int | str]
) -> None:
    scope = quote(f"collection:{NAME}")
    for address in (
        "overview",
        f"memory/{attacked['memory']}",
        "memory",
        f"search?q={quote(HOSTILE)}&why={attacked['memory']}&scope={scope}",
        f"timeline?run={attacked['run']}",
        f"graph/{attacked['memory']}",
        f"people/{quote(NAME, safe='')}",
        f"chats/{quote(NAME, safe='')}",
        f"places?scope={scope}&color={quote('task.success')}",
        f"perceptions/{attacked['perception']}?scope={scope}",
        "keys",
    ):
        look.open(address)
        if address.startswith("places"):
            look.page.locator(".cloud[data-whole] canvas").press("Enter")
        told = look.page.locator("main").get_by_text(TOLD)
        expect(told.filter(visible=True).first).to_be_visible()
        assert look.page.locator("main img, main script, main iframe").count() == 0, address
        assert look.page.locator('a[href^="javascript:"]').count() == 0, address


def test_a_name_that_is_asked_for_in_the_address_is_never_markup(look: Look) -> None:
    hostile = quote(HOSTILE, safe="")
    for address in (
        f"people/{hostile}",
        f"search?q={hostile}&scope={hostile}&near={hostile}&mode={hostile}",
        f"perceptions?run={hostile}",
        f"places?scope={quote('collection:')}{hostile}&color={hostile}",
        f"timeline?run={hostile}&days={hostile}",
        f"connect?client={hostile}&profile={hostile}",
        f"jobs?status={hostile}",
    ):
        look.page.goto(f"{look.server}/#/{address}")
        look.page.wait_for_selector(".page[data-ready]")
        assert look.page.locator("main img, main script").count() == 0, address
    # What is not allowed is refused by the server, and told.
    look.faults[:] = [fault for fault in look.faults if "status of 4" not in fault]

"""Promises of what people do in the console, by clicking and typing as they do."""

from pathlib import Path

import httpx2
from playwright.sync_api import Browser, expect

import mnemic
from tests.console.looking import Look, look_at
from tests.serving import serving


def test_a_search_shows_its_hits_and_how_they_came_about(look: Look) -> None:
    look.open()
    look.page.keyboard.press("/")
    look.page.keyboard.type("grip force that holds a ceramic mug")
    look.page.keyboard.press("Enter")
    look.ready("search")

    hits = look.page.locator(".hit")
    expect(hits.first).to_contain_text("ceramic mug")
    hits.first.get_by_text("Why it was found").click()
    expect(hits.first.locator(".reasons")).to_contain_text("Words (BM25)")
    look.page.get_by_text("How the answer came about").click()
    expect(look.page.locator(".terms")).to_contain_text("ceram")
    expect(look.page.locator(".stages")).to_contain_text("ms")


def test_why_not_this_one_names_the_reason(look: Look) -> None:
    look.find("grip force that holds a ceramic mug", why="6")
    expect(look.page.locator(".why-not")).to_contain_text("no longer in use")

    look.page.get_by_label("Why not this one?").fill("#1")
    look.page.get_by_label("At most").fill("100")
    look.page.locator(".question").get_by_role("button", name="Search").click()
    expect(look.page.locator(".why-not")).to_contain_text("It is among the hits")

    look.page.get_by_label("Filter on the context").fill('{"task.run": 4711}')
    look.page.locator(".question").get_by_role("button", name="Search").click()
    expect(look.page.locator(".why-not")).to_contain_text("The filter keeps it out: task.run eq")
    expect(look.page.locator(".hit")).to_have_count(0)


def test_a_memory_is_edited_and_the_edit_undone(look: Look) -> None:
    look.open("memory/5")
    said = look.page.locator(".memory .said")
    before = said.inner_text()

    look.button("Edit").click()
    look.dialog().get_by_label("Text").fill("The pan needs two hands.")
    look.button("Save", within=look.dialog()).click()
    look.notice("Saved")
    expect(said).to_have_text("The pan needs two hands.")
    expect(look.page.locator(".history ins").first).to_be_visible()

    look.button("Undo").click()
    look.button("Undo", within=look.dialog()).click()
    expect(said).to_have_text(before)


def test_a_memory_is_forgotten_with_a_reason_and_erased_after_a_dry_run(
    look: Look, filled: str
) -> None:
    lesson = {"insight": "The blue towel is for the floor.", "collection": "kitchen"}
    made = httpx2.post(f"{filled}/sdk/robot.learn", json=lesson).json()["data"]["memory_id"]
    look.open(f"memory/{made}")

    look.button("Forget").click()
    look.dialog().get_by_label("Why?").fill("it was the red one")
    look.button("Forget", within=look.dialog()).click()
    expect(look.page.locator(".memory header")).to_contain_text("Forgotten")
    expect(look.page.locator(".history")).to_contain_text("it was the red one")

    look.button("Erase").click()
    expect(look.dialog()).to_contain_text("memories")
    look.button("Cancel", within=look.dialog()).click()
    assert httpx2.post(f"{filled}/sdk/get", json={"memory_id": made}).status_code == 200

    look.button("Erase").click()
    look.button("Erase", within=look.dialog()).click()
    look.notice("Erased")
    assert httpx2.post(f"{filled}/sdk/get", json={"memory_id": made}).status_code == 404


def test_what_happens_meanwhile_appears_by_itself(look: Look, filled: str) -> None:
    look.open("overview")
    expect(look.page.locator(".live.on")).to_be_visible()
    httpx2.post(f"{filled}/sdk/robot.learn", json={"insight": "The kettle whistles at 96 degrees."})
    expect(look.page.locator(".feed")).to_contain_text("The kettle whistles at 96 degrees")


def test_a_fork_is_made_and_seen_in_the_tree(look: Look) -> None:
    look.open("chats/the-harbour")
    lanes = look.page.locator(".tree .lane")
    expect(lanes).to_have_count(3)
    third = look.page.locator(".turns > li").nth(2)
    third.get_by_role("button", name="Previous version").click()
    look.notice("Version 1 is active")

    look.page.locator(".turns > li").nth(1).get_by_role("button", name="Fork a branch here").click()
    look.dialog().get_by_label("Name of the branch").fill("by the mill")
    look.button("Fork", within=look.dialog()).click()
    expect(look.page.locator(".lane.chosen")).to_contain_text("by the mill")
    expect(lanes).to_have_count(4)
    expect(look.page.locator(".turns > li")).to_have_count(2)

    look.button("Delete branch").click()
    look.button("Delete", within=look.dialog()).click()
    expect(lanes).to_have_count(3)


def test_the_context_block_is_previewed_with_its_reasons(look: Look) -> None:
    look.open("chats/the-harbour")
    look.page.get_by_label("Next message").fill("Will there be thunder tonight?")
    look.page.get_by_label("Token budget").fill("40")
    look.button("Show").click()
    expect(look.page.locator(".block .count")).to_contain_text("of 40 tokens")
    expect(look.page.locator(".block pre")).to_contain_text("thunder")
    turn = look.page.locator(".turns > li").first
    turn.get_by_text("What was made of it").click()
    expect(turn.locator(".items")).to_contain_text("Mira")


def test_a_key_is_asked_for_kept_for_the_tab_and_never_in_an_address(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "keys.db"
    with mnemic.open(path, embedder="none") as memory:
        memory.robot.learn("The kettle whistles at 96 degrees.")
        _, key = memory.keys.create("a guest", right="read")
    with serving(path, MNEMIC_DURABILITY="off") as (_, address):
        look = look_at(browser, address)
        look.page.goto(f"{address}/#/memory/1")
        look.dialog().get_by_label("Key").fill(key)
        look.button("Use this key").click()
        look.notice("The key works")
        expect(look.page.locator(".memory")).to_contain_text("Your key may read only")
        expect(look.button("Erase")).to_have_count(0)
        look.page.reload()
        look.ready("memory")
        expect(look.page.locator(".memory")).to_contain_text("The kettle whistles")
        assert key not in look.page.url
        assert look.page.evaluate("JSON.stringify(localStorage)") == "{}"
        look.context.close()
    assert [fault for fault in look.faults if "401" not in fault] == []

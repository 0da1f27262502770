"""Promises of the pages about people, time, places, perceptions, relations, work and access."""

import json
import re

import httpx2
from playwright.sync_api import expect

from mnemic.cli.setup.clients import CLIENTS, http_entry
from tests.console.looking import Look


def test_a_person_reads_corrects_and_forgets_what_is_known(look: Look, filled: str) -> None:
    told = {"content": "I take the tram to work.", "memory_type": "core", "user_id": "dora"}
    httpx2.post(f"{filled}/tools/memory_add", json=told)
    look.open("people")
    look.page.get_by_label("Find a person").fill("dor")
    look.page.locator(".sessions").get_by_text("dora").click()
    expect(look.page.locator(".person .name")).to_contain_text("dora")
    fact = look.page.locator(".fact")
    expect(fact).to_contain_text("I take the tram to work.")

    look.button("Correct", within=fact).click()
    look.dialog().get_by_label("Text").fill("I take the night tram to work.")
    look.button("Save", within=look.dialog()).click()
    expect(fact).to_contain_text("night tram")

    look.button("Forget", within=fact).click()
    look.dialog().get_by_label("Why?").fill("she cycles")
    look.button("Forget", within=look.dialog()).click()
    expect(look.page.get_by_text("Nothing is known.")).to_be_visible()
    look.page.get_by_role("tab", name="What held before").click()
    expect(fact).to_contain_text("Forgotten")

    look.button("Erase all of it").click()
    expect(look.dialog()).to_contain_text("memories")
    look.button("Erase", within=look.dialog()).click()
    look.notice("Erased")
    scope = {"scope": {"kind": "user", "name": "dora"}, "status": None}
    assert httpx2.post(f"{filled}/sdk/browse", json=scope).json()["data"] == []


def test_what_is_sensitive_is_covered_and_an_answer_names_the_memories_it_used(look: Look) -> None:
    look.open("people/anna")
    facts = look.page.locator(".facts-list")
    expect(facts).to_contain_text("Sensitive. Show the text")
    assert "4417" not in facts.inner_text()
    facts.get_by_text("Sensitive. Show the text").click()
    expect(facts).to_contain_text("4417")

    look.page.get_by_label("Say or ask something").fill("What tea do I like?")
    look.page.keyboard.press("Enter")
    expect(look.page.locator(".talk .assistant .said")).to_contain_text("oolong")
    expect(look.page.locator(".talk .used")).to_contain_text("oolong tea")


def test_the_slider_shows_what_had_happened_and_what_was_known_then(look: Look) -> None:
    look.open("timeline")
    slider = look.page.get_by_label("The moment to look at")
    low = int(slider.get_attribute("min") or 0)
    # Into the first week, when the bicycle was not yet known of.
    moment = low + 5 * 86_400_000
    slider.evaluate(
        "(one, at) => { one.value = at; one.dispatchEvent(new Event('input')); }", moment
    )
    expect(look.page.locator(".when")).to_contain_text("As of")
    look.page.wait_for_selector(f".page[data-at='{moment}']")
    earlier = look.page.locator(".feed .row").first
    expect(earlier).to_contain_text("days ago")
    known = look.page.locator("section", has_text="What was known then").last
    known.get_by_label("Where").select_option("user:anna")
    known.get_by_label("Question").fill("half marathon in May")
    look.button("Search", within=known).click()
    expect(known.locator(".hit")).to_have_count(1)
    expect(known).not_to_contain_text("marathon")
    slider.evaluate("(one) => { one.value = one.max; one.dispatchEvent(new Event('input')); }")
    expect(known.locator(".hit").first).to_contain_text("half marathon")


def test_a_run_leads_to_its_places_and_to_what_was_felt(look: Look) -> None:
    look.open("timeline")
    look.page.locator(".run").nth(1).press("Enter")
    card = look.page.locator(".run-card")
    expect(card).to_contain_text("clear the table")

    card.get_by_text("Where it was").click()
    look.ready("places")
    expect(look.page.locator(".cloud[data-way='7']")).to_be_visible()
    look.page.go_back()
    look.ready("timeline")
    look.page.locator(".run-card").get_by_text("What was felt in this run").click()
    look.ready("perceptions")
    expect(look.page.locator(".sessions .row")).to_have_count(4)


def test_a_point_is_chosen_and_what_lies_within_a_radius_is_recalled(look: Look) -> None:
    look.open("places")
    canvas = look.page.locator(".cloud canvas")
    expect(canvas).to_have_attribute("data-points", "97")
    canvas.press("Enter")
    expect(look.page.locator(".map-side [data-memory]")).to_contain_text("At ")

    look.page.get_by_label("Radius").fill("0.2")
    look.page.locator(".map-side").get_by_label("Question").fill("grip force")
    look.button("Recall").click()
    expect(look.page.locator(".map-side .count")).to_contain_text("within the radius")
    expect(look.page.locator(".map-side .hit").first).to_be_visible()

    look.page.get_by_label("Colour by").fill("params.grip_force.value")
    look.page.get_by_label("Colour by").press("Enter")
    look.ready("places")
    expect(look.page.locator(".cloud .legend")).to_contain_text("params.grip_force.value")


def test_a_plot_is_zoomed_and_all_plots_follow(look: Look) -> None:
    look.open("perceptions")
    look.page.locator(".sessions").get_by_text("Force while").first.click()
    plots = look.page.locator(".plot svg")
    expect(plots).to_have_count(4)
    expect(plots.first).to_have_attribute("data-window", "0-200")

    plots.first.press("+")
    expect(plots.last).to_have_attribute("data-window", "50-150")
    box = plots.first.bounding_box()
    assert box is not None
    look.page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 40)
    look.page.mouse.down()
    look.page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 40)
    look.page.mouse.up()
    expect(plots.last).not_to_have_attribute("data-window", "50-150")
    look.button("Show all").click()
    expect(plots.last).to_have_attribute("data-window", "0-200")


def test_a_picture_is_shown(look: Look) -> None:
    look.open("perceptions")
    look.page.locator(".sessions").get_by_text("wrist camera").first.click()
    picture = look.page.locator(".picture")
    expect(picture).to_contain_text("96 × 64")
    painted = picture.locator("canvas").evaluate(
        "(one) => new Set(one.getContext('2d').getImageData(0, 0, one.width, one.height).data).size"
    )
    assert painted > 16


def test_the_graph_shows_what_relates_and_leads_on(look: Look) -> None:
    look.open("graph")
    nodes = look.page.locator(".node")
    expect(nodes.first).to_be_visible()
    look.open("graph/28")
    expect(nodes.nth(5)).to_be_visible()
    nodes.nth(1).press("Enter")
    look.page.get_by_text("Put it in the middle").click()
    look.page.get_by_label("How far").select_option("1")
    look.ready("graph")
    expect(look.page).to_have_url(re.compile(r"hops=1"))
    expect(look.page.locator(".edge").first).to_be_attached()


def test_a_job_that_was_called_off_is_tried_again(look: Look) -> None:
    look.open("jobs?status=cancelled")
    job = look.page.locator("[data-job]")
    expect(job).to_contain_text("night-train")
    look.button("Try again", within=job).click()
    look.notice("waits for its turn")
    look.open("jobs?status=succeeded")
    expect(look.page.locator(".jobs")).to_contain_text("night-train", timeout=20_000)


def test_a_key_is_made_shown_once_and_revoked(look: Look) -> None:
    look.open("keys")
    look.button("New key").first.click()
    look.dialog().get_by_label("Name").fill("dashboard")
    look.dialog().get_by_label("May").select_option("read")
    look.button("Make it", within=look.dialog()).click()
    text = look.dialog().get_by_label("Key").input_value()
    assert text.startswith("mnm_")
    look.button("I have kept it", within=look.dialog()).click()

    row = look.page.locator("tr", has_text="dashboard")
    expect(row).to_contain_text("never ends")
    assert text not in look.page.content()
    look.button("Revoke", within=row).click()
    look.button("Revoke", within=look.dialog()).click()
    expect(row).to_contain_text("revoked")


def test_the_snippets_are_those_of_mnemic_setup(look: Look) -> None:
    look.open("connect")
    look.page.get_by_label("with a key from MNEMIC_API_KEY").check()
    for client in CLIENTS.values():
        if client.url_key is None or client.format == "toml":
            continue
        look.page.get_by_role("tab", name=client.title).click()
        written = json.loads(look.page.locator(".snippet pre").inner_text())
        entry = http_entry(client, f"{look.server}/mcp", key_variable="MNEMIC_API_KEY")
        assert written == {client.container: {"mnemic": entry}}
    look.page.get_by_role("tab", name="Codex").click()
    expect(look.page.locator(".snippet pre")).to_contain_text("bearer_token_env_var")


def test_the_connection_is_tested_as_a_client_does(look: Look) -> None:
    look.open("connect?profile=robot")
    look.button("Test the connection").click()
    expect(look.page.locator(".checks li.fine")).to_have_count(3)
    expect(look.page.locator(".checks")).to_contain_text("tools: learn")


def test_a_search_is_held_in_some_scopes_and_to_a_time_and_shows_the_passage(look: Look) -> None:
    look.open("search")
    form = look.page.locator(".question")
    form.get_by_label("Where").select_option("user:anna")
    form.get_by_label("Where").select_option("collection:kitchen")
    look.button("Leave out Person · anna").click()
    form.get_by_label("Question").fill("open questions about finger pads and glass")
    look.button("Search", within=form).click()
    hit = look.page.locator(".hit", has_text="finger pads")
    expect(hit).to_be_visible()
    expect(look.page).to_have_url(re.compile("scope=collection%3Akitchen"))
    hit.locator("a.said").click()
    look.ready("memory")
    expect(look.page.locator(".memory mark")).to_contain_text("finger pads")

    look.find("finger pads", as_of="2020-01-01T00:00")
    expect(look.page.locator(".results")).to_contain_text("Nothing was found")

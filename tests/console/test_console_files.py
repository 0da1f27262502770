"""Promises of what the console is made of: small, in two languages, and safe by construction."""

import re
from pathlib import Path

import mnemic
from tests.dialects.chat_calling import Api

STATIC = Path(mnemic.__file__).parent / "console" / "static"
SCRIPTS = {
    path.relative_to(STATIC).as_posix(): path.read_text("utf-8") for path in STATIC.rglob("*.js")
}
_WORDS = re.compile(r'"([a-z_]+\.[a-z_. ]+)":')
_USED = re.compile(r'\bt\("([a-z_.]+)"')


def test_it_stays_under_a_megabyte() -> None:
    assert sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file()) < 1_000_000


def test_nothing_makes_markup_of_a_text_and_nothing_is_kept_beyond_the_tab() -> None:
    never = (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "localStorage",
        "eval(",
        "new Function",
        "DOMParser",
    )
    for name, text in SCRIPTS.items():
        assert [one for one in never if one in text] == [], name
        assert re.findall(r"https?://(?!www\.w3\.org)", text) == [], name


def test_both_languages_have_the_same_words_and_every_word_that_is_used() -> None:
    english, chinese = (
        _WORDS.findall(SCRIPTS[f"words/{name}.js"]) for name in ("english", "chinese")
    )
    used = {key for text in SCRIPTS.values() for key in _USED.findall(text)}

    assert english == chinese
    assert len(english) == len(set(english))
    assert used - set(english) == set()


def test_every_file_is_served_under_the_policy_and_needs_no_key() -> None:
    with mnemic.open(":memory:", embedder="none") as memory:
        api = Api(memory)
        for path in ("/", *(f"/console/{name}" for name in SCRIPTS), "/console/theme.css"):
            answer = api.send("GET", path)
            assert answer.status_code == 200, path
            policy = answer.headers["content-security-policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'")
            assert "unsafe" not in policy
        assert api.send("GET", "/console/../static_files.py").status_code == 404


def test_no_script_is_longer_than_a_reader_can_hold() -> None:
    assert {
        name: lines for name, text in SCRIPTS.items() if (lines := text.count("\n")) > 300
    } == {}

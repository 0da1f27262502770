"""Promises of `mnemic setup` about the language in which a server answers."""

from pathlib import Path

import pytest

from mnemic.cli.setup.clients import ClientName
from tests.cli.test_setup import NAMES, home, run, servers, told

__all__ = ["home"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("variables", "locale"),
    [
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_GB.UTF-8", "MNEMIC_LOCALE": "zh"}, "zh"),
        ({"LANG": "C.UTF-8"}, None),
        ({}, None),
    ],
)
def test_the_locale_is_written_as_this_machine_has_it(
    name: ClientName,
    variables: dict[str, str],
    locale: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)

    path = Path(told(name, "--write")["path"])

    assert servers(name, path)["mnemic"].get("env", {}).get("MNEMIC_LOCALE") == locale


def test_a_locale_that_is_named_is_written_and_one_that_a_user_chose_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    path = Path(told("cursor", "--write", "--locale", "zh")["path"])
    told("cursor", "--write")
    kept = servers("cursor", path)["mnemic"]["env"]
    wrong = run("cursor", "--locale", "fr")

    assert kept == {"MNEMIC_LOCALE": "zh"}
    assert wrong.exit_code == 2
    assert "zh, en" in wrong.output

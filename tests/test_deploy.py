"""Promises of the files in deploy/: no root, no compiler, and only options that there are.

They are read, not run: Docker is not needed, and systemd only for its own check.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from mnemic.cli.command_line import app

DEPLOY = Path(__file__).parent.parent / "deploy"
UNITS = ["mnemic.service", "mnemic-worker.service"]
COMPILERS = ("gcc", "g++", "clang", "build-essential", "make", "cargo", "rustc", "apt-get")


def instructions() -> list[tuple[str, str]]:
    """Return the Dockerfile's instructions with their arguments, each on one line."""
    text = re.sub(r"^\s*#.*\n", "", (DEPLOY / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    parts = (line.partition(" ") for line in lines if line.strip())
    return [(name.upper(), words.strip()) for name, _, words in parts]


def last_stage() -> list[tuple[str, str]]:
    found = instructions()
    begins = [at for at, (name, _) in enumerate(found) if name == "FROM"]
    assert len(begins) == 2
    return found[begins[-1] :]


def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def unit(name: str) -> list[tuple[str, str]]:
    lines = (DEPLOY / "systemd" / name).read_text("utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
    return [(key, value) for key, _, value in pairs]


def commands() -> Iterator[list[str]]:
    """Return every command of mnemic that a file in deploy/ runs, without its first word."""
    yield json.loads(dict(last_stage())["CMD"])
    for service in compose()["services"].values():
        if service["image"] == "mnemic":
            yield service["command"]
    for name in UNITS:
        _, *words = shlex.split(dict(unit(name))["ExecStart"])
        yield words


def test_every_command_and_option_is_one_that_mnemic_has() -> None:
    known: Any = typer.main.get_command(app)
    found = list(commands())

    assert {words[0] for words in found} == {"serve", "worker", "migrate"}
    for words in found:
        params = known.commands[words[0]].params
        options = {option for one in params for option in (*one.opts, *one.secondary_opts)}
        assert {word for word in words if word.startswith("--")} <= options, words


def test_the_image_runs_without_root_and_without_a_compiler() -> None:
    stage = last_stage()
    said = dict(stage)
    names = [name for name, _ in stage]

    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", said["USER"])
    assert names.index("USER") < names.index("CMD")
    assert not [words for _, words in stage for one in COMPILERS if one in shlex.split(words)]
    assert "pip" not in " ".join(words for name, words in stage if name == "RUN")
    assert said["STOPSIGNAL"] == "SIGTERM"
    assert said["VOLUME"] == '["/data"]'
    assert "MNEMIC_DATABASE=/data/memory.db" in said["ENV"]
    # The embedder's table is kept in the cache of whoever runs it, and nothing else can be written.
    assert "HOME=/data" in said["ENV"].split()
    assert json.loads(said["ENTRYPOINT"]) == ["mnemic"]


def test_the_image_installs_wheels_only_and_copies_what_is_there() -> None:
    root = DEPLOY.parent
    [built] = [words for name, words in instructions() if name == "RUN" and "pip install" in words]
    copied = [
        source
        for name, words in instructions()
        if name == "COPY" and "--from" not in words
        for source in words.split()[:-1]
    ]

    assert "--only-binary :all:" in built
    assert copied
    assert all((root / source).exists() for source in copied)
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    assert {f"!{source}" for source in copied} <= set(ignored)


def test_the_health_check_is_python_that_compiles() -> None:
    check = dict(last_stage())["HEALTHCHECK"]
    python, option, code = json.loads(check.partition("CMD")[2])

    assert (python, option) == ("python", "-c")
    compile(code, "healthcheck", "exec")
    assert "'127.0.0.1', 7077" in code
    assert "/health/ready" in code


def test_the_health_check_tells_a_server_that_is_ready_from_one_that_is_not(
    chat_server: str,
) -> None:
    code = json.loads(dict(last_stage())["HEALTHCHECK"].partition("CMD")[2])[2]
    port = chat_server.rpartition(":")[2]
    # Docker puts the proxies of its own settings into every container.
    proxies = {"HTTP_PROXY": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}

    def asked(check: str) -> int:
        run = [sys.executable, "-c", check]
        return subprocess.run(run, env=proxies, capture_output=True, check=False).returncode

    assert asked(code.replace("7077", port)) == 0
    assert asked(code.replace("7077", port).replace("/health/ready", "/nowhere")) == 1
    assert asked(code.replace("7077", "9")) == 1


def test_the_database_of_compose_is_not_taken_for_ready_while_it_is_being_made() -> None:
    check = compose()["services"]["db"]["healthcheck"]["test"]

    # The image makes a new database with a server that answers on its socket only, then restarts.
    assert check[check.index("--host") + 1] == "127.0.0.1"


def test_compose_tells_no_password_and_opens_no_port_to_others() -> None:
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    services = compose()["services"]

    assert not re.findall(r"(?i)password:? *[\"']?[a-z0-9]+[\"']?$", text, flags=re.MULTILINE)
    for service in services.values():
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
    ours = [service for service in services.values() if service["image"] == "mnemic"]
    assert all(service["read_only"] and service["cap_drop"] == ["ALL"] for service in ours)
    # As process 1 a program that is still starting would not notice that it is to stop.
    assert all(service["init"] for service in ours)
    # Only the job that makes the tables is their owner.
    owners = [one for one in ours if "mnemic_owner" in one["environment"]["MNEMIC_DATABASE"]]
    assert [one["command"][0] for one in owners] == ["migrate"]


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_is_confined_and_ends_in_order(name: str) -> None:
    said = dict(unit(name))

    for key in ("DynamicUser", "NoNewPrivileges", "ProtectHome", "PrivateTmp"):
        assert said[key] == "yes"
    assert said["ProtectSystem"] == "strict"
    assert said["StateDirectory"] == "mnemic"
    # A dynamic user has no home folder, and so no cache but this one.
    assert said["CacheDirectory"] == "mnemic"
    assert ("Environment", "XDG_CACHE_HOME=/var/cache") in unit(name)
    assert said["CapabilityBoundingSet"] == ""
    assert said["Restart"] == "on-failure"
    assert said["KillSignal"] == "SIGTERM"
    # A server gives requests thirty seconds, and it and a worker give jobs ten.
    assert int(said["TimeoutStopSec"]) > (10 if "worker" in name else 40)
    assert said["EnvironmentFile"].startswith("-/etc/")


def test_the_units_differ_only_in_what_they_run_and_how_long_it_may_take_to_end() -> None:
    own = ("ExecStart", "Description", "TimeoutStopSec")
    both = [[(key, value) for key, value in unit(name) if key not in own] for name in UNITS]

    assert both[0] == both[1]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_nothing_wrong(name: str, tmp_path: Path) -> None:
    text = (DEPLOY / "systemd" / name).read_text("utf-8")
    (tmp_path / name).write_text(text.replace("/opt/mnemic/bin/mnemic", "/bin/true"))

    run = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=False,
    )

    # A machine may have no such targets; what is said of the unit itself counts.
    assert [line for line in run.stderr.splitlines() if name in line] == []

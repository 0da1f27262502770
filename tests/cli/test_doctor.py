"""Promises of `mnemic doctor`: it tells what is wrong and how to mend it, and changes nothing."""

import json
import socket
import sqlite3
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import mnemic
from mnemic.cli.command_line import app
from mnemic.storage.sqlite.connection import schema_versions
from mnemic.storage.sqlite.schema_objects import migrations
from tests.postgres import Server


@pytest.fixture(autouse=True)
def surroundings(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_EMBEDDER", "hashing")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with mnemic.open(path) as memory:
        memory.robot.learn("Keep left", collection="roads")
    return path


def checked(*words: str, code: int = 0) -> dict[str, dict[str, Any]]:
    """Run the doctor; return its checks by name."""
    result = CliRunner().invoke(app, ["doctor", "--json", *words])
    assert result.exit_code == code, result.output
    checks = json.loads(result.stdout)["checks"]
    assert all(set(one) == {"name", "status", "found", "mend"} for one in checks)
    assert all((one["status"] == "ok") == (one["mend"] is None) for one in checks)
    return {one["name"]: one for one in checks}


@pytest.fixture
def language_model(request: pytest.FixtureRequest) -> Iterator[tuple[str, list[str]]]:
    """A server that answers every request with a status and a text, and notes what was asked."""
    status, text = request.param
    asked: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            del format, args

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        thread.join()


def test_a_fresh_installation_is_well_and_nothing_is_made(tmp_path: Path) -> None:
    found = checked()

    assert {"version", "packages", "store", "folder", "disk", "embedder", "llm", "port"} <= set(
        found
    )
    assert found["packages"]["status"] == "ok"
    assert found["store"]["status"] == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_store_is_looked_into(store: Path) -> None:
    store.parent.chmod(0o700)

    found = checked()

    assert {found[name]["status"] for name in ("store", "integrity", "schema", "vectors")} == {"ok"}
    assert found["permissions"]["status"] == "ok"
    assert "roads: 1" in found["memories"]["found"]


def test_memories_without_vectors_are_told(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with mnemic.open(store, embedder="none") as memory:
        memory.robot.learn("Never run on ice")

    found = checked()

    assert found["vectors"]["status"] == "warning"
    assert "mnemic reindex" in found["vectors"]["mend"]
    monkeypatch.setenv("MNEMIC_EMBEDDER", "none")
    assert "vectors" not in checked()


def test_a_folder_that_mnemic_makes_is_for_its_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new" / "memory.db"
    monkeypatch.setenv("MNEMIC_DATABASE", str(path))
    mnemic.open(path).close()

    assert checked()["permissions"]["status"] == "ok"


def test_a_store_that_others_can_read_is_a_warning(store: Path) -> None:
    store.chmod(0o644)
    kept = store.with_name(f"{store.name}.before-schema-5")
    kept.touch(mode=0o640)

    found = checked()["permissions"]

    assert found["status"] == "warning"
    assert "memory.db 644" in found["found"]
    assert f"chmod 600 {store} " in found["mend"]
    assert f" {kept}`" in found["mend"]
    for file in store.parent.iterdir():
        file.chmod(0o600)
    assert checked()["permissions"]["status"] == "ok"


def test_a_file_that_is_no_store_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_text("not a database, but long enough to be read as one" * 40)

    found = checked(code=1)

    assert found["store"]["status"] == "problem"
    assert "not a Mnemic database" in found["store"]["found"]


def test_a_damaged_store_is_a_problem(store: Path) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
        connection.execute("pragma writable_schema = on")
        connection.execute("update sqlite_schema set rootpage = 2 where name = 'event_by_memory'")
    connection.close()

    found = checked(code=1)

    assert found["integrity"]["status"] == "problem"
    assert "mnemic restore" in found["integrity"]["mend"]


@pytest.mark.parametrize("schema", [0, schema_versions()])
def test_a_store_of_another_program_is_a_problem(schema: int, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "memory.db") as connection:
        connection.execute("create table memory (mine)")
        connection.execute(f"pragma user_version = {schema}")
    connection.close()

    found = checked(code=1)

    assert "another program" in found["store"]["found"]
    assert "MNEMIC_DATABASE" in found["store"]["mend"]


def test_an_empty_file_can_become_a_store(tmp_path: Path) -> None:
    (tmp_path / "memory.db").touch()

    assert "becomes a store" in checked()["schema"]["found"]


@pytest.mark.parametrize(
    ("variable", "value", "name"),
    [
        ("MNEMIC_EMBEDDER", "word2vec", "embedder"),
        ("MNEMIC_EMBEDDER", "fastembed", "embedder"),
        ("MNEMIC_LLM_URL", "nonsense", "llm"),
    ],
)
def test_a_model_that_does_not_exist_is_one_problem_among_the_checks(
    variable: str, value: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)

    found = checked(code=1)

    assert variable in found[name]["found"]
    assert found["store"]["status"] == "ok"
    assert [one for one in found if found[one]["status"] == "problem"] == [name]


def test_the_port_is_the_one_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_PORT", "7099")

    assert "7099" in checked("--offline")["port"]["found"]
    assert "7098" in checked("--offline", "--port", "7098")["port"]["found"]


@pytest.mark.parametrize(("schema", "status", "code"), [(1, "warning", 0), (999, "problem", 1)])
def test_another_schema_is_told_and_left_alone(
    schema: int, status: str, code: int, store: Path
) -> None:
    if schema == 1:
        store.unlink()
    with sqlite3.connect(store) as connection:
        if schema == 1:
            connection.executescript(migrations()[0])
        connection.execute(f"pragma user_version = {schema}")
    connection.close()

    found = checked(code=code)

    assert found["schema"]["status"] == status
    with sqlite3.connect(store) as connection:
        assert connection.execute("pragma user_version").fetchone() == (schema,)
    connection.close()


def test_a_place_where_nothing_can_be_made_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_DATABASE", "/dev/null/memory.db")

    assert checked(code=1)["folder"]["status"] == "problem"


def test_a_remote_embedder_is_asked_unless_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_EMBEDDER", "ollama:none")
    monkeypatch.setenv("MNEMIC_EMBEDDER_URL", "http://127.0.0.1:9")

    assert "not asked" in checked("--offline")["embedder"]["found"]
    assert checked(code=1)["embedder"]["status"] == "problem"


@pytest.mark.parametrize(
    ("language_model", "status", "told"),
    [
        ((200, '{"data": [{"id": "qwen3:8b"}]}'), "ok", "it answers"),
        ((200, '{"data": [{"id": "qwen3:latest"}]}'), "warning", "no such model"),
        ((200, "hello"), "ok", "it answers"),
        ((404, ""), "warning", "answers 404"),
        ((401, "sk-secret"), "problem", "refuses the key"),
    ],
    indirect=["language_model"],
)
def test_a_language_model_is_asked_for_its_models_only(
    language_model: tuple[str, list[str]],
    status: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url, asked = language_model
    monkeypatch.setenv("MNEMIC_LLM_URL", url)
    monkeypatch.setenv("MNEMIC_LLM_MODEL", "qwen3:8b")
    monkeypatch.setenv("MNEMIC_LLM_API_KEY", "sk-secret")

    assert "not asked" in checked("--offline")["llm"]["found"]
    assert asked == []
    found = checked(code=1 if status == "problem" else 0)["llm"]

    assert found["status"] == status
    assert told in found["found"]
    assert "sk-secret" not in str(found)
    assert asked == ["/v1/models"]


def test_a_language_model_that_is_not_there_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMIC_LLM_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("MNEMIC_LLM_MODEL", "qwen3:8b")

    assert "MNEMIC_LLM_URL" in checked(code=1)["llm"]["mend"]


@pytest.mark.parametrize("language_model", [(200, '{"status": "ok"}'), (200, "?")], indirect=True)
def test_a_port_is_free_or_used_by_mnemic_or_by_another(
    language_model: tuple[str, list[str]], request: pytest.FixtureRequest
) -> None:
    url, asked = language_model
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    used = checked("--port", url.rpartition(":")[2])["port"]

    assert "free" in checked("--port", str(port))["port"]["found"]
    assert asked == ["/health/live"]
    ours = request.node.callspec.params["language_model"][1] != "?"
    assert used["status"] == ("ok" if ours else "warning")


def test_people_read_how_to_mend_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "All is well." in CliRunner().invoke(app, ["doctor"]).stdout
    monkeypatch.setenv("MNEMIC_DATABASE", "/dev/null/memory.db")

    result = CliRunner().invoke(app, ["doctor"])

    assert result.exit_code == 1
    assert "→ name another with MNEMIC_DATABASE" in result.stdout
    assert "1 problem to mend" in result.stdout


def test_postgresql_is_checked_as_its_role_sees_it(
    postgres: Server, postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = postgres_database.partition("@/")[2].partition("?")[0]
    monkeypatch.setenv("MNEMIC_DATABASE", postgres_database)
    may = checked()
    postgres.run("create role guest login")
    postgres.run("create role reader login")
    postgres.run("grant select on mnemic_schema to reader", name)
    monkeypatch.setenv("MNEMIC_DATABASE", postgres_database.replace("app@", "guest@"))
    stranger = checked(code=1)
    monkeypatch.setenv("MNEMIC_DATABASE", postgres_database.replace("app@", "reader@"))
    may_not = checked(code=1)
    monkeypatch.setenv("MNEMIC_DATABASE", "postgresql://app@127.0.0.1:9/none")
    nobody = checked(code=1)

    assert {may[name]["status"] for name in ("postgresql", "pgvector", "permissions")} == {"ok"}
    assert "may not read the tables" in stranger["postgresql"]["found"]
    assert "--app-role" in may_not["permissions"]["mend"]
    assert nobody["postgresql"]["status"] == "problem"

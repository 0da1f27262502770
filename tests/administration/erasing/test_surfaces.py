"""Promises of erasing over REST, as tools and through a client: the same verb, everywhere."""

import anyio
import pytest

import mnemic
from mnemic.errors import InvalidInputError
from mnemic.opening import OpenMemory
from mnemic.records.erasure import Erasure
from mnemic.server.access.rights import needed
from tests.administration.erasing.test_erasing import ADA, converse, learned
from tests.dialects.calling import add, done, refused
from tests.dialects.chat_calling import Api


def test_rest_erases_and_lists_receipts(memory: OpenMemory) -> None:
    api = Api(memory)
    number = learned(memory, "The valve leaks")
    learned(memory, "I like tea", scope=ADA)
    converse(memory, "My sister lives in Bern.")

    looked = api.send("POST", "/erase/memory", {"name": str(number), "dry_run": True}).json()
    erased = [
        api.send("POST", f"/erase/{kind}", body)
        for kind, body in (
            ("memory", {"name": str(number)}),
            ("conversation", {"name": "c-1", "user_id": "ada"}),
            ("user", {"name": "ada"}),
        )
    ]
    listed = api.send("GET", "/erasures").json()

    assert looked["data"]["id"] == ""
    assert [one.status_code for one in erased] == [200, 200, 200]
    assert looked["data"]["counts"] == erased[0].json()["data"]["counts"]
    assert {one["kind"] for one in listed["data"]} == {"user", "conversation", "memory"}
    assert listed["meta"]["total"] == 3
    assert memory.profile(ADA) is None
    assert "ada" not in str(listed)


def test_rest_names_what_is_not_there_and_what_is_no_kind(memory: OpenMemory) -> None:
    api = Api(memory)

    assert api.send("POST", "/erase/user", {"name": "nobody"}).status_code == 404
    assert api.send("POST", "/erase/account", {"name": "nobody"}).status_code == 404
    assert api.send("POST", "/erase/everything", {"name": "x"}).status_code == 400
    assert api.send("POST", "/erase/user", {}).status_code == 400


def test_a_whole_account_needs_the_right_of_an_administrator() -> None:
    assert needed("POST", "/erase/account") == "admin"
    assert needed("POST", "/erase/user") == "write"
    assert needed("GET", "/erasures") == "read"


def test_the_assistants_tool_erases_a_memory_a_conversation_or_a_user(memory: OpenMemory) -> None:
    name = add(memory, "I like tea", user_id="ada")
    done(memory, "memory_delete", memory_id=name, user_id="ada")
    converse(memory, "My sister lives in Bern.")
    converse(memory, "I have two bicycles.", conversation="c-2")

    looked = done(memory, "memory_erase", memory_id=name, user_id="ada", dry_run=True)
    gone = done(memory, "memory_erase", memory_id=name, user_id="ada")
    talk = done(memory, "memory_erase", conversation_id="c-1", user_id="ada")

    assert (looked["erased"], gone["erased"]) == (False, True)
    assert looked["counts"] == gone["counts"]
    assert talk["counts"]["conversations"] == 1
    assert refused(memory, "memory_erase", memory_id=name, user_id="ada")["code"] == "NOT_FOUND"
    assert done(memory, "memory_erase", everything=True, user_id="ada")["finished"] is True
    assert memory.profile(ADA) is None


@pytest.mark.parametrize("given", [{}, {"memory_id": "mem_1", "everything": True}])
def test_the_assistants_tool_wants_to_know_which(
    memory: OpenMemory, given: dict[str, object]
) -> None:
    assert refused(memory, "memory_erase", **given)["code"] == "INVALID_PARAMETER"


def test_a_user_cannot_erase_the_memory_of_another(memory: OpenMemory) -> None:
    name = add(memory, "I like tea", user_id="ada")

    assert refused(memory, "memory_erase", memory_id=name, user_id="ben")["code"] == "NOT_FOUND"
    assert done(memory, "memory_list", user_id="ada")["total"] == 1


def test_the_robots_tool_erases_a_memory_or_a_collection(memory: OpenMemory) -> None:
    robot = memory.robot
    number = robot.learn("The valve leaks", collection="hall").get("memory_id", 0)
    robot.learn("Mind the step", collection="hall")

    assert robot.erase(number, dry_run=True)["status"] == "would_erase"
    assert robot.erase(number)["counts"]["memories"] == 1
    assert len(robot.list("hall", status="all")) == 1
    assert robot.erase(collection="hall")["status"] == "erased"
    assert robot.list("hall", status="all") == []
    with pytest.raises(InvalidInputError, match="memory_id"):
        robot.erase()
    with pytest.raises(InvalidInputError, match="memory_id"):
        robot.erase(number, "hall")


def test_clients_erase_as_an_open_memory_does(chat_server: str) -> None:
    ada = mnemic.Scope("user", "ada of the clients")

    async def erase() -> Erasure:
        async with mnemic.AsyncClient(chat_server) as client:
            await client.remember(mnemic.Draft("I like coffee", scope=ada))
            return await client.erase("user", ada.name)

    with mnemic.Client(chat_server) as client:
        client.remember(mnemic.Draft("I like tea", scope=ada))
        looked = client.erase("user", ada.name, dry_run=True)
        receipt = client.erase("user", ada.name)
        again = anyio.run(erase)

        assert looked.counts == receipt.counts
        assert receipt.finished_at is not None
        assert client.profile(ada) is None
        assert [one for one in client.erasures() if one in (receipt, again)] == [receipt, again]

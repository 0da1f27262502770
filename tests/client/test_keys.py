"""Promises of a client with a key: it does what the key allows, in the key's account."""

import pytest
from fastapi import FastAPI

from mnemic import Draft, NotFoundError, OpenMemory, Scope
from mnemic.errors import AuthError, BusyError
from mnemic.records.access_key import Right
from mnemic.records.conversation import Line
from tests.client.connecting import client_of
from tests.server.visiting import guarded


@pytest.fixture
def app(small: OpenMemory) -> FastAPI:
    return guarded(small)


def key_of(memory: OpenMemory, account: str = "default", right: Right = "write") -> str:
    return memory.keys.create("a program", account=account, right=right)[1]


def test_only_who_has_a_key_is_let_in(small: OpenMemory, app: FastAPI) -> None:
    with client_of(small, app=app) as client, pytest.raises(AuthError, match="A key is needed"):
        client.count()
    with client_of(small, app=app, key="mk_wrong") as client, pytest.raises(AuthError) as told:
        client.robot.recall("mug")
    assert "mk_wrong" not in str(told.value)


def test_a_key_allows_what_its_right_includes(small: OpenMemory, app: FastAPI) -> None:
    with client_of(small, app=app, key=key_of(small, right="read")) as client:
        assert client.robot.recall("mug")["total"] == 0
        assert client.assistant.call("memory_search", {"query": "tea"})["success"]
        with pytest.raises(AuthError, match=r"robot\.learn.* needs the right write"):
            client.robot.learn("12 N holds a mug")
        with pytest.raises(AuthError, match="needs the right write"):
            client.assistant.call("memory_add", {"content": "I like tea"})
    with client_of(small, app=app, key=key_of(small, right="write")) as client:
        assert client.robot.learn("12 N holds a mug")["status"] == "created"
        with pytest.raises(AuthError, match="needs the right admin"):
            client.chat.maintain_all()
    with client_of(small, app=app, key=key_of(small, right="admin")) as client:
        assert client.chat.maintain_all() == 0
    assert small.count() == 1


def test_the_memories_of_another_account_are_not_there(small: OpenMemory, app: FastAPI) -> None:
    number = small.remember(Draft("12 N holds a mug")).memory.id
    small.chat.create_session("tea")
    small.chat.add_turn("tea", [Line("user", "I have a cat called Momo.")], mode="sync")

    with client_of(small, app=app, key=key_of(small, "neighbour", "admin")) as client:
        with pytest.raises(NotFoundError):
            client.get(number)
        with pytest.raises(NotFoundError):
            client.robot.forget(number, "it is not mine")
        with pytest.raises(NotFoundError):
            client.chat.session("tea")
        assert client.robot.recall("mug")["total"] == client.count() == 0
        assert client.chat.sessions().total == client.chat.scope_states().total == 0
        assert client.newest() == []
        assert client.profile(Scope("collection", "default")) is None


def test_a_key_that_comes_too_often_is_told_when_to_come_back(small: OpenMemory) -> None:
    pauses: list[float] = []
    app = guarded(small, requests_per_minute=6)
    with client_of(small, app=app, key=key_of(small), sleep=pauses.append) as client:
        assert client.count() == 0
        with pytest.raises(BusyError, match="too many requests"):
            client.count()
    assert pauses == [10.0, 10.0]

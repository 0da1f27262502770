"""Promises of sessions, branches and turns: what was said, in which line, in which version."""

import pytest

from mnemic.engine.chat_verbs import ChatMemory
from mnemic.errors import ConflictError, InvalidInputError, NotFoundError, StateError
from mnemic.opening import OpenMemory
from mnemic.records.conversation import ContextQuery, JobFilter, Line, branch_scope
from tests.chat.chatting import floors_of, items_in, said, texts_in, work
from tests.conftest import Clock

ODD = '他说："it\'s a / b\\c"%_?#&+ ' + "长" * 150


@pytest.fixture
def chat(memory: OpenMemory) -> ChatMemory:
    return memory.chat


def say(chat: ChatMemory, clock: Clock, session: str, *texts: str, branch: str = "main") -> None:
    for text in texts:
        clock.turn(seconds=1)
        chat.add_turn(session, said(text, "Noted."), branch_id=branch)
    work(chat)


def heard(chat: ChatMemory, session: str, branch: str = "main") -> list[tuple[int, str]]:
    return [(one.number, one.lines[0].content) for one in floors_of(chat, session, branch)]


@pytest.mark.parametrize("name", ["s", ODD, "x" * 200])
def test_a_session_takes_the_id_of_the_app(chat: ChatMemory, name: str) -> None:
    made = chat.create_session(name)

    assert (made.id, made.branches, made.floors) == (name, 1, 0)
    assert chat.session(name) == made
    assert [one.id for one in chat.branches(name).rows] == ["main"]
    with pytest.raises(ConflictError):
        chat.create_session(name)
    assert chat.sessions().total == 1


def test_a_session_gets_an_id_where_none_is_given(chat: ChatMemory) -> None:
    assert len(chat.create_session().id) == 21


@pytest.mark.parametrize("name", ["", "x" * 201, "half \ud83d", "\0"])
def test_what_cannot_be_an_id_is_refused(chat: ChatMemory, name: str) -> None:
    with pytest.raises(InvalidInputError):
        chat.create_session(name)
    chat.create_session("s")
    with pytest.raises(InvalidInputError):
        chat.create_branch("s", name)


def test_what_is_not_there_is_not_found(chat: ChatMemory) -> None:
    every = [
        lambda: chat.session("s"),
        lambda: chat.delete_session("s"),
        lambda: chat.branches("s"),
        lambda: chat.create_branch("s", "if"),
        lambda: chat.delete_branch("s", "if"),
        lambda: chat.add_turn("s", said("Hi")),
        lambda: chat.turns("s"),
        lambda: chat.turn("s", "f"),
        lambda: chat.change_turn("s", "f", lines=said("Hi")),
        lambda: chat.delete_turn("s", "f"),
        lambda: chat.context(ContextQuery(session_id="s")),
    ]
    for verb in every:
        with pytest.raises(NotFoundError):
            verb()
    chat.create_session("s")
    for verb in (every[4], *every[7:10]):
        with pytest.raises(NotFoundError):
            verb()
    with pytest.raises(NotFoundError):
        chat.add_turn("s", said("Hi"), branch_id="if")
    with pytest.raises(NotFoundError):
        chat.create_branch("s", "then", from_branch="if")


def test_a_turn_is_found_in_its_own_session_only(chat: ChatMemory) -> None:
    chat.create_session("s")
    chat.create_session("t")
    floor, _ = chat.add_turn("s", said("Hi"))

    for verb in (
        lambda: chat.turn("t", floor.id),
        lambda: chat.change_turn("t", floor.id, lines=said("Ho")),
        lambda: chat.delete_turn("t", floor.id),
    ):
        with pytest.raises(NotFoundError):
            verb()


def test_messages_come_back_as_they_were_said(chat: ChatMemory) -> None:
    lines = [
        Line("system", "You are a pirate.", None, "m-0"),
        Line("user", " 你好 \n", "小雨 🦜", "m'1\""),
        Line("tool", '{"depth": 3}', "sonar", "m/2"),
        Line("assistant", "Ahoy!", "Captain", "m-3"),
    ]
    chat.create_session("s")

    floor, _ = chat.add_turn("s", lines)

    assert list(floor.lines) == lines
    assert chat.turn("s", floor.id) == floor
    assert chat.turns("s").rows == (floor,)


@pytest.mark.parametrize(
    "lines", [[], [Line("user", "")], [Line("user", "x", "")], [*said("x") * 101]]
)
def test_turns_that_say_nothing_or_too_much_are_refused(
    chat: ChatMemory, lines: list[Line]
) -> None:
    chat.create_session("s")

    with pytest.raises(InvalidInputError):
        chat.add_turn("s", lines)
    assert chat.turns("s").total == 0


def test_the_main_branch_is_protected(chat: ChatMemory, clock: Clock) -> None:
    chat.create_session("s")
    say(chat, clock, "s", "I live in Oslo.")

    with pytest.raises(StateError) as refused:
        chat.delete_branch("s", "main")

    assert refused.value.code == "protected_branch"
    assert texts_in(chat, branch_scope("s", "main"), type="fact") == ["user.home: Oslo"]


def test_a_fork_begins_at_a_floor_of_its_trunk(chat: ChatMemory, clock: Clock) -> None:
    chat.create_session("s")
    with pytest.raises(InvalidInputError):
        chat.create_branch("s", "early", at_floor_no=0)
    say(chat, clock, "s", "一", "二", "三")

    for number in (-2, 3):
        with pytest.raises(InvalidInputError):
            chat.create_branch("s", "if", at_floor_no=number)
    made = chat.create_branch("s", "if", at_floor_no=1)
    whole = chat.create_branch("s", "whole")
    assert chat.create_branch("s", "none", at_floor_no=-1).floors == 0
    with pytest.raises(ConflictError):
        chat.create_branch("s", "if")

    assert (made.parent, made.forked_at, made.floors) == ("main", 1, 2)
    assert (whole.forked_at, whole.floors) == (2, 3)
    say(chat, clock, "s", "四", branch="if")
    assert heard(chat, "s", "if") == [(0, "一"), (1, "二"), (2, "四")]
    assert heard(chat, "s") == [(0, "一"), (1, "二"), (2, "三")]


def test_a_fork_of_a_session_without_turns_starts_empty(chat: ChatMemory, clock: Clock) -> None:
    chat.create_session("s")
    chat.create_branch("s", "if")

    say(chat, clock, "s", "I live in Oslo.", branch="if")

    assert heard(chat, "s") == []
    assert items_in(chat, branch_scope("s", "main")) == []


def test_deep_forks_share_what_was_before_each_of_them(chat: ChatMemory, clock: Clock) -> None:
    chat.create_session("s")
    say(chat, clock, "s", "I live in Oslo.")
    parent = "main"
    for depth in range(12):
        name = f"{depth}/" + "深" * depth
        chat.create_branch("s", name, from_branch=parent)
        say(chat, clock, "s", f"My cat is called Cat{depth}.", branch=name)
        parent = name
    first = floors_of(chat, "s")[0]

    chat.change_turn("s", first.id, lines=said("I live in Porto.", "Noted."))
    work(chat)

    scope = branch_scope("s", parent)
    assert texts_in(chat, scope, fact_key="user.home") == ["user.home: Porto"]
    cats = texts_in(chat, scope, fact_key="user.pet.cat.name", status="active")
    assert cats == ["user.pet.cat.name: Cat11"]
    assert len(heard(chat, "s", parent)) == 13


def test_floors_keep_their_numbers_when_others_go(chat: ChatMemory, clock: Clock) -> None:
    chat.create_session("s")
    say(chat, clock, "s", "一", "二", "三")
    chat.create_branch("s", "if", at_floor_no=1)
    _, second, third = floors_of(chat, "s")

    chat.delete_turn("s", second.id)
    assert heard(chat, "s") == [(0, "一"), (2, "三")]
    assert heard(chat, "s", "if") == [(0, "一")]
    say(chat, clock, "s", "四")
    assert heard(chat, "s")[-1] == (3, "四")

    chat.delete_turn("s", floors_of(chat, "s")[-1].id)
    chat.delete_turn("s", third.id)
    say(chat, clock, "s", "五")
    assert heard(chat, "s") == [(0, "一"), (1, "五")]
    [state] = chat.scope_states(scope_name=branch_scope("s", "main").name).rows
    assert state.last_processed_floor == 1


def test_the_same_key_adds_a_turn_once(chat: ChatMemory) -> None:
    chat.create_session("s")
    chat.create_session("t")

    first = chat.add_turn("s", said("Hi", "Ho"), idempotency_key="k")
    again = chat.add_turn("s", said("Hi", "Ho"), idempotency_key="k")

    assert again == first
    assert chat.turns("s").total == 1
    assert chat.jobs(JobFilter()).total == 1
    with pytest.raises(ConflictError) as refused:
        chat.add_turn("s", said("Other"), idempotency_key="k")
    assert refused.value.code == "idempotency_conflict"
    chat.add_turn("t", said("Other"), idempotency_key="k")
    work(chat)
    floor, ingest = chat.add_turn("s", said("Hi", "Ho"), idempotency_key="k")
    assert (floor.id, ingest.status) == (first[0].id, "succeeded")


def test_a_key_is_told_from_another_turn_after_a_swipe_too(chat: ChatMemory) -> None:
    chat.create_session("s")
    first, _ = chat.add_turn("s", said("Hi"), idempotency_key="k")
    chat.change_turn("s", first.id, lines=said("Ho"))

    again, _ = chat.add_turn("s", said("Hi"), idempotency_key="k")
    assert (again.id, again.version) == (first.id, 1)
    with pytest.raises(ConflictError):
        chat.add_turn("s", said("Other"), idempotency_key="k")


def test_a_turn_has_versions_and_one_is_active(chat: ChatMemory, clock: Clock) -> None:
    chat.create_session("s")
    say(chat, clock, "s", "I live in Oslo.")
    [floor] = floors_of(chat, "s")

    for number in range(20):
        clock.turn(seconds=1)
        text = f"I live in Town{number}."
        floor, _ = chat.change_turn("s", floor.id, lines=said(text), mode="sync")
        home = [f"user.home: Town{number}"]
        assert texts_in(chat, branch_scope("s", "main"), type="fact") == home

    assert (floor.version, floor.versions) == (20, 21)
    back, ingest = chat.change_turn("s", floor.id, version=0)
    assert (back.version, back.lines[0].content) == (0, "I live in Oslo.")
    assert texts_in(chat, branch_scope("s", "main"), type="fact") == ["user.home: Oslo"]
    assert ingest.status == "pending"
    same, done = chat.change_turn("s", floor.id, version=0)
    assert (same.version, done.job_id) == (0, None)
    for wrong in (-1, 21):
        with pytest.raises(InvalidInputError):
            chat.change_turn("s", floor.id, version=wrong)
    with pytest.raises(InvalidInputError):
        chat.change_turn("s", floor.id)
    with pytest.raises(InvalidInputError):
        chat.change_turn("s", floor.id, lines=said("x"), version=0)


def test_a_turn_that_forks_share_changes_and_goes_in_all_of_them(
    chat: ChatMemory, clock: Clock
) -> None:
    chat.create_session("s")
    say(chat, clock, "s", "I live in Oslo.", "My name is Mia.")
    chat.create_branch("s", "if")
    first, second = floors_of(chat, "s")

    chat.change_turn("s", first.id, lines=said("I live in Lyon."), mode="sync")
    for branch in ("main", "if"):
        facts = texts_in(chat, branch_scope("s", branch), type="fact")
        assert facts == ["user.home: Lyon", "user.name: Mia"]

    chat.delete_turn("s", second.id)
    for branch in ("main", "if"):
        assert texts_in(chat, branch_scope("s", branch), type="fact") == ["user.home: Lyon"]
    assert chat.session("s").floors == 1


def test_sync_does_what_stands_before_it_in_line(chat: ChatMemory) -> None:
    chat.create_session("s")
    chat.add_turn("s", said("I live in Oslo."))
    chat.add_turn("s", said("My name is Mia."))

    _, ingest = chat.add_turn("s", said("I have a cat named Tofu."), mode="sync")

    assert (ingest.mode, ingest.status) == ("sync", "succeeded")
    assert len(items_in(chat, branch_scope("s", "main"), type="fact")) == 3
    assert chat.jobs(JobFilter(status="pending")).total == 0


def test_sync_does_not_wait_for_a_job_that_is_to_be_tried_again(
    chat: ChatMemory, clock: Clock
) -> None:
    chat.create_session("s")
    _, first = chat.add_turn("s", said("I live in Oslo."))
    assert first.job_id is not None
    chat.cancel_job(first.job_id)
    chat.retry_job(first.job_id)
    clock.turn(seconds=-5)

    _, ingest = chat.add_turn("s", said("My name is Mia."), mode="sync")

    assert ingest.status == "pending"
    clock.turn(seconds=10)
    assert work(chat) == 2
    assert len(items_in(chat, branch_scope("s", "main"), type="fact")) == 2

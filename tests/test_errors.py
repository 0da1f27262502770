"""Promises of errors to programs that catch them."""

import pickle

import pytest

from mnemic.errors import InvalidInputError, MnemicError
from mnemic.opening import OpenMemory


def kinds(kind: type[MnemicError]) -> list[type[MnemicError]]:
    """Return an error's class and all that are special cases of it."""
    return [kind, *(inner for one in kind.__subclasses__() for inner in kinds(one))]


@pytest.mark.parametrize("kind", kinds(MnemicError))
def test_an_error_reaches_another_process_whole(kind: type[MnemicError]) -> None:
    said = ("n", "it is 0", "1 to 100") if issubclass(kind, InvalidInputError) else ("It broke.",)
    error = kind(*said)

    arrived = pickle.loads(pickle.dumps(error))  # noqa: S301  it was made here

    assert type(arrived) is kind
    assert str(arrived) == str(error)
    assert arrived.details == error.details


@pytest.mark.parametrize("number", [0, -1, 2**63, 10**30])
def test_a_number_that_no_memory_has_is_not_found(memory: OpenMemory, number: int) -> None:
    for ask in (memory.get, memory.history, memory.undo, memory.payload):
        with pytest.raises(MnemicError, match=f"There is no memory {number}"):
            ask(number)
    with pytest.raises(MnemicError, match=f"There is no memory {number}"):
        memory.forget(number, reason="wrong")

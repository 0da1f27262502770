"""What can go wrong, in words that tell the caller the next step. No transport is known here."""

from typing import ClassVar, Self


class MnemicError(Exception):
    """The memory engine could not do what was asked."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str | None = None, **details: object) -> None:
        super().__init__(message or self.__doc__)
        self.details = details


class InvalidInputError(MnemicError):
    """A parameter has a value that is not allowed."""

    code = "invalid_input"

    def __init__(self, parameter: str, problem: str, allowed: str) -> None:
        super().__init__(
            f"{parameter}: {problem}; allowed: {allowed}",
            parameter=parameter,
            problem=problem,
            allowed=allowed,
        )
        self.parameter = parameter
        self.problem = problem
        self.allowed = allowed

    def __reduce__(self) -> tuple[type[Self], tuple[str, str, str]]:
        # Python would make it from its message alone, in the process that gets it.
        return type(self), (self.parameter, self.problem, self.allowed)


class NotFoundError(MnemicError):
    """There is nothing with that id."""

    code = "not_found"


class StateError(MnemicError):
    """The record is not in a state that allows this."""

    code = "invalid_state"


class ConflictError(MnemicError):
    """Something with the same identity is there already."""

    code = "conflict"


class BusyError(MnemicError):
    """Another process held the database for too long and nothing was written. Try again."""

    code = "busy"


class OutOfTimeError(MnemicError):
    """A text took longer to read than a call or a job may. It is kept, and found by its words."""

    code = "out_of_time"


class StorageError(MnemicError):
    """The database could not be read or written, and nothing was changed."""

    code = "storage"


class UnusableStoreError(StorageError):
    """The database cannot be opened or written at all, and nothing was changed."""


class EncryptionError(UnusableStoreError):
    """The store is encrypted and the key is not there or another one, or the other way round."""


class EmbedderError(MnemicError):
    """The embedder could not turn a text into a vector."""

    code = "embedder"


class ChatServiceError(MnemicError):
    """The language model could not answer."""

    code = "chat_service"


class EmptyAnswerError(ChatServiceError):
    """The language model answered, but without a text."""


class SettingsError(MnemicError):
    """A setting has a value that cannot be used."""

    code = "settings"


class UnreachableError(MnemicError):
    """The server could not be reached, or did not answer. Check its address and that it runs.

    `details` has its `url` and the `outcome` of what was asked: `not_done`, or `unknown`.
    """

    code = "unreachable"


class AuthError(MnemicError):
    """The server wants another key. Give one that allows what is asked."""

    code = "auth"


class ServerError(MnemicError):
    """The server failed, or its answer is not understood. It may be of another version."""

    code = "server"

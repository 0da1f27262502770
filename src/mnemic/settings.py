"""What can be set, with defaults that work, read from the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import tzinfo
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args

from mnemic.errors import SettingsError
from mnemic.records.memory import MemoryKind
from mnemic.runtime.encryption import EncryptionKey
from mnemic.runtime.time_zones import time_zone

Durability = Literal["full", "normal", "off"]
Locale = Literal["zh", "en"]
Auth = Literal["auto", "keys", "off"]
LogFormat = Literal["text", "json"]
LogLevel = Literal["auto", "debug", "info", "warning", "error"]
S = TypeVar("S", "Settings", "ServerSettings", "LogSettings")

_PREFIX: Final = "MNEMIC_"
# Nobody waits an hour for a reply, and sockets cannot wait for ever.
_LONGEST_TIMEOUT: Final = 3_600
_HOTTEST: Final = 2.0
_HIGHEST_PORT: Final = 65_535
# A century: there is a time so long before every time that is.
_LONGEST_DAYS: Final = 36_500
_DAYS: Final = (
    *("micro_days", "loop_days", "purge_days"),
    *("episodic_days", "conversation_days", "event_days", "job_days"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a memory is opened. Every field can be set as `MNEMIC_<FIELD>` in the environment."""

    database: str = field(default="~/.mnemic/memory.db", repr=False)
    """A file, `:memory:` for a store that is gone when it is closed, or
    `postgresql://user:password@host:5432/name`."""

    encryption_key: str | None = field(default=None, repr=False)
    """What a SQLite store is encrypted with: 64 hexadecimal digits. It is never logged."""

    encryption_key_file: str | None = None
    """A file that holds the encryption key, instead."""

    account: str = "default"
    """Whose memories these are."""

    embedder: str = "default"
    """`default`, `none`, `hashing`, `openai:MODEL`, `ollama:MODEL`, `fastembed:MODEL` or
    `sentence-transformers:MODEL`."""

    embedder_url: str | None = None
    """Where an `openai` or `ollama` embedder is served, if not at its usual address."""

    embedder_api_key: str | None = field(default=None, repr=False)
    """The key for an `openai` embedder. It is never logged."""

    llm_url: str | None = None
    """Where the language model of a chat is served, such as `http://127.0.0.1:11434/v1`. Any
    server that speaks `/chat/completions` will do."""

    llm_model: str | None = None
    """Which model of that server answers. Without it and `llm_url`, a chat answers from memory."""
    llm_api_key: str | None = field(default=None, repr=False)
    """The key for that server, if it wants one. It is never logged."""
    llm_timeout: float = 60.0
    """How many seconds the language model may be silent before a chat gives up on it."""
    llm_temperature: float = -1.0
    """How freely the language model replies, 0 to 2; below 0 its server decides."""
    llm_max_tokens: int = 0
    """How long a reply may be, in tokens; 0 leaves it to the server."""
    llm_vision: bool = True
    """Whether pictures are sent to the language model."""
    llm_fallback: bool = False
    """Whether a chat answers from memory when the language model fails. The answer says so."""

    wait_for_embedder: bool = True
    """Whether a call waits while the embedder loads (about a second, once), or goes on with
    words alone until it is there."""

    durability: Durability = "full"
    """`full` survives a loss of power, `normal` may lose the last moments, `off` is for tests."""

    busy_seconds: float = 30.0
    """How long a call waits while another process writes, or while no server can be reached."""

    call_seconds: float = 10.0
    """How many seconds a call may compute while it reads texts, before it ends with an error. What
    it was to keep is kept."""

    job_seconds: float = 60.0
    """The same for a background job, which is not tried again then."""

    pool_size: int = 8
    """How many connections a process keeps to PostgreSQL at most."""

    listen_url: str | None = field(default=None, repr=False)
    """Where workers listen for new jobs: the server itself, if `database` names a pooler."""

    partitions: int = 32
    """Over how many tables PostgreSQL spreads the accounts. It counts when the tables are made."""

    cached_memories: int = 1_000_000
    """How many memories of PostgreSQL a process keeps the words of, 0.7 to 4 KB each: the more
    in one scope, the less."""

    dedup_guard: bool = True
    """Whether texts that differ in a number, a unit, a negation or an outcome are two memories
    however alike they are."""

    decay_rate: float = 0.01
    """The share of its confidence that an unused memory loses each day."""

    word_weight: float = 0.55
    """How much words count against meaning when both speak; the rest goes to meaning."""

    actor: str = "local"
    """Who is named in the history as the author of changes."""

    locale: Locale = "zh"
    """The language of the messages in the assistant's answers: `zh` or `en`. A chat replies in
    the language that it is spoken to."""

    time_zone: str = ""
    """Where the user is, such as `Europe/Berlin`: it decides which day "yesterday" is, and what a
    time without a zone means. Empty is the system's zone; a call may name another one."""

    sensitive_types: str = ""
    """Types of memory that no chat may quote or show to a model, separated by commas, such as
    `knowledge_vault`; single memories are marked when they are added."""

    micro_days: int = 30
    """After how many days maintenance retires a turn's summary that a larger one has taken in; 0
    is never."""

    loop_days: int = 7
    """After how many days maintenance retires an open loop that nobody mentioned; 0 is never."""

    purge_days: int = 90
    """After how many days maintenance deletes what is deprecated; 0 is never."""

    episodic_days: int = 0
    """For how many days episodic memories are kept after their last change; 0 is for ever."""

    conversation_days: int = 0
    """For how many days conversations and chat sessions are kept after the last thing that was
    said in them; 0 is for ever."""

    event_days: int = 0
    """For how many days the history of memories is kept, and what was changed can be undone; 0 is
    for ever."""

    job_days: int = 0
    """For how many days it can be seen what became of a job; 0 is for ever."""

    @property
    def zone(self) -> tzinfo:
        """Where the user is."""
        return time_zone(self.time_zone)

    @property
    def secret_kinds(self) -> frozenset[str]:
        """The kinds of memory that no chat may quote."""
        return _listed(self.sensitive_types)

    @property
    def is_postgres(self) -> bool:
        """Whether the store is a PostgreSQL database."""
        return self.database.startswith(("postgresql://", "postgres://"))

    @property
    def path(self) -> Path | None:
        """The database's file, or None for a store that is gone when it is closed."""
        return None if self.database == ":memory:" else Path(self.database).expanduser()

    def read_encryption_key(self) -> EncryptionKey | None:
        """Return what the store is encrypted with, or None for a plain one."""
        if self.encryption_key is not None:
            return EncryptionKey.of_text(self.encryption_key, where="encryption_key")
        if self.encryption_key_file is not None:
            return EncryptionKey.of_file(Path(self.encryption_key_file).expanduser())
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """How a memory is served. Every field can be set as `MNEMIC_<FIELD>` in the environment."""

    host: str = "127.0.0.1"
    """The address that is listened on. Any other than this machine's own needs keys."""

    port: int = 7077
    """The port; 0 takes any that is free."""

    auth: Auth = "auto"
    """`keys` lets in only who has a key, `off` everybody on this machine; `auto` wants keys where
    there is one when the server starts, or other machines can reach the address."""

    allowed_hosts: str = ""
    """Further names under which the server may be addressed, separated by commas; `*` is any. On
    an address of this machine, its own names are always allowed, and others refused."""

    allowed_origins: str = ""
    """Web pages of which origins may call the server, separated by commas, such as
    `https://app.example.org`. Its own always may."""

    max_body: int = 48 * 1024 * 1024
    """How many bytes a request may have at most. Most routes allow far less."""

    max_requests: int = 256
    """How many requests may be under way at the same time. An account that has an eighth of them is
    told to come back when they are taken; another one is not."""

    account_calls: int = 1
    """How many requests of an account are computed at the same time while other accounts are
    there, too; the others wait for their turn."""

    requests_per_minute: int = 12_000
    """How many requests an account may make in a minute; 0 is any number."""

    mcp_profile: str = "all"
    """Which tools `/mcp` shows: `robot`, `assistant`, `all` or `extended`."""

    grace_seconds: float = 30.0
    """How long requests that are being answered may go on when the server is told to end. Whoever
    stops it should allow 30 seconds more."""

    sse: bool = False
    """Whether the old HTTP+SSE transport of MCP is served too, at `/sse`."""

    @property
    def hosts(self) -> frozenset[str]:
        """The further names, in small letters."""
        return _listed(self.allowed_hosts)

    @property
    def origins(self) -> frozenset[str]:
        """The origins, in small letters and without a slash at the end."""
        return frozenset(origin.rstrip("/") for origin in _listed(self.allowed_origins))


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """What the commands that run on write to standard error. Every field can be set as
    `MNEMIC_<FIELD>` in the environment.
    """

    log_format: LogFormat = "text"
    """`text` is for people, `json` for programs: one object a line."""

    log_level: LogLevel = "auto"
    """`debug`, `info`, `warning` or `error`; `auto` is `info` for `json` and `warning` for `text`.
    From `info` on, there is a line for each request; with `debug`, libraries may quote what was
    sent."""

    @property
    def least(self) -> str:
        """The least level that is written, in the words of Python's logging."""
        if self.log_level == "auto":
            return "INFO" if self.log_format == "json" else "WARNING"
        return self.log_level.upper()


def read_settings(
    given: Mapping[str, object], environment: Mapping[str, str] = os.environ
) -> Settings:
    """Return the settings: what the caller gives, else the environment, else the default.

    A value of None counts as not given.
    """
    settings = _read(Settings, given, environment)
    _check(settings)
    return settings


def read_server_settings(
    given: Mapping[str, object], environment: Mapping[str, str] = os.environ
) -> ServerSettings:
    """Return the settings of a server, found in the same places."""
    settings = _read(ServerSettings, given, environment)
    if settings.auth not in get_args(Auth):
        raise SettingsError(f"auth={settings.auth}: use auto, keys or off.")
    if not 0 <= settings.port <= _HIGHEST_PORT:
        raise SettingsError(f"port={settings.port}: use 0 to {_HIGHEST_PORT}.")
    for name in ("max_body", "max_requests", "account_calls"):
        if getattr(settings, name) < 1:
            raise SettingsError(f"{name}={getattr(settings, name)}: use 1 or more.")
    if not 0 <= settings.grace_seconds <= _LONGEST_TIMEOUT:
        raise SettingsError(
            f"grace_seconds={settings.grace_seconds}: use 0 to {_LONGEST_TIMEOUT} seconds."
        )
    if settings.requests_per_minute < 0:
        raise SettingsError(f"requests_per_minute={settings.requests_per_minute}: use 0 or more.")
    # As it is written in an address, `[::1]` is the same host.
    return replace(settings, host=settings.host.removeprefix("[").removesuffix("]"))


def read_log_settings(environment: Mapping[str, str] = os.environ) -> LogSettings:
    """Return the settings of the log, from the environment."""
    settings = _read(LogSettings, {}, environment)
    for name, kinds in (("log_format", get_args(LogFormat)), ("log_level", get_args(LogLevel))):
        if getattr(settings, name) not in kinds:
            raise SettingsError(f"{name}={getattr(settings, name)}: use {', '.join(kinds)}.")
    return settings


def _read(kind: type[S], given: Mapping[str, object], environment: Mapping[str, str]) -> S:
    values: dict[str, Any] = {}
    for setting in fields(kind):
        text = environment.get(_PREFIX + setting.name.upper())
        if text:
            values[setting.name] = _parse(setting.name, setting.type, text)
    values.update({name: value for name, value in given.items() if value is not None})
    unknown = sorted(values.keys() - {setting.name for setting in fields(kind)})
    if unknown:
        allowed = ", ".join(setting.name for setting in fields(kind))
        raise SettingsError(f"{unknown[0]} is not a setting; there are: {allowed}.")
    return kind(**values)


def _listed(names: str) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in names.split(",") if name.strip())


def _parse(name: str, kind: object, text: str) -> object:
    if kind is bool:
        if text.lower() not in ("1", "true", "yes", "on", "0", "false", "no", "off"):
            raise SettingsError(f"{_PREFIX}{name.upper()}={text}: use true or false.")
        return text.lower() in ("1", "true", "yes", "on")
    if kind is int:
        try:
            return int(text)
        except ValueError as error:
            raise SettingsError(f"{_PREFIX}{name.upper()}={text}: use a whole number.") from error
    if kind is float:
        try:
            return float(text)
        except ValueError as error:
            raise SettingsError(f"{_PREFIX}{name.upper()}={text}: use a number.") from error
    return text


def _check(settings: Settings) -> None:
    _check_choices(settings)
    _check_days(settings)
    _check_seconds(settings)
    if not 0 <= settings.decay_rate < 1:
        raise SettingsError(f"decay_rate={settings.decay_rate}: use 0 or more, and less than 1.")
    if not 0 <= settings.word_weight <= 1:
        raise SettingsError(f"word_weight={settings.word_weight}: use 0 to 1.")
    for name in ("pool_size", "partitions", "cached_memories"):
        if getattr(settings, name) < 1:
            raise SettingsError(f"{name}={getattr(settings, name)}: use 1 or more.")
    scheme, colon, _ = settings.database.partition("://")
    if colon and not settings.is_postgres:
        # Only how it begins: the rest may hold a password.
        raise SettingsError(f"database: {scheme}:// is unknown; use a file or postgresql://….")
    if settings.encryption_key is not None and settings.encryption_key_file is not None:
        raise SettingsError("encryption_key and encryption_key_file: set one of them, not both.")
    if not settings.database or not settings.account or not settings.actor:
        raise SettingsError("database, account and actor cannot be empty.")


def _check_seconds(settings: Settings) -> None:
    if settings.busy_seconds < 0:
        raise SettingsError(f"busy_seconds={settings.busy_seconds}: use 0 or more.")
    for name in ("llm_timeout", "call_seconds", "job_seconds"):
        if not 0 < getattr(settings, name) <= _LONGEST_TIMEOUT:
            raise SettingsError(
                f"{name}={getattr(settings, name)}: use more than 0 seconds, at most "
                f"{_LONGEST_TIMEOUT}."
            )
    if settings.llm_temperature > _HOTTEST:
        raise SettingsError(f"llm_temperature={settings.llm_temperature}: use 0 to {_HOTTEST:g}.")


def _check_days(settings: Settings) -> None:
    for name in _DAYS:
        if not 0 <= getattr(settings, name) <= _LONGEST_DAYS:
            raise SettingsError(f"{name}={getattr(settings, name)}: use 0 to {_LONGEST_DAYS}.")


def _check_choices(settings: Settings) -> None:
    if settings.durability not in get_args(Durability):
        raise SettingsError(f"durability={settings.durability}: use full, normal or off.")
    if settings.locale not in get_args(Locale):
        raise SettingsError(f"locale={settings.locale}: use zh or en.")
    try:
        _ = settings.zone
    except ValueError as error:
        raise SettingsError(f"time_zone: {error}; use a name such as Europe/Berlin.") from error
    unknown = sorted(settings.secret_kinds - set(get_args(MemoryKind)))
    if unknown:
        known = ", ".join(get_args(MemoryKind))
        raise SettingsError(f"sensitive_types: {unknown[0]!r} is no type; use {known}.")

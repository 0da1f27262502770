"""Open a memory: the one place where the parts are put together."""

import logging
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from weakref import WeakSet

from mnemic.dialects.assistant.tools import AssistantTools
from mnemic.dialects.robot.tools import RobotTools
from mnemic.engine.accesses import AccessLog, Searched, put_down
from mnemic.engine.engine import Engine
from mnemic.engine.workspace import Workspace
from mnemic.errors import SettingsError
from mnemic.providers.chat_model import choose_chat_model
from mnemic.providers.choosing import choose_embedder
from mnemic.providers.loading import LazyEmbedder
from mnemic.settings import Settings, read_settings
from mnemic.storage import scopes
from mnemic.storage.database import Database
from mnemic.storage.memories import Access
from mnemic.storage.sqlite.database import SqliteDatabase
from mnemic.storage.watched import WatchedDatabase
from mnemic.watching import Watcher

if TYPE_CHECKING:
    from mnemic.engine.arriving import Arrivals
    from mnemic.engine.chat import ChatMemory
    from mnemic.engine.inspecting import Inspection
    from mnemic.engine.keys import Keys
    from mnemic.engine.upkeep import Upkeep

_LOG = logging.getLogger("mnemic")
_NO_VECTORS = (
    "This PostgreSQL has no pgvector, so memories are found by their words alone (bm25_only). "
    "Install the extension `vector`, let the owner run `mnemic migrate --to` and then "
    "`mnemic reindex`."
)


class OpenMemory(Engine):
    """An open memory: the engine's verbs, and the dialects that are built on them."""

    def __init__(self, workspace: Workspace, *, opened: "OpenMemory | None" = None) -> None:
        super().__init__(workspace)
        self._opened = opened or self
        self._others: WeakSet[OpenMemory] = WeakSet()
        self._served: set[int] = set()
        self.robot = RobotTools(self)
        self.assistant = AssistantTools(self, locale=workspace.settings.locale)

    @property
    def account(self) -> str:
        """Whose memories these are."""
        return self._workspace.settings.account

    def of_account(self, name: str, *, actor: str | None = None) -> "OpenMemory":
        """Return the memories of an account of the same store; it is made on first use. Changes
        are written down in the name of `actor`.

        Store, embedder and language model are shared, and stay open when it is closed.
        """
        shared = self._workspace
        everywhere = shared.db.as_account(None)
        number = scopes.ensure_account(everywhere, name, now=shared.clock())
        db = everywhere.as_account(number)
        own = replace(
            shared,
            db=db,
            settings=replace(shared.settings, account=name, actor=actor or shared.settings.actor),
            accesses=AccessLog(_access_writer(db)),
        )
        other = OpenMemory(own, opened=self._opened)
        self._opened._others.add(other)
        self._opened._served.add(number)
        return other

    def served(self) -> frozenset[int]:
        """Return the numbers of the accounts that were asked for through this memory."""
        return frozenset(self._opened._served)

    def watched_by(self, watcher: Watcher) -> "OpenMemory":
        """Return the same memories, with somebody who is told what is being done with them.

        Everything is shared, and whoever opened the memory closes it.
        """
        shared = self._workspace
        db = WatchedDatabase(shared.db, watcher) if watcher.follows else shared.db
        return OpenMemory(replace(shared, db=db, watcher=watcher), opened=self._opened)

    def close(self) -> None:
        """Write what is pending. The memory that was opened lets go of the store, too."""
        if self._opened is not self:
            self._workspace.accesses.close()
            return
        for other in list(self._others):
            other.close()
        super().close()

    @cached_property
    def chat(self) -> "ChatMemory":
        """What a chat app sees: items, edges, sessions, background work and what to inject."""
        from mnemic.engine.chat import ChatMemory  # noqa: PLC0415  half a second that few need

        return ChatMemory(self._workspace)

    def arrivals(self) -> "Arrivals":
        """Return what takes in memories that were kept elsewhere, with their times and fate."""
        from mnemic.engine.arriving import Arrivals  # noqa: PLC0415  as above

        return Arrivals(self._workspace)

    @cached_property
    def keys(self) -> "Keys":
        """Who may use a server on this store, of all accounts."""
        from mnemic.engine.keys import Keys  # noqa: PLC0415  only servers need it

        return Keys(self._workspace)

    @cached_property
    def inspection(self) -> "Inspection":
        """Whether the store works, and how large it is."""
        from mnemic.engine.inspecting import Inspection  # noqa: PLC0415  few need it

        return Inspection(self._workspace)

    @cached_property
    def upkeep(self) -> "Upkeep":
        """What a worker does for the store besides its jobs."""
        from mnemic.engine.upkeep import Upkeep  # noqa: PLC0415  as above

        return Upkeep(self._workspace)


def open_memory(
    database: str | PathLike[str] | None = None,
    *,
    clock: Callable[[], datetime] | None = None,
    new_id: Callable[[], str] | None = None,
    **settings: object,
) -> OpenMemory:
    """Open a memory, making it where there is none.

    `database` is a file; without it, `MNEMIC_DATABASE`, else `~/.mnemic/memory.db`. Every other
    setting can be given by name or as `MNEMIC_<NAME>` in the environment.
    """
    path = None if database is None else fspath(database)
    chosen = read_settings({**settings, "database": path})
    return _put_together(chosen, clock or _now, new_id or _uuid)


def _put_together(
    settings: Settings, clock: Callable[[], datetime], new_id: Callable[[], str]
) -> OpenMemory:
    source = choose_embedder(
        settings.embedder, url=settings.embedder_url, api_key=settings.embedder_api_key
    )
    chat_model = choose_chat_model(
        settings.llm_url,
        settings.llm_model,
        settings.llm_api_key,
        timeout_seconds=settings.llm_timeout,
        vision=settings.llm_vision,
    )
    db = open_database(settings)
    if settings.embedder != "none" and not db.keeps_vectors:
        _LOG.warning(_NO_VECTORS)
        source = choose_embedder("none")
    db = db.as_account(scopes.ensure_account(db, settings.account, now=clock()))
    return OpenMemory(
        Workspace(
            db=db,
            embedder=LazyEmbedder(source),
            settings=settings,
            clock=clock,
            new_id=new_id,
            accesses=AccessLog(_access_writer(db)),
            chat_model=chat_model,
        )
    )


def open_database(settings: Settings) -> Database:
    """Open the store that the settings name, making it where there is none."""
    if not settings.is_postgres:
        return SqliteDatabase(
            settings.path, busy_seconds=settings.busy_seconds, durability=settings.durability
        )
    return _postgres("database").PostgresDatabase(
        settings.database,
        busy_seconds=settings.busy_seconds,
        durability=settings.durability,
        pool_size=settings.pool_size,
        partitions=settings.partitions,
        cached_memories=settings.cached_memories,
        listen_url=settings.listen_url,
    )


def inspect_postgres(settings: Settings) -> dict[str, Any]:
    """Tell what a PostgreSQL server holds, without making anything there."""
    return _postgres("schema").inspect(settings.database)


def missing_rights(settings: Settings) -> list[str]:
    """Tell what the role of a PostgreSQL address may not do there, and an application must."""
    return _postgres("schema").missing_rights(settings.database)


def prepare_postgres(settings: Settings, *, app_role: str | None = None) -> dict[str, Any]:
    """Make the tables or bring them up to date, as their owner; give a role what an application
    needs, and tell what is there.
    """
    schema = _postgres("schema")
    server = _postgres("server").Server(settings.database, pool_size=1)
    try:
        schema.bring_up_to_date(server, partitions=settings.partitions)
        if app_role is not None:
            schema.grant(server, app_role)
    finally:
        server.close()
    return schema.inspect(settings.database)


def move_to_postgres(
    path: Path,
    settings: Settings,
    *,
    account: str | None = None,
    portion: int = 2_000,
    verify_only: bool = False,
    progress: Callable[[str, str, int, int], None] | None = None,
) -> dict[str, Any]:
    """Move everything in a SQLite store to PostgreSQL and verify it; see `storage.moving.move`."""
    server = _postgres("server").Server(settings.database, pool_size=1)
    try:
        report = driven("mnemic.storage.moving.move").move(
            path,
            server,
            busy_seconds=settings.busy_seconds,
            account=account,
            portion=portion,
            verify_only=verify_only,
            progress=progress,
        )
    finally:
        server.close()
    return asdict(report)


def _postgres(module: str) -> Any:
    """Return a module of the backend."""
    return driven(f"mnemic.storage.postgres.{module}")


def driven(module: str) -> Any:
    """Return a module that needs the driver. Who keeps memories in a file need not have it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise SettingsError(
            "PostgreSQL needs its driver: pip install 'mnemic[postgres]'."
        ) from error


def _access_writer(db: Database) -> Callable[[list[Access], list[Searched]], None]:
    def write(accesses: list[Access], searches: list[Searched]) -> None:
        db.write(lambda: put_down(db, accesses, searches))

    return write


def _now() -> datetime:
    return datetime.now(UTC)


def _uuid() -> str:
    return str(uuid4())

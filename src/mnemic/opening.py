"""Open a memory: the one place where the parts are put together."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from time import thread_time
from typing import TYPE_CHECKING, Any
from uuid import uuid4
from weakref import WeakSet

from mnemic.dialects.assistant.tools import AssistantTools
from mnemic.dialects.robot.tools import RobotTools
from mnemic.engine.memory_verbs import Engine
from mnemic.errors import SettingsError
from mnemic.memory.retrieval.access_counts import AccessLog, AccessWriter, Searched, put_down
from mnemic.memory.workspace import Workspace
from mnemic.providers.chat_models.chat_model import (
    ServedChatModel,
    ServedModel,
    choose_chat_model,
)
from mnemic.providers.embedders.choosing import choose_embedder
from mnemic.providers.embedders.loading import LazyEmbedder
from mnemic.settings import Settings, read_settings
from mnemic.storage.database import Database
from mnemic.storage.observed import WatchedDatabase
from mnemic.storage.rows import erasure_rows, scope_rows
from mnemic.storage.rows.memory_rows import Access
from mnemic.storage.sqlite.database import SqliteDatabase
from mnemic.telemetry.observer import Watcher

if TYPE_CHECKING:
    from collections import Counter

    from mnemic.administration.inspection import Inspection
    from mnemic.administration.keys import Keys
    from mnemic.administration.looking.account_view import AccountView
    from mnemic.administration.upkeep import Upkeep
    from mnemic.engine.chat_verbs import ChatMemory
    from mnemic.memory.adopt import Importer
    from mnemic.memory.audit_log import AuditLog
    from mnemic.memory.foreign_changes import ChangeOutcome, Divergence
    from mnemic.records.erasure import AppliedReceipts, Erasure

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
        zone = workspace.settings.zone
        self.robot = RobotTools(self, zone=zone)
        self.assistant = AssistantTools(self, locale=workspace.settings.locale, zone=zone)

    @property
    def account(self) -> str:
        """Whose memories these are."""
        return self._workspace.settings.account

    @property
    def served_model(self) -> ServedModel | None:
        """The language model that is set, with the key of its server; None where none is."""
        model = self._workspace.chat_model
        return model.served if isinstance(model, ServedChatModel) else None

    def of_account(
        self, name: str, *, actor: str | None = None, key_id: str | None = None
    ) -> "OpenMemory":
        """Return the memories of an account of the same store; it is made on first use. Changes
        are written down in the name of `actor`, who showed the key with that id.

        Store, embedder and language model are shared, and stay open when it is closed.
        """
        shared = self._workspace
        everywhere = shared.db.as_account(None)
        number = scope_rows.ensure_account(everywhere, name, now=shared.clock())
        db = everywhere.as_account(number)
        own = replace(
            shared,
            db=db,
            settings=replace(shared.settings, account=name, actor=actor or shared.settings.actor),
            accesses=AccessLog(_access_writer(db)),
            key_id=key_id,
        )
        _go_on_erasing(own)
        other = OpenMemory(own, opened=self._opened)
        self._opened._others.add(other)
        self._opened._served.add(number)
        return other

    def has_account(self, name: str) -> bool:
        """Tell whether the store has an account of that name."""
        return scope_rows.account_named(self._workspace.db.as_account(None), name) is not None

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
        with ExitStack() as parts:
            parts.callback(super().close)
            for other in list(self._others):
                parts.callback(other.close)

    @cached_property
    def chat(self) -> "ChatMemory":
        """What a chat app sees: items, edges, sessions, background work and what to inject."""
        from mnemic.engine.chat_verbs import ChatMemory  # noqa: PLC0415  half a second that few need

        return ChatMemory(self._workspace)

    def arrivals(self) -> "Importer":
        """Return what takes in memories that were kept elsewhere, with their times and fate."""
        from mnemic.memory.adopt import Importer  # noqa: PLC0415  as above

        return Importer(self._workspace)

    def every_receipt(self) -> "list[Erasure]":
        """Return the receipts of what was erased in any account of the store."""
        from mnemic.administration.erasing.apply_receipts import every_receipt  # noqa: PLC0415  as above

        return every_receipt(self._workspace)

    def apply_receipts(
        self, receipts: "Sequence[Erasure]", *, dry_run: bool = False
    ) -> "AppliedReceipts":
        """Erase in this store, in every account, what was erased in another copy of it."""
        from mnemic.administration.erasing.apply_receipts import apply_receipts  # noqa: PLC0415  as above

        return apply_receipts(self._workspace, receipts, dry_run=dry_run)

    def apply_changes(self, divergences: "Sequence[Divergence]") -> "Counter[ChangeOutcome]":
        """Make changes that were made to memories elsewhere; count what became of the memories."""
        from mnemic.memory.foreign_changes import apply_changes  # noqa: PLC0415  only imports need it

        return apply_changes(self._workspace, divergences)

    @cached_property
    def keys(self) -> "Keys":
        """Who may use a server on this store, of all accounts."""
        from mnemic.administration.keys import Keys  # noqa: PLC0415  only servers need it

        return Keys(self._workspace)

    @cached_property
    def audit(self) -> "AuditLog":
        """What was done to this store, and by whom."""
        from mnemic.memory.audit_log import AuditLog  # noqa: PLC0415  few need it

        return AuditLog(self._workspace)

    @cached_property
    def inspection(self) -> "Inspection":
        """Whether the store works, and how large it is."""
        from mnemic.administration.inspection import Inspection  # noqa: PLC0415  few need it

        return Inspection(self._workspace)

    @cached_property
    def view(self) -> "AccountView":
        """The whole account for who looks at it: events, runs, places, and why a hit is none."""
        from mnemic.administration.looking.account_view import AccountView  # noqa: PLC0415  as above

        return AccountView(self._workspace)

    @cached_property
    def upkeep(self) -> "Upkeep":
        """What a worker does for the store besides its jobs."""
        from mnemic.administration.upkeep import Upkeep  # noqa: PLC0415  as above

        return Upkeep(self._workspace)


def open_memory(
    database: str | PathLike[str] | None = None,
    *,
    clock: Callable[[], datetime] | None = None,
    new_id: Callable[[], str] | None = None,
    rule_clock: Callable[[], float] = thread_time,
    **settings: object,
) -> OpenMemory:
    """Open a memory, making it where there is none.

    `database` is a file; without it, `MNEMIC_DATABASE`, else `~/.mnemic/memory.db`. Every other
    setting can be given by name or as `MNEMIC_<NAME>` in the environment. `rule_clock` tells how
    long a thread has computed, for the budgets of calls and jobs.
    """
    path = None if database is None else fspath(database)
    chosen = read_settings({**settings, "database": path})
    return _put_together(chosen, clock or _now, new_id or _uuid, rule_clock)


def open_with(settings: Settings, *, clock: Callable[[], datetime] | None = None) -> OpenMemory:
    """Open a memory by settings that were read already."""
    return _put_together(settings, clock or _now, _uuid, thread_time)


def _put_together(
    settings: Settings,
    clock: Callable[[], datetime],
    new_id: Callable[[], str],
    rule_clock: Callable[[], float],
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
        temperature=settings.llm_temperature,
        most_tokens=settings.llm_max_tokens,
    )
    db = open_database(settings)
    if settings.embedder != "none" and not db.keeps_vectors:
        _LOG.warning(_NO_VECTORS)
        source = choose_embedder("none")
    db = db.as_account(scope_rows.ensure_account(db, settings.account, now=clock()))
    workspace = Workspace(
        db=db,
        embedder=LazyEmbedder(source),
        settings=settings,
        clock=clock,
        new_id=new_id,
        accesses=AccessLog(_access_writer(db)),
        chat_model=chat_model,
        rule_clock=rule_clock,
    )
    _go_on_erasing(workspace)
    return OpenMemory(workspace)


def _go_on_erasing(workspace: Workspace) -> None:
    """Finish what was being erased when a process was killed."""
    if erasure_rows.unfinished(workspace.db):
        from mnemic.administration.erasing.erase import go_on  # noqa: PLC0415  as rare as it is large

        go_on(workspace)


def open_database(settings: Settings) -> Database:
    """Open the store that the settings name, making it where there is none."""
    if not settings.is_postgres:
        return SqliteDatabase(
            settings.path,
            key=settings.read_encryption_key(),
            busy_seconds=settings.busy_seconds,
            durability=settings.durability,
        )
    refuse_encryption(settings)
    return _postgres("database").PostgresDatabase(
        settings.database,
        busy_seconds=settings.busy_seconds,
        durability=settings.durability,
        pool_size=settings.pool_size,
        partitions=settings.partitions,
        cached_memories=settings.cached_memories,
        listen_url=settings.listen_url,
    )


def refuse_encryption(settings: Settings) -> None:
    """Refuse an encryption key where nothing would be encrypted with it."""
    if settings.encryption_key is not None or settings.encryption_key_file is not None:
        raise SettingsError(
            "encryption_key encrypts SQLite stores, and this is PostgreSQL: unset it, and encrypt "
            "the server's disks and backups."
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
    server = _postgres("server").PostgresServer(settings.database, pool_size=1)
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
    server = _postgres("server").PostgresServer(settings.database, pool_size=1)
    try:
        report = driven("mnemic.transfer.moving.move").move(
            path,
            server,
            key=settings.read_encryption_key(),
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


def _access_writer(db: Database) -> AccessWriter:
    def write(
        accesses: list[Access], searches: list[Searched], injected: Mapping[str, datetime]
    ) -> None:
        db.write(lambda: put_down(db, accesses, searches, injected))

    return write


def _now() -> datetime:
    return datetime.now(UTC)


def _uuid() -> str:
    return str(uuid4())

"""Vectors of texts, where an embedder knows the language, at once or in the background."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from mnemic.language.tokens import is_mostly_cjk
from mnemic.memory.texts.context_words import PriorUtterance, embedding_text, speaker_of
from mnemic.memory.texts.passage_documents import texts_to_embed
from mnemic.memory.workspace import Workspace
from mnemic.records.memory import Memory
from mnemic.storage.rows import document_rows, memory_rows
from mnemic.storage.rows.document_rows import Embedded, Unembedded
from mnemic.storage.rows.memory_rows import DerivedText

_BATCH: Final = 64


def embed_texts(workspace: Workspace, texts: Sequence[str]) -> list[Embedded | None]:
    """Return a vector for each text, or None where words have to do.

    A model that knows only Latin languages gets no vote on Chinese.
    """
    embedder = workspace.embedder.ready(wait=workspace.settings.wait_for_embedder)
    if embedder is None:
        return [None] * len(texts)
    found: list[Embedded | None] = []
    for start in range(0, len(texts), _BATCH):
        batch = texts[start : start + _BATCH]
        rows = workspace.embedder.embed(batch, wait=False)
        if rows is None:
            found.extend([None] * len(batch))
            continue
        model_id = workspace.model_id(embedder)
        found.extend(
            Embedded(model_id, row) if embedder.multilingual or not is_mostly_cjk(text) else None
            for text, row in zip(batch, rows, strict=True)
        )
    return found


def embed_question(workspace: Workspace, text: str) -> Embedded | None:
    """Return a question's vector, or None where words have to do: also where the store holds no
    vector that it could be compared with. Nothing is written.
    """
    embedder = workspace.embedder.ready(wait=workspace.settings.wait_for_embedder)
    if embedder is None or (is_mostly_cjk(text) and not embedder.multilingual):
        return None
    model_id = workspace.known_model(embedder)
    if model_id is None:
        return None
    rows = workspace.embedder.embed([text], wait=False)
    return None if rows is None else Embedded(model_id, rows[0])


def said_before(
    workspace: Workspace, episode_id: str, *, before_id: int = memory_rows.NEWEST
) -> PriorUtterance | None:
    """Return what was said last in a run, or just before one of its memories."""
    found = memory_rows.said_before(workspace.db, episode_id, before_id=before_id)
    return None if found is None else PriorUtterance(found[0], speaker_of(found[1]))


def embed_wording(
    workspace: Workspace, memory: Memory, wording: DerivedText
) -> list[Embedded | None]:
    """Return the vectors that a memory gets with a new wording."""
    before = None
    if memory.episode_id is not None and speaker_of(wording.context) is not None:
        before = said_before(workspace, memory.episode_id, before_id=memory.id)
    return embed_texts(workspace, texts_to_embed(wording.content, wording.context, before))


def embed_missing(
    workspace: Workspace, *, progress: Callable[[int, int], None] = lambda done, total: None
) -> int:
    """Give a vector to every memory that has none of the current model; return how many.

    Recall goes on meanwhile, with words where vectors are missing. Stopped half-way, it goes on
    from there the next time.
    """
    embedder = workspace.embedder.ready(wait=True)
    if embedder is None:
        return 0
    model_id = workspace.model_id(embedder)
    total = document_rows.count_missing_vectors(workspace.db, model_id)
    done, after = 0, 0
    while batch := document_rows.missing_vectors(workspace.db, model_id, after=after, limit=_BATCH):
        after = batch[-1].doc
        vectors = embed_texts(workspace, [_text_of(one) for one in batch])
        ready = [(one, vector) for one, vector in zip(batch, vectors, strict=True) if vector]
        texts, made = [one for one, _ in ready], [vector for _, vector in ready]
        workspace.db.write(partial(document_rows.put_vectors, workspace.db, texts, made))
        done += len(ready)
        progress(done, total)
    workspace.loaded(done)
    return done


@dataclass(frozen=True, slots=True)
class EmbeddedBatch:
    """Some texts that were looked at: how many got a vector, and after which number to go on."""

    done: int
    after: int
    is_last: bool


def embed_some(workspace: Workspace, *, after: int, limit: int, wait: bool) -> EmbeddedBatch | None:
    """Give vectors to the next few memories that have none, those after a number; None where the
    embedder is off, broken or, without `wait`, not loaded yet.

    To begin where the last portion ended costs nothing when nothing was added since. What the
    embedder does not understand is passed over.
    """
    embedder = workspace.embedder.ready(wait=wait)
    if embedder is None or not workspace.db.keeps_vectors:
        return None
    model_id = workspace.model_id(embedder)
    # Read first: what is added in between is looked at the next time.
    end = document_rows.last_number(workspace.db)
    batch = document_rows.missing_vectors(workspace.db, model_id, after=after, limit=limit)
    pairs = [(one, _text_of(one)) for one in batch]
    known = [pair for pair in pairs if embedder.multilingual or not is_mostly_cjk(pair[1])]
    if known:
        rows = workspace.embedder.embed([text for _, text in known], wait=False)
        if rows is None:
            return None
        vectors = [Embedded(model_id, row) for row in rows]
        texts = [one for one, _ in known]
        workspace.db.write(partial(document_rows.put_vectors, workspace.db, texts, vectors))
    if len(batch) == limit:
        return EmbeddedBatch(len(known), batch[-1].doc, is_last=False)
    return EmbeddedBatch(len(known), max(after, end), is_last=True)


def _text_of(one: Unembedded) -> str:
    before = (
        None if one.before is None else PriorUtterance(one.before, speaker_of(one.before_context))
    )
    return embedding_text(one.content, one.context, before)

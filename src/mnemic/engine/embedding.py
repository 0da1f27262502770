"""Vectors for texts, where an embedder is there and knows the language."""

from collections.abc import Callable, Sequence
from typing import Final

from mnemic.engine.workspace import Workspace
from mnemic.storage import documents
from mnemic.storage.documents import Embedded
from mnemic.text.tokens import is_mostly_cjk

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
        model_id = documents.ensure_model(workspace.db, embedder.name, embedder.dimensions)
        found.extend(
            Embedded(model_id, row) if embedder.multilingual or not is_mostly_cjk(text) else None
            for text, row in zip(batch, rows, strict=True)
        )
    return found


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
    model_id = documents.ensure_model(workspace.db, embedder.name, embedder.dimensions)
    total = documents.count_missing_vectors(workspace.db, model_id)
    done, after = 0, 0
    while batch := documents.missing_vectors(workspace.db, model_id, after=after, limit=_BATCH):
        after = batch[-1].doc
        vectors = embed_texts(workspace, [one.content for one in batch])
        ready = [(one.doc, vector) for one, vector in zip(batch, vectors, strict=True) if vector]
        with workspace.db.writing():
            documents.put_vectors(
                workspace.db, [doc for doc, _ in ready], [vector for _, vector in ready]
            )
        done += len(ready)
        progress(done, total)
    return done

"""Making texts findable: by their words and their meaning, long ones passage by passage."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, repeat
from typing import Final

from mnemic.language.bounds import READ_OF_MEMORY
from mnemic.language.passage_spans import MOST_TOKENS, passages
from mnemic.language.tokens import index_terms
from mnemic.memory.texts.context_words import (
    PriorUtterance,
    embedding_text,
    traits_of,
    words_in,
)
from mnemic.records.memory import Context
from mnemic.search.index_queries import Trait
from mnemic.storage.rows.document_rows import Embedded, NewDocument, TextPlace

# So many passages get their vectors with their text; those of longer ones come in the background.
_AT_ONCE: Final = READ_OF_MEMORY // (4 * MOST_TOKENS)


def found_by(content: str, context: Context, *, thread: str | None, at: datetime) -> NewDocument:
    """Return under what a text is found: its terms, and the words of its context. Its scope and its
    vectors are still to be given.

    A long text is found by its beginning, and by each passage after it. Words that were cut in two
    stand with its beginning.
    """
    head, *others = passages(content)
    begun = _part(content, TextPlace(*head), context, words_in(context), thread=thread, at=at)
    if not others:
        return replace(begun, place=None)
    parts = tuple(
        _part(content, TextPlace(*span), context, "", thread=thread, at=at) for span in others
    )
    kept = {*begun.terms, *(term for part in parts for term in part.terms)}
    cut = {term: 1 for term in index_terms(content) if term not in kept}
    return replace(begun, terms={**begun.terms, **cut}, passages=parts)


def found_whole(content: str, context: Context, *, thread: str | None, at: datetime) -> NewDocument:
    """Return under what a text is found as one, however long it is."""
    whole = TextPlace(0, len(content))
    begun = _part(content, whole, context, words_in(context), thread=thread, at=at)
    return replace(begun, place=None)


def found_each(content: str, context: Context, *, about: str, at: datetime) -> list[NewDocument]:
    """Return under what each passage of a text is found that is no memory of its own; `about` are
    words to find it by besides its own.
    """
    return [
        _part(content, TextPlace(*span), context, about, thread=None, at=at)
        for span in passages(content)
    ]


def texts_to_embed(content: str, context: Context, before: PriorUtterance | None) -> list[str]:
    """Return the texts whose meaning a text's is: of its beginning, and of as many passages after
    it as are read at once.
    """
    head, *others = passages(content)
    return [
        embedding_text(content[slice(*head)], context, before),
        *(embedding_text(content[slice(*span)], context, None) for span in others[:_AT_ONCE]),
    ]


def with_vectors(found: NewDocument, vectors: Sequence[Embedded | None]) -> NewDocument:
    """Give a document the vectors of `texts_to_embed`: where there are fewer of them than passages,
    the others come later.
    """
    parts = found.passages
    if parts:
        ready = chain(vectors[1:], repeat(None, len(parts)))
        parts = tuple(
            replace(part, embedded=vector) for part, vector in zip(parts, ready, strict=False)
        )
    return replace(found, embedded=vectors[0], passages=parts)


def _part(
    content: str,
    place: TextPlace,
    context: Context,
    about: str,
    *,
    thread: str | None,
    at: datetime,
) -> NewDocument:
    part = content[place.first : place.last]
    own_terms = index_terms(part)
    traits = traits_of(part, context, own_terms, now=at)
    if place.first:
        traits = replace(traits, traits=traits.traits | Trait.LATER)
    return NewDocument(
        terms=own_terms + index_terms(about) if about else own_terms,
        scope_id=0,
        thread=thread,
        traits=traits,
        embedded=None,
        own=own_terms,
        place=place,
    )

"""Which part of a question each document of a field covers by its own words."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mnemic.search.arrays.postings import Postings, TermPostings
from mnemic.search.arrays.segments import Places
from mnemic.search.field import Field
from mnemic.search.index_queries import Pieces
from mnemic.search.scoring import Scores, find, rarity

# A Chinese word has two characters mostly: beside other words, each is half of one.
_PART_OF_A_WORD: Final = 0.5
_NOWHERE: Final = np.empty(0, np.uint32)


def coverage(postings: Postings, pieces: Pieces, field: Field) -> NDArray[np.float64]:
    """Return the part that each place covers, 0 to 1; a retired document covers nothing.

    Pieces weigh by their rarity in the field: one that nothing there holds counts most. A meaning
    is as rare as all that show it together, each as well as it does. The cost is that of walking
    through the postings of the terms.
    """
    terms = [term for piece in pieces for term, _ in piece]
    term_postings = find(postings, terms, field)
    rarities = rarity(field.holders(term_postings, len(terms)), field.size)
    covered, shown = np.zeros(field.width, np.float32), np.zeros(field.width, np.float32)
    total, first = 0.0, 0
    for piece in pieces:
        held = [
            _places(term_postings, field, number) for number in range(first, first + len(piece))
        ]
        first += len(piece)
        if len(piece) == 1:
            weight = float(rarities[first - 1])
            for at in held[0]:
                covered[at] += np.float32(weight * piece[0][1])
        else:
            holding = _show(piece, held, shown)
            strengths = shown[holding]
            # The last alternative is the piece itself; the others are what it may stand in.
            weight = float(rarities[first - 1]) * _PART_OF_A_WORD
            if piece[-1][1] == 1.0:
                weight = _rarity_of_all(strengths, holding, field)
            covered[holding] += np.float32(weight) * strengths
            shown[holding] = 0.0
        total += weight
    if total:
        covered /= np.float32(total)
    return field.only_live(covered).astype(np.float64)


def _show(
    piece: Sequence[tuple[str, float]], held: Sequence[Sequence[Places]], shown: Scores
) -> Places:
    """Write down how well each place shows a piece; return the places that do, each once."""
    # Weak ones first: what shows the piece better is written over them.
    for (_, strength), own in sorted(zip(piece, held, strict=True), key=lambda pair: pair[0][1]):
        for at in own:
            shown[at] = strength
    every = [at for own in held for at in own]
    return np.unique(np.concatenate(every)) if every else _NOWHERE


def _rarity_of_all(strengths: Scores, holding: Places, field: Field) -> float:
    """Return how much a meaning tells that places show so well, retired ones left out."""
    if field.live is not None:
        strengths = strengths[field.live[holding]]
    return float(rarity(np.array(strengths.sum(dtype=np.float64)), field.size))


def _places(term_postings: Sequence[TermPostings], field: Field, number: int) -> list[Places]:
    """Return the places of a field that hold one of the terms, in parts without repetition."""
    return [
        places + np.uint32(part.offset)
        for part, own in zip(field.parts, term_postings, strict=True)
        for places in own.parts(number)
    ]

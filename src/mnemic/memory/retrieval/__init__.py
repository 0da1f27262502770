"""Recall: ask both channels, join what they found, rank it, and say how relevant it is.

Start reading at `recall`; `lookups` reads without a question. `ranking` and `relevance` are pure
functions.
"""

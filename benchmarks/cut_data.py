"""Which part of LoCoMo and MemDaily is measured? Cut the development halves from their sources.

    python benchmarks/cut_data.py --locomo locomo10.json --memdaily messages_and_QAs --to FOLDER

docs/how-to/measure-again.md says where the sources are, and how ALFRED is cut.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from harness.datasets import Unit
from harness.options import Options

LOCOMO: Final = ("conv-30", "conv-43", "conv-48")
_LOCOMO_KINDS: Final = ("", "multi-hop", "temporal", "open-domain", "single-hop", "adversarial")
# Each is a file of MemSim and the first of 25 trajectories, which become one store.
MEMDAILY: Final = (
    *("01_simple_events@50", "01_simple_hybrid@100", "01_simple_places@0"),
    *("02_conditional_events@0", "02_conditional_hybrid@50", "02_conditional_items@0"),
    *("02_conditional_roles@50", "03_comparative_hybrid@0", "03_comparative_hybrid@150"),
    *("03_comparative_roles@0", "04_aggregative_events@50", "04_aggregative_hybrid@100"),
    *("04_aggregative_hybrid@250", "05_post_processing_events@0", "05_post_processing_hybrid@50"),
    *("05_post_processing_items@0", "05_post_processing_roles@50", "06_noisy_hybrid@0"),
    *("06_noisy_hybrid@150", "06_noisy_roles@0"),
)
_TRAJECTORIES: Final = 25


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.add_argument("--locomo", type=Path, help="locomo10.json")
    parser.add_argument("--memdaily", type=Path, help="the folder messages_and_QAs")
    parser.add_argument("--to", type=Path, required=True, help="the folder for --data")
    options = parser.parse_args(arguments)
    if options.locomo:
        _write(options.to / "locomo.dev.json.gz", "locomo10", cut_locomo(options.locomo))
    if options.memdaily:
        _write(options.to / "memdaily.dev.json.gz", "MemDaily", cut_memdaily(options.memdaily))


def cut_locomo(source: Path) -> list[Unit]:
    """Return three conversations: turns as texts, questions with the turns that answer them."""
    conversations = json.loads(_text(source))
    numbers = {talk["sample_id"]: number for number, talk in enumerate(conversations)}
    return [
        {
            "unit": name,
            "docs": list(_turns(conversations[numbers[name]]["conversation"])),
            "queries": [
                {
                    "id": f"locomo_{numbers[name]}_qa{at}",
                    "q": asked["question"],
                    # One id of the source is misspelt.
                    "gold": [turn.replace("D:", "D") for turn in asked["evidence"]],
                    "cat": _LOCOMO_KINDS[asked["category"]],
                }
                for at, asked in enumerate(conversations[numbers[name]]["qa"])
            ],
        }
        for name in LOCOMO
    ]


def _turns(conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for session, turns in conversation.items():
        if not isinstance(turns, list):
            continue
        for turn in turns:
            caption = turn.get("blip_caption")
            shared = f" [shares image: {caption}]" if caption else ""
            yield {
                "id": turn["dia_id"],
                "text": f"{turn['speaker']}: {turn['text']}{shared}",
                "ts": conversation[f"{session}_date_time"],
                "session": session,
                "speaker": turn["speaker"],
            }


def cut_memdaily(folder: Path) -> list[Unit]:
    """Return twenty stores of 25 trajectories each; a message that is repeated is one text."""
    return [_store(name, folder) for name in MEMDAILY]


def _store(name: str, folder: Path) -> Unit:
    file, _, first = name.partition("@")
    trajectories = json.loads(_text(folder / f"{file}.json"))
    docs: dict[str, dict[str, Any]] = {}
    queries: list[dict[str, Any]] = []
    for trajectory in trajectories[int(first) : int(first) + _TRAJECTORIES]:
        session = str(trajectory["tid"])
        ids: dict[int, str] = {}
        for message in trajectory["message_list"]:
            doc = {
                "id": f"{session}:{message['mid']}",
                "text": message["message"],
                "ts": message["time"],
                "session": session,
                "speaker": "user",
            }
            ids[message["mid"]] = docs.setdefault(message["message"], doc)["id"]
        for at, asked in enumerate(trajectory["question_list"]):
            queries.append(
                {
                    "id": f"{file}:{session}:{at}",
                    "q": asked["question"],
                    "gold": list(dict.fromkeys(ids[step] for step in asked["target_step_id"])),
                    "cat": file[3:].rpartition("_")[0],
                }
            )
    return {"unit": name, "docs": list(docs.values()), "queries": queries}


def _text(path: Path) -> str:
    if not path.is_file():
        raise SystemExit(f"{path} is not there; docs/how-to/measure-again.md says where to get it.")
    return path.read_text("utf-8")


def _write(path: Path, dataset: str, units: list[Unit]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"dataset": dataset, "units": units}, ensure_ascii=False)
    path.write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
    docs, queries = (sum(len(unit[part]) for unit in units) for part in ("docs", "queries"))
    print(f"{path}: {len(units)} stores, {docs:,} texts, {queries:,} questions")


if __name__ == "__main__":
    main()

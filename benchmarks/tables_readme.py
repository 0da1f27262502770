"""The figures in both READMEs."""

from typing import Any, Final

import tables_peers
from pages import share, table
from tables_costs import PROGRAMS, bytes_each, cpu_of, trial_of
from tables_quality import SETS


def figures(results: dict[str, dict[str, Any]], *, chinese: bool) -> str:
    """Return the small tables of a README, in its language."""
    words = _CHINESE if chinese else _ENGLISH
    parts = [
        _costs(results["robot-full"] or results["robot"], words),
        _found(results["quality"], results["peers"], words),
    ]
    return "\n".join(part for part in parts if part)


def _costs(robot: dict[str, Any], words: dict[str, str]) -> str:
    sizes = [one["size"] for one in robot.get("trials", {}).get("words", [])]
    if not sizes:
        return ""
    shown = {name: trial_of(robot, name, max(sizes)) for name in PROGRAMS}
    names = [name for name, one in shown.items() if one]
    rows = [
        [words[call], *(cpu_of(shown[name], call) for name in names)]
        for call in ("learn", "recall", "end_session")
    ]
    rows.append([words["bytes"], *(bytes_each(shown[name]) for name in names)])
    columns = [words["costs"].format(size=max(sizes)), *(words[name] for name in names)]
    return table(columns, rows)


def _found(quality: dict[str, Any], peers: dict[str, Any], words: dict[str, str]) -> str:
    """Return what is found: peers only where they were measured on every set."""
    sets = [name for name in SETS if name in quality]
    compared = peers.get("quality", {})
    others = [
        name
        for name in tables_peers.PROGRAMS
        if name != "mnemic"
        and all("recall@10" in compared.get(one, {}).get(name, {}) for one in SETS)
    ]
    rows = [
        [
            words[one],
            share(quality[one]["hybrid"]["recall@10"]),
            share(quality[one]["plain BM25"]["recall@10"]),
            *(share(compared[one][name]["recall@10"]) for name in others),
        ]
        for one in sets
    ]
    columns = [words["found"], words["ours"], words["plain"]]
    columns += [tables_peers.PROGRAMS[name] for name in others]
    return table(columns, rows) if rows else ""


_ENGLISH: Final = {
    "costs": "CPU ms per call, {size:,} memories",
    "learn": "learn",
    "recall": "recall",
    "end_session": "end of a session",
    "bytes": "bytes per memory on disk",
    **PROGRAMS,
    "found": "recall@10, development half",
    "plain": "plain BM25",
    "ours": "Mnemic",
    **{name: title for name, (title, *_) in SETS.items()},
}
_CHINESE: Final = {
    "costs": "每次调用的 CPU 毫秒数，{size:,} 条记忆",
    "learn": "learn（学习）",
    "recall": "recall（回忆）",
    "end_session": "结束一次会话",
    "bytes": "每条记忆占用的磁盘字节数",
    "words": "Mnemic，仅用词语",
    "vectors": "Mnemic，加上向量",
    "robotmem": "robotmem 0.1.3，仅用词语",
    "found": "recall@10，开发集",
    "plain": "普通 BM25",
    "ours": "Mnemic",
    "locomo": "LoCoMo（英文对话）",
    "memdaily": "MemDaily（中文）",
    "alfred": "ALFRED（机器人任务，英文）",
}

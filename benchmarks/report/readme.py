"""The figures in both READMEs."""

from typing import Any, Final

from harness.markdown import columns, day, lookup, records, share, table
from report import peers
from report.quality import SETS
from report.robot import PROGRAMS, bytes_each, trial_of

_ENGLISH: Final = {
    "run": "on {day} ({cores} cores, {cpu})",
    "measured": (
        "Measured: the costs {costs}; what Mnemic and plain BM25 find {ours}; what the other "
        "programs find {others}."
    ),
    "costs": "CPU ms per call, {size:,} memories",
    "learn": "learn",
    "recall": "recall",
    "end_session": "end of a session",
    "bytes": "bytes per memory on disk",
    **PROGRAMS,
    "found": "recall@10, development half",
    "plain": "plain BM25",
    **{name: title for name, (title, *_) in SETS.items()},
}
_CHINESE: Final = {
    "run": "{day}（{cores} 核，{cpu}）",
    "measured": "测量时间和机器：成本 {costs}；Mnemic 与普通 BM25 {ours}；其他程序 {others}。",
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
    "locomo": "LoCoMo（英文对话）",
    "memdaily": "MemDaily（中文）",
    "alfred": "ALFRED（机器人任务，英文）",
}


def write(results: dict[str, Any], *, chinese: bool) -> str:
    """Return the small tables of a README, in its language."""
    words = _CHINESE if chinese else _ENGLISH
    parts = (
        _costs(results["robot-full"] or results["robot"], words),
        _found(results["quality"], lookup(results, "peers/quality") or {}, words),
        _measured(results, words),
    )
    return "\n".join(part for part in parts if part)


def _costs(robot: dict[str, Any], words: dict[str, str]) -> str:
    sizes = [trial["size"] for trial in lookup(robot, "trials/words") or ()]
    if not sizes:
        return ""
    trials = {name: trial_of(robot, name, max(sizes)) for name in PROGRAMS}
    measured = {words[name]: trial for name, trial in trials.items() if trial}
    rows: list[list[object]] = [
        [words[call], *(trial[call]["cpu_ms"] for trial in measured.values())]
        for call in ("learn", "recall", "end_session")
    ]
    rows.append([words["bytes"], *map(bytes_each, measured.values())])
    return table([words["costs"].format(size=max(sizes)), *measured], rows)


def _found(quality: dict[str, Any], compared: dict[str, Any], words: dict[str, str]) -> str:
    """Return what is found: peers only where they were measured on every set."""
    paths = {"Mnemic": "hybrid/recall@10", words["plain"]: "plain BM25/recall@10"}
    paths |= {
        title: f"{name}/recall@10"
        for name, title in peers.PROGRAMS.items()
        if name != "mnemic" and all(lookup(compared, f"{s}/{name}/recall@10") for s in SETS)
    }
    found = [
        (words[name], {**compared.get(name, {}), **quality[name]})
        for name in SETS
        if name in quality
    ]
    return records(words["found"], columns(paths, share), found)


def _measured(results: dict[str, Any], words: dict[str, str]) -> str:
    """Say on which day and machine each part was measured: they are not the same."""
    costs = results["robot-full"] or results["robot"]
    parts = {"costs": costs, "ours": results["quality"], "others": results["peers"]}
    if not all(parts.values()):
        return ""
    runs = {name: words["run"].format(day=day(part), **part["run"]) for name, part in parts.items()}
    return words["measured"].format(**runs) + "\n"

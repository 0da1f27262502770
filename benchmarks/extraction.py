"""What do the rules find in turns that they were not mended against, and what does a model cost?

    python benchmarks/extraction.py [--only rules,model] [--wrong]

The turns stand in tests/chat/extraction/unseen_*.py, judged at the first look. The cost is what
a scripted server is sent for these turns as one chat, one after the other, a fact more each time.
"""

import json
import sys
from collections.abc import Sequence
from datetime import timedelta
from itertools import takewhile
from typing import Any, Final

from harness.measure import time_call
from harness.options import Options
from harness.results import REPOSITORY
from mnemic.chat.extraction.by_model import extract
from mnemic.chat.extraction.extraction import Known, KnownFact, TurnText
from mnemic.language.token_counts import token_estimate
from mnemic.records.conversation import Line

sys.path.append(str(REPOSITORY))
from tests.chat.extraction.reading import THURSDAY, cases, score
from tests.chat.extraction.unseen_chinese import CHINESE
from tests.chat.extraction.unseen_english import ENGLISH
from tests.providers.chat_server import ChatServer, model_at, saying
from tests.providers.scripted_server import Reply

_TURNS: Final = 40


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(__doc__)
    parser.names("--only", ("rules", "model"))
    parser.add_argument("--wrong", action="store_true", help="tell each mistake")
    options = parser.parse_args(arguments)
    if "rules" in options.only:
        for language, turns in (("english", ENGLISH), ("chinese", CHINESE)):
            _rules(language, list(cases(turns)), told=options.wrong)
    if "model" in options.only:
        _model()


def _rules(language: str, turns: list[Any], *, told: bool) -> None:
    timed = time_call(score, [turns])
    facts, loops = timed["answer"]
    print(f"{language}: {len(turns)} turns, {timed['cpu_ms'] / len(turns):.2f} ms CPU each")
    print(f"    facts {facts.row()}\n    loops {loops.row()}")
    if told:
        print("\n".join(f"      {line}" for line in (*facts.wrong, *loops.wrong)))


def _model() -> None:
    """Tell how many tokens a turn costs, and how much of a request its server has seen before."""
    turns = [case.lines for case in cases(ENGLISH)][:_TURNS]
    known, micros, macros, facts = Known(), list[str](), list[str](), ()
    sent, same, before = 0, 0, ""
    with ChatServer(_answer) as server, model_at(server.base) as model:
        for number, lines in enumerate(turns):
            last: tuple[Line, ...] = tuple(turns[number - 1]) if number else ()
            at = THURSDAY + timedelta(minutes=number)
            found = extract(model, TurnText(tuple(lines), (), at, last), known)
            micros.append(found.summary)
            if len(micros) == 12:
                macros.append(f"All in all: {micros[0]}")
                del micros[:8]
            facts = (*facts, KnownFact(f"id-{number:018}", f"ann.fact {number}", "so it is"))
            known = Known(facts=facts[-50:], summaries=(*macros, *micros)[::-1])
        for asked in server.asked:
            text = "".join(message["content"] for message in asked.body["messages"])
            sent += token_estimate(text)
            same += sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, before)))  # noqa: B905
            before = text
    said = sum(token_estimate(line.content) for lines in turns for line in lines)
    print(
        f"model: {len(server.asked) / len(turns):.2f} requests a turn, {sent / len(turns):.0f}"
        f" tokens sent for each ({said / len(turns):.0f} of them the turn), {same / 4 / sent:.0%}"
        " the beginning of the request before"
    )


def _answer(body: dict[str, Any]) -> Reply:
    number = len(str(body["messages"]))
    answer: dict[str, Any] = {
        "micro_summary": f"They spoke for a while, and said what they had in mind ({number}).",
        "facts_to_add": [],
        "facts_to_update": [],
        "facts_to_deprecate": [],
        "open_loops_to_add": [],
        "open_loops_to_resolve": [],
    }
    return saying(json.dumps(answer))


if __name__ == "__main__":
    main()

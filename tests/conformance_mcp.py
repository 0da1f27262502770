"""Judge the results of the conformance suite: `python tests/conformance_mcp.py RESULTS`.

A check may fail only where it needs something that the suite wants a server to have for its sake.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

# What each of these scenarios calls, reads or gets; Mnemic has nothing of that name.
FIXTURES: Final = {
    "tools-call-simple-text": "tool test_simple_text",
    "tools-call-image": "tool test_image_content",
    "tools-call-audio": "tool test_audio_content",
    "tools-call-embedded-resource": "tool test_embedded_resource",
    "tools-call-mixed-content": "tool test_multiple_content_types",
    "tools-call-with-logging": "tool test_tool_with_logging",
    "tools-call-error": "tool test_error_handling",
    "tools-call-with-progress": "tool test_tool_with_progress",
    "tools-call-sampling": "tool test_sampling",
    "tools-call-elicitation": "tool test_elicitation",
    "json-schema-2020-12": "tool json_schema_2020_12_tool",
    "elicitation-sep1034-defaults": "tool test_elicitation_sep1034_defaults",
    "elicitation-sep1330-enums": "tool test_elicitation_sep1330_enums",
    "resources-read-text": "resource test://static-text",
    "resources-read-binary": "resource test://static-binary",
    "resources-templates-read": "resource template test://template/{id}/data",
    "resources-subscribe": "resource test://watched-resource",
    "resources-unsubscribe": "resource test://watched-resource",
    "prompts-get-simple": "prompt test_simple_prompt",
    "prompts-get-with-args": "prompt test_prompt_with_arguments",
    "prompts-get-embedded-resource": "prompt test_prompt_with_embedded_resource",
    "prompts-get-with-image": "prompt test_prompt_with_image",
    "http-custom-header-server-validation": "a tool with x-mcp-header in its schema",
    "input-required-result-basic-elicitation": "tool test_input_required_result_elicitation",
    "input-required-result-basic-sampling": "tool test_input_required_result_sampling",
    "input-required-result-basic-list-roots": "tool test_input_required_result_list_roots",
    "input-required-result-request-state": "tool test_input_required_result_request_state",
    "input-required-result-multiple-input-requests": "tool "
    "test_input_required_result_multiple_inputs",
    "input-required-result-multi-round": "tool test_input_required_result_multi_round",
    "input-required-result-non-tool-request": "prompt test_input_required_result_prompt",
    "input-required-result-result-type": "tool test_input_required_result_elicitation",
    "input-required-result-tampered-state": "tool test_input_required_result_tampered_state",
    "input-required-result-capability-check": "tool test_input_required_result_capabilities",
}
# Single checks of a scenario whose other checks must pass.
SINGLE: Final = {
    "sep-2575-server-rejects-undeclared-capability": "tool test_missing_capability",
    "sep-2575-missing-capability-http-400": "tool test_missing_capability",
    "sep-2575-http-server-no-independent-requests-on-stream": "tool test_streaming_elicitation",
    "sep-2575-server-no-log-without-loglevel": "tool test_logging_tool",
}
_LEAST_SCENARIOS: Final = 60
_TIME: Final = re.compile(r"-\d{4}-\d\d-\d\dT[\dZ-]+$")


def main() -> int:
    """Print a line for each scenario; return 1 where one fails that should not."""
    results = Path(sys.argv[1])
    wrong = judged = 0
    for version in sorted(results.iterdir()):
        for folder in sorted(version.iterdir()):
            scenario = _TIME.sub("", folder.name.removeprefix("server-"))
            checks = json.loads((folder / "checks.json").read_text("utf-8"))
            failed = list(_failed(checks))
            needed = FIXTURES.get(scenario)
            bad = [] if needed else [one for one in failed if one["id"] not in SINGLE]
            judged += 1
            wrong += bool(bad)
            verdict = "FAILS" if bad else f"needs {needed}" if needed and failed else "passes"
            _say(f"{version.name}  {scenario}: {verdict}")
            for one in failed if not needed else ():
                _say(f"    {one['id']}: {SINGLE.get(one['id']) or one.get('errorMessage')}")
    _say(f"{judged} scenarios, {wrong} that should pass and do not")
    return int(wrong > 0 or judged < _LEAST_SCENARIOS)


def _failed(checks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (one for one in checks if one["status"] == "FAILURE")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())

"""The configurations that the cluster runs on are those that the how-to is about."""

import re
from pathlib import Path

import pytest

from tests.ha import cluster, node, pooling

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "high-availability.md"


@pytest.mark.parametrize("template", [node.TEMPLATE, pooling.TEMPLATE], ids=lambda path: path.name)
def test_the_how_to_explains_every_name_that_a_template_leaves_open(template: Path) -> None:
    names = set(re.findall(r"\$\{(\w+)\}", template.read_text("utf-8")))
    page = HOW_TO.read_text("utf-8")

    assert names
    assert [name for name in sorted(names) if f"\n| `{name}` |" not in page] == []


def test_the_how_to_connects_with_the_options_that_were_tested() -> None:
    assert f"?{cluster.OPTIONS}" in HOW_TO.read_text("utf-8")


def test_patroni_has_time_to_lose_a_primary_before_another_takes_over() -> None:
    text = node.TEMPLATE.read_text("utf-8")
    ttl, loop_wait, retry_timeout = (
        int(re.findall(rf"^ +{name}: (\d+)$", text, re.MULTILINE)[0])
        for name in ("ttl", "loop_wait", "retry_timeout")
    )

    assert ttl >= 20
    assert ttl >= loop_wait + 2 * retry_timeout

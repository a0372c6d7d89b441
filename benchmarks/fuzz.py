"""
Throw generated inputs at the parser of SKILL.md files and at the query language for a while.

    python benchmarks/fuzz.py [--seconds 600] [--json FILE]

Hypothesis mutates bytes, almost-YAML and queries; each must give a value and keep its law:
parsing never raises and gives a skill or an error, a printed query reads back, a rendered skill
is four lines.  The first input that breaks a law is printed, smallest form, and ends the run with 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from skill_index import Origin, RawSkill, Severity, parse_query
from skill_index.parsing import parse_skill
from skill_index.render import skill_block
from skill_index.testing import laws, strategies

ORIGIN = Origin("fuzz", "/fuzz", "x/SKILL.md")
SIGNS = [
    *[
        "---\n",
        "name: a\n",
        "description: b\n",
        "allowed-tools: ",
        "metadata:\n",
        "  - ",
        ": ",
        "- ",
        "[",
        "]",
    ],
    *[
        "{",
        "}",
        '"',
        "'",
        "|",
        ">",
        "&a ",
        "*a ",
        "!!x ",
        "# ",
        "\t",
        "\r\n",
        "\ufeff",
        "\u2028",
        "%",
        "@",
        "`",
    ],
]
ALMOST_YAML = st.lists(st.sampled_from(SIGNS) | st.text(max_size=4), max_size=30).map("".join)
FILES = (
    st.binary(max_size=300)
    | ALMOST_YAML.map(lambda text: text.encode("utf-8", "surrogatepass"))
    | ALMOST_YAML.map(
        lambda text: f"---\nname: a\ndescription: d\n{text}\n---\nBody".encode("utf-8", "surrogatepass")
    )
    | strategies.broken_files()
    | strategies.good_files().map(str.encode)
)


def check_file(data: bytes) -> None:
    """Check that any bytes give a skill or an error, and a skill renders to four lines."""
    for strict in (False, True):
        parsed = parse_skill(RawSkill(ORIGIN, data), strict=strict)
        refused = any(finding.severity is Severity.ERROR for finding in parsed.findings)
        if (parsed.skill is None) is not refused:
            raise AssertionError(data)
        if parsed.skill is not None and len(skill_block("a", parsed.skill).splitlines()) != 4:
            raise AssertionError(data)


def check_query(text: str) -> None:
    """Check that any text reads, and reads back from what it prints."""
    laws.parses_back(parse_query, text)


TARGETS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], None]]] = {
    "files": (FILES, check_file),
    "queries": (strategies.queries() | st.text(max_size=200), check_query),
}


def main() -> int:
    """Run every target for its share of the time."""
    parser = argparse.ArgumentParser(description="Fuzz the file parser and the query language.")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for name, (strategy, check) in TARGETS.items():
        run(name, strategy, check, time.monotonic() + options.seconds / len(TARGETS), counts)
        print(f"{name}: {counts[name]:,} inputs, no law broken")
    if options.json:
        figures = {"seconds": options.seconds, "inputs": dict(counts)}
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0


def run(
    name: str,
    strategy: st.SearchStrategy[Any],
    check: Callable[[Any], None],
    until: float,
    counts: Counter[str],
) -> None:
    """Check generated inputs until the time is up; a broken law raises with its smallest input."""

    @settings(
        max_examples=2_000,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def batch(value: Any) -> None:
        counts[name] += 1
        check(value)

    while time.monotonic() < until:
        batch()


if __name__ == "__main__":
    sys.exit(main())

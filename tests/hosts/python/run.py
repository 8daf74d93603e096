"""Checks what hosts make of the published tools: `python run.py LISTS SENT`.

`LISTS` has the tools of each program. `SENT` has what the hosts in TypeScript make of them; the hosts in Python are
called here.
"""

import json
import sys
from pathlib import Path
from typing import Any

from mcp.types import Tool

from hosts import CONVERTERS, NotStrict, known_to_gemini
from kept import losses, unportable

Schema = dict[str, Any]

HERE = Path(__file__).parent.parent
LISTS = json.loads(Path(sys.argv[1]).read_text())
SENT = json.loads(Path(sys.argv[2]).read_text())
# What each host makes of the tools that no schema describes for all of them: "whole", "in part", "not strict"
# or "refused".
UNPORTABLE: dict[str, dict[str, str]] = json.loads((HERE / "unportable.json").read_text())
FAULTS = json.loads((HERE / "faults.json").read_text())
HOSTS = [*CONVERTERS, *SENT]


def sent(host: str, program: str, tool: dict[str, Any]) -> Schema:
    """Returns the schema that the host sends to its model for this tool, or fails as the host does."""
    if host in CONVERTERS:
        return CONVERTERS[host](Tool.model_validate(tool))
    found = SENT[host][program][tool["name"]]
    if "error" in found:
        raise ValueError(found["error"])
    return known_to_gemini(found["parameters"]) if host == "@ai-sdk/google" else found["parameters"]


def found(host: str, program: str, tool: dict[str, Any]) -> list[str]:
    """Returns what the host loses of the tool, one line for each place."""
    try:
        return list(losses(tool["inputSchema"], sent(host, program, tool)))
    except NotStrict:
        return ["not strict"]
    except Exception as error:
        words = " ".join(str(error).split())
        return [f"refused: {type(error).__name__}: {words[:300]}"]


def outcome(lines: list[str]) -> str:
    """Returns in a word what `found` says."""
    if not lines:
        return "whole"
    word, _, _ = lines[0].partition(":")
    return word if word in ("not strict", "refused") else "in part"


problems: list[str] = []
tools = [(program, tool) for program, listed in LISTS.items() if program != "faults" for tool in listed]
for program, tool in tools:
    place = f"{program}/{tool['name']}"
    expected = UNPORTABLE.get(place)
    if expected is None:
        problems += (f"{place}: {line}" for line in unportable(tool["inputSchema"]))
    for host in HOSTS:
        lines = found(host, program, tool)
        if expected is None:
            problems += (f"{host}: {place}: {line}" for line in lines)
        elif outcome(lines) != expected.get(host, "whole"):
            problems.append(f"{host}: {place}: not {expected.get(host, 'whole')}: {lines}")

# Each host has a fault that is found, so that none of them accepts everything.
assert {fault["host"] for fault in FAULTS} == set(HOSTS)
for fault, tool in zip(FAULTS, LISTS["faults"], strict=True):
    lines = [*unportable(tool["inputSchema"]), *found(fault["host"], "faults", tool)]
    if not any(fault["says"] in line for line in lines):
        problems.append(f"{fault['host']}: {fault['fault']} is not found: {lines}")

print(*problems, sep="\n", end="\n" if problems else "", file=sys.stderr)
print(f"Hosts: {len(tools)} tools, {len(HOSTS)} hosts, {len(problems)} problems")
sys.exit(1 if problems else 0)

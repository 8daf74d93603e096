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
from kept import is_whole, losses

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
    try:
        return losses(tool["inputSchema"], sent(host, program, tool))
    except Exception as error:
        words = " ".join(str(error).split())
        return [f"refused: {type(error).__name__}: {words[:300]}"]


def outcome(host: str, program: str, tool: dict[str, Any]) -> str:
    try:
        return "whole" if is_whole(tool["inputSchema"], sent(host, program, tool)) else "in part"
    except NotStrict:
        return "not strict"
    except Exception:
        return "refused"


problems: list[str] = []
tools = 0
for program, listed in LISTS.items():
    if program == "faults":
        continue
    for tool in listed:
        tools += 1
        for host in HOSTS:
            if expected := UNPORTABLE.get(f"{program}/{tool['name']}"):
                actual = outcome(host, program, tool)
                lines = [] if actual == expected.get(host, "whole") else [f"{actual}, not as expected"]
            else:
                lines = found(host, program, tool)
            problems += (f"{host}: {program}/{tool['name']}: {line}" for line in lines)

# Each host has a fault that is found, so that none of them accepts everything.
assert {fault["host"] for fault in FAULTS} == set(HOSTS)
for fault, tool in zip(FAULTS, LISTS["faults"], strict=True):
    lines = found(fault["host"], "faults", tool)
    if not any(fault["says"] in line for line in lines):
        problems.append(f"{fault['host']}: {fault['fault']} is not found: {lines}")

print(*problems, sep="\n", end="\n" if problems else "", file=sys.stderr)
print(f"Hosts: {tools} tools, {len(HOSTS)} hosts, {len(problems)} problems")
sys.exit(1 if problems else 0)

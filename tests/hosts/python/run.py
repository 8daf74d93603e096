"""Runs the converters of hosts: `python run.py LISTS SENT`.

`LISTS` has the tools that each program publishes, `SENT` what the hosts in TypeScript make of them.
"""

import json
import sys
from pathlib import Path
from typing import Any

from hosts import HOSTS, gemini
from kept import losses

lists: dict[str, list[dict[str, Any]]] = json.loads(Path(sys.argv[1]).read_text())
for program, tools in lists.items():
    for tool in tools:
        for host, convert in HOSTS.items():
            try:
                found = losses(tool["inputSchema"], convert(tool))
            except Exception as error:
                found = [f"refused: {type(error).__name__}: {error}"[:200]]
            for line in found:
                print(f"{host}: {program}/{tool['name']}: {line}")

"""The ways from a client to a server that is started for it."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import StdioServerParameters


@asynccontextmanager
async def over_stdio(program: Path, env: dict[str, str]) -> AsyncIterator[StdioServerParameters]:
    """At the standard input and output of a process."""
    yield StdioServerParameters(command=str(program), env=env)


@asynccontextmanager
async def over_http(program: Path, env: dict[str, str]) -> AsyncIterator[str]:
    """At a URL, where a process listens that says so on standard error."""
    arguments = ["http", "--addr", "127.0.0.1:0"]
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(program, *arguments, env=os.environ | env, stderr=pipe)
    try:
        # Warnings come first.
        async for line in server.stderr:
            if url := re.search(r"http:\S+", line.decode()):
                break
        yield url.group()
    finally:
        server.kill()
        await server.communicate()

"""The official Python client, in each era and each way."""

import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.types import (
    PromptListChangedNotification,
    ResourceListChangedNotification,
    ResourceUpdatedNotification,
    ToolListChangedNotification,
)

from ways import over_http, over_stdio

PROGRAMS = Path(sys.argv[1]).resolve()
ROOT = Path(__file__).resolve().parents[3]
FIXTURE = ROOT / "examples/code_search/fixture"
PAGES = ROOT / "examples/docs_server/docs"
SOURCES = ROOT / "examples/pipelines/data"
# These only end what hangs, in seconds: a whole test, and a wait in it.
PATIENCE = 180
WAIT = 60

LISTS = {
    ToolListChangedNotification: "tools",
    PromptListChangedNotification: "prompts",
    ResourceListChangedNotification: "resources",
}


@dataclass
class Era:
    """How the client may begin to speak, and the revision it must end up with."""

    mode: str
    revision: str


ERAS = [Era("2026-07-28", "2026-07-28"), Era("auto", "2026-07-28"), Era("legacy", "2025-11-25")]
WAYS = [over_stdio, over_http]


@dataclass
class Options:
    """What a test wants of its connection."""

    searched: Path = FIXTURE
    log_level: str | None = None
    # With this the client has forms: it answers them.
    answer: Callable[[Any], Awaitable[Any]] | None = None
    # With this it has a model, which may be able to do more.
    sample: Callable[[Any], Awaitable[Any]] | None = None
    sampling: Any = None


@dataclass
class Connected:
    client: Client
    era: Era
    logs: list[Any] = field(default_factory=list)
    # What it was told about changes: a list, or the URI of a resource.
    notices: list[str] = field(default_factory=list)


Test = Callable[[Connected], Awaitable[None]]


@asynccontextmanager
async def connect(program: str, era: Era, way: Any, options: Options):
    logs: list[Any] = []
    notices: list[str] = []

    async def note(message: Any) -> None:
        if type(message) in LISTS:
            notices.append(LISTS[type(message)])
        elif isinstance(message, ResourceUpdatedNotification):
            notices.append(str(message.params.uri))

    async def keep(message: Any) -> None:
        logs.append(message)

    async def answer(_: Any, params: Any) -> Any:
        return await options.answer(params)

    async def sample(_: Any, params: Any) -> Any:
        return await options.sample(params)

    level = options.log_level
    asks = {
        "message_handler": note,
        "elicitation_callback": answer if options.answer else None,
        "sampling_callback": sample if options.sample else None,
        "sampling_capabilities": options.sampling,
    }
    async with served(program, way, options) as server:
        client = Client(server, mode=era.mode, logging_callback=keep, log_level=level, **asks)
        async with client:
            # A session says once what a modern client says with every request.
            if level and era.mode == "legacy":
                await client.set_logging_level(level)
            yield Connected(client, era, logs, notices)


@asynccontextmanager
async def served(program: str, way: Any, options: Options):
    """Starts the server."""
    environment = {"CODE_SEARCH_ROOT": str(options.searched), "TODO_DB": ":memory:", "DOCS_ROOT": str(PAGES)}
    # Pipelines write reports, so each test has a copy of the data.
    with tempfile.TemporaryDirectory() as folder:
        data = shutil.copytree(SOURCES, Path(folder) / "data", ignore=shutil.ignore_patterns("reports"))
        async with way(PROGRAMS / program, environment | {"PIPELINES_DATA": str(data)}) as server:
            yield server


def text(result: Any) -> str:
    assert not result.is_error, result
    return result.content[0].text


def failure(result: Any) -> str:
    assert result.is_error, result
    return result.content[0].text

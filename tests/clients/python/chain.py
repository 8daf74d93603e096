"""The official Python client before the gateway of `typescript/chain/run.mjs`, and the same servers behind it:
`python chain.py DIRECTORY_OF_PROGRAMS`."""

import asyncio
import json
import shutil
import sys
import tempfile
import traceback
import warnings
from itertools import product
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.types import ResourceUpdatedNotification
from mcp_types import CreateMessageResult, ElicitResult, PromptReference, TextContent

from clients import ROOT, Era, text
from ways import over_http, over_stdio

# Logging and sampling are deprecated, and tested nevertheless.
warnings.simplefilter("ignore")

PROGRAMS = Path(sys.argv[1]).resolve()
TOOLS = ["order", "consult", "work", "slow", "change", "process_id"]
SERVERS = [f"{sdk}_{era}" for sdk, era in product(["ts", "py", "rmcp"], ["modern", "session"])]
ERAS = [Era("2026-07-28", "2026-07-28"), Era("legacy", "2025-11-25")]
# The calls of this server can run in other processes than that which was subscribed to.
TELLS_ONE = "ts_session"
PATIENCE = 60


def config(folder: Path) -> Path:
    commands = {
        "ts": [shutil.which("node"), str(ROOT / "tests/clients/typescript/chain/server.mjs")],
        "py": [sys.executable, str(ROOT / "tests/clients/python/chain_server.py")],
        "rmcp": [str(PROGRAMS / "examples/chain_rmcp")],
    }
    tables = []
    for name in SERVERS:
        sdk, era = name.split("_")
        words = [*commands[sdk], era, name, str(folder / "effects")]
        tables.append(f"[servers.{name}]\ncommand = {json.dumps(words)}\n")
    file = folder / "gather.toml"
    file.write_text("\n".join(tables))
    (folder / "effects").touch()
    return file


class Chain:
    """One client, with the answers that it gives and what it has heard."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.answer = ElicitResult(action="decline")
        self.logs: list[Any] = []
        self.notices: list[str] = []
        self.client: Any = None

    async def form(self, _: Any, __: Any) -> ElicitResult:
        return self.answer

    async def model(self, _: Any, __: Any) -> CreateMessageResult:
        content = TextContent(type="text", text="yes")
        return CreateMessageResult(role="assistant", content=content, model="model-1", stop_reason="endTurn")

    async def log(self, message: Any) -> None:
        self.logs.append(message.data)

    async def note(self, message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            self.notices.append(str(message.params.uri))

    def done(self, name: str) -> list[str]:
        lines = (self.folder / "effects").read_text().splitlines()
        return [line.removeprefix(f"{name}: ") for line in lines if line.startswith(f"{name}: ")]

    async def call(self, name: str, tool: str, arguments: dict[str, Any] | None = None, **options: Any) -> str:
        return text(await self.client.call_tool(f"{name}_{tool}", arguments or {}, **options))


async def until(holds: Any) -> None:
    while not await holds() if asyncio.iscoroutinefunction(holds) else not holds():
        await asyncio.sleep(0.01)


async def lists(c: Chain, name: str, _: Era) -> None:
    listed = [tool.name for tool in (await c.client.list_tools()).tools]
    assert [tool for tool in listed if tool.startswith(f"{name}_")] == [f"{name}_{tool}" for tool in TOOLS], listed


async def fills_in_a_form(c: Chain, name: str, _: Era) -> None:
    c.answer = ElicitResult(action="accept", content={"amount": 3})
    assert await c.call(name, "order") == "ordered 3"
    c.answer = ElicitResult(action="decline")
    assert await c.call(name, "order") == "nothing ordered"
    assert [line for line in c.done(name) if line.startswith("ordered")] == ["ordered 3"]


async def asks_a_model(c: Chain, name: str, _: Era) -> None:
    assert await c.call(name, "consult", {"topic": "Really?", "tools": False}) == "said yes"


async def hears_progress_and_logs(c: Chain, name: str, _: Era) -> None:
    reports = []

    async def report(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total, message))

    c.logs.clear()
    assert await c.call(name, "work", progress_callback=report) == "worked"
    # The gateway sends the first and the last report, and drops one that comes within 50 ms: on a busy machine, the second.
    expected = [(step, 3, f"step {step}") for step in (1, 2, 3)]
    assert reports in (expected, [expected[0], expected[2]]), reports
    await until(lambda: len(c.logs) >= 3)
    assert c.logs == [f"step {step}" for step in (1, 2, 3)], c.logs


async def cancels(c: Chain, name: str, _: Era) -> None:
    call = asyncio.create_task(c.call(name, "slow"))
    await until(lambda: any(line.startswith("slow began") for line in c.done(name)))
    call.cancel()
    try:
        await call
        raise AssertionError("the call ended")
    except asyncio.CancelledError:
        pass
    await until(lambda: "slow cancelled" in c.done(name))


async def sees_a_resource_change(c: Chain, name: str, era: Era) -> None:
    uri = f"chain://{name}/note"

    async def changes() -> bool:
        # The gateway subscribes after it has answered, so the first change can be too early.
        assert await c.call(name, "change", {"words": f"changed, {era.mode}"}) == "changed"
        await asyncio.sleep(0.2)
        return uri in c.notices or name == TELLS_ONE

    if era.revision == "2026-07-28":
        async with c.client.listen(resource_subscriptions=[uri]):
            await until(changes)
    else:
        await c.client.subscribe_resource(uri)
        await until(changes)
        await c.client.unsubscribe_resource(uri)
    assert (await c.client.read_resource(uri)).contents[0].text == f"changed, {era.mode}"


async def gets_a_prompt(c: Chain, name: str, _: Era) -> None:
    prompt = await c.client.get_prompt(f"{name}_greet", {"who": "Ada"})
    assert prompt.messages[0].content.text == "Greet Ada."
    reference = PromptReference(type="ref/prompt", name=f"{name}_greet")
    found = await c.client.complete(reference, {"name": "who", "value": "a"})
    assert found.completion.values == ["ada", "alan"], found


CHECKS = [
    lists,
    fills_in_a_form,
    asks_a_model,
    hears_progress_and_logs,
    cancels,
    sees_a_resource_change,
    gets_a_prompt,
]


async def run(way: Any, era: Era) -> tuple[int, int]:
    """Runs all checks of one client, and returns how many passed and failed."""
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        chain = Chain(Path(name))
        asks = {"elicitation_callback": chain.form, "sampling_callback": chain.model, "message_handler": chain.note}
        async with way(PROGRAMS / "gather", {"GATHER_CONFIG": str(config(chain.folder))}) as server:
            async with Client(server, mode=era.mode, logging_callback=chain.log, log_level="info", **asks) as client:
                chain.client = client
                if era.mode == "legacy":
                    await client.set_logging_level("info")

                async def all_listed() -> bool:
                    return len((await client.list_tools()).tools) == len(SERVERS) * len(TOOLS)

                # On a busy machine some servers begin late.
                async with asyncio.timeout(PATIENCE):
                    await until(all_listed)
                for server_name, check in product(SERVERS, CHECKS):
                    try:
                        async with asyncio.timeout(PATIENCE):
                            await check(chain, server_name, era)
                        passed += 1
                    except Exception:
                        failed += 1
                        print(f"FAILED {way.__name__}, {era.mode}: {server_name}: {check.__name__}", file=sys.stderr)
                        traceback.print_exc()
    return passed, failed


async def main() -> int:
    counts = [await run(way, era) for way, era in product([over_stdio, over_http], ERAS)]
    passed, failed = (sum(numbers) for numbers in zip(*counts))
    print(f"Python client before a gateway: {passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(asyncio.run(main()))

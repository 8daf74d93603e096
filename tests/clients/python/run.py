"""Runs the official Python client against the examples: `python run.py DIRECTORY_OF_PROGRAMS [PROGRAM]`."""

import asyncio
import json
import sys
import traceback
import warnings
from itertools import product
from typing import Any

from mcp.shared.exceptions import MCPError

from booking import BOOKING
from changes import CHANGES
from clients import ERAS, FIXTURE, PATIENCE, ROOT, WAIT, WAYS, Connected, Options, Test, connect, failure, text
from docs import DOCS
from pipelines import PIPELINES
from sampling import SAMPLING
from signup import SIGNUP
from todo import TODO

# Logging and sampling are deprecated, and tested nevertheless.
warnings.simplefilter("ignore")

TESTS: list[tuple[str, Test, Options]] = []


def test(program: str, **options: Any) -> Any:
    def register(body: Test) -> Test:
        TESTS.append((program, body, Options(**options)))
        return body

    return register


@test("hello")
async def connects_lists_and_calls(c: Connected) -> None:
    assert c.client.protocol_version == c.era.revision
    assert [tool.name for tool in (await c.client.list_tools()).tools] == ["greet"]
    assert text(await c.client.call_tool("greet", {"name": 'Wörld "😀"\n'})) == 'Hello, Wörld "😀"\n!'
    # A client that is told the revision does not ask the server who it is.
    if c.era.mode != "2026-07-28":
        assert c.client.server_info.name == "hello"


@test("flights")
async def lists_tools(c: Connected) -> None:
    tools = (await c.client.list_tools()).tools
    shown = ["search_flights", "get_flight", "list_airports", "seat_map"]
    modern = c.era.revision == "2026-07-28"
    assert [tool.name for tool in tools] == ([*shown, "choose_seat", "book_flight"] if modern else shown)
    for tool in tools[: len(shown)]:
        assert tool.input_schema["type"] == "object"
        assert tool.output_schema["type"] == "object"
        assert tool.title and tool.annotations.read_only_hint is True


@test("flights")
async def calls_with_structured_results(c: Connected) -> None:
    # The list tells the client the output schemas by which it judges the results.
    await c.client.list_tools()
    arguments = {"destination": "OSL", "origin": "LHR", "max_price": 150, "limit": 2}
    result = await c.client.call_tool("search_flights", arguments)
    found = json.loads(text(result))
    assert len(found["flights"]) == 2
    assert result.structured_content == found
    flight = await c.client.call_tool("get_flight", {"id": found["flights"][0]["id"]})
    assert flight.structured_content["origin"] == "LHR"
    airports = await c.client.call_tool("list_airports", {})
    assert len(airports.structured_content["airports"]) > 3


@test("flights")
async def tells_the_model_what_is_wrong(c: Connected) -> None:
    await c.client.list_tools()
    assert "did you mean `OSL`" in failure(await c.client.call_tool("search_flights", {"destination": "OSLO"}))
    wrong = {"destination": "OSL", "limit": 0, "date": "tomorrow"}
    words = failure(await c.client.call_tool("search_flights", wrong))
    assert "`limit`" in words and "between 1 and 50" in words and "`date`" in words
    assert "`id`" in failure(await c.client.call_tool("get_flight", {}))


@test("flights")
async def refuses_an_unknown_tool(c: Connected) -> None:
    try:
        await c.client.call_tool("pay_flight", {"id": "AL108-04"})
    except MCPError as error:
        assert error.error.code == -32602 and "Unknown tool: pay_flight" in error.error.message, error.error
    else:
        raise AssertionError("the call succeeded")
    assert (await c.client.list_tools()).tools


@test("code_search")
async def calls_every_tool(c: Connected) -> None:
    tools = (await c.client.list_tools()).tools
    assert [tool.name for tool in tools] == ["search", "find_files", "read_lines", "outline"]
    files = await c.client.call_tool("find_files", {"globs": ["*.rs"]})
    assert files.structured_content["files"] == ["src/average.rs", "src/lib.rs"]
    lines = await c.client.call_tool("read_lines", {"path": "src/lib.rs", "first": 9, "count": 1})
    assert "pub struct Reading" in text(lines)
    outline = await c.client.call_tool("outline", {"path": "tools/report.py"})
    assert outline.structured_content["language"] == "Python"
    found = await c.client.call_tool("search", {"pattern": "TODO"})
    assert found.structured_content["files"][0]["path"] == "src/average.rs"
    assert "not a regular expression" in failure(await c.client.call_tool("search", {"pattern": "fn ("}))
    assert "leads out of the tree" in failure(await c.client.call_tool("read_lines", {"path": "../src/main.rs"}))


async def reports_of(c: Connected, tool: str, arguments: dict[str, Any]) -> list[tuple[float, float | None, str | None]]:
    reports: list[tuple[float, float | None, str | None]] = []

    async def keep(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total, message))

    assert not (await c.client.call_tool(tool, arguments, progress_callback=keep)).is_error
    return reports


@test("code_search", searched=ROOT)
async def reports_progress(c: Connected) -> None:
    reports = await reports_of(c, "search", {"pattern": "f[nu]"})
    assert reports
    assert all(before[0] < after[0] for before, after in zip(reports, reports[1:]))
    progress, total, message = reports[0]
    assert message == f"{progress:.0f} of {total:.0f} files", message


@test("probe")
async def reports_every_step(c: Connected) -> None:
    reports = await reports_of(c, "report", {"values": [1, 2, 3], "total": 3, "pause": 100})
    assert reports == [(1, 3, "on it"), (2, 3, "on it"), (3, 3, "on it")], reports


@test("code_search", log_level="debug")
async def logs_at_the_level_asked_for(c: Connected) -> None:
    await c.client.call_tool("search", {"pattern": "TODO"})
    async with asyncio.timeout(WAIT):
        while not c.logs:
            await asyncio.sleep(0.01)
    [log] = c.logs
    assert (log.level, log.logger) == ("debug", "search") and "logo.png" in log.data, log


@test("code_search", log_level="info")
async def logs_nothing_below_the_level(c: Connected) -> None:
    await c.client.call_tool("search", {"pattern": "TODO"})
    await asyncio.sleep(0.05)
    assert c.logs == []


@test("code_search")
async def logs_nothing_unasked(c: Connected) -> None:
    await c.client.call_tool("search", {"pattern": "TODO"})
    await asyncio.sleep(0.05)
    assert c.logs == []


async def held(c: Connected) -> int:
    return int(text(await c.client.call_tool("held", {})))


@test("probe")
async def cancels(c: Connected) -> None:
    call = asyncio.create_task(c.client.call_tool("hold", {}))
    while await held(c) != 1:
        pass
    call.cancel()
    try:
        await call
        raise AssertionError("the call succeeded")
    except asyncio.CancelledError:
        pass
    while await held(c) != 0:
        pass
    assert text(await c.client.call_tool("echo", {"text": "still here"})) == "still here"


@test("probe")
async def survives_panics_and_answers_calls_side_by_side(c: Connected) -> None:
    assert "panicked" in failure(await c.client.call_tool("panic_later", {}))
    times = [60 - index for index in range(50)]
    results = await asyncio.gather(*(c.client.call_tool("nap", {"milliseconds": time}) for time in times))
    assert [text(result) for result in results] == [f"slept {time} ms" for time in times]
    try:
        await c.client.call_tool("unserializable", {})
        raise AssertionError("the call succeeded")
    except MCPError as error:
        assert error.error.code == -32603


@test("probe")
async def understands_every_kind_of_content(c: Connected) -> None:
    content = (await c.client.call_tool("gallery", {})).content
    kinds = ["text", "image", "audio", "resource_link", "resource", "resource"]
    assert [block.type for block in content] == kinds


async def main() -> int:
    passed = failed = 0
    only = sys.argv[2] if len(sys.argv) > 2 else None
    all_tests = TESTS + BOOKING + CHANGES + DOCS + PIPELINES + SIGNUP + SAMPLING + TODO
    for way, era in product(WAYS, ERAS):
        for program, body, options in all_tests:
            if only and program != only:
                continue
            try:
                async with asyncio.timeout(PATIENCE), connect(program, era, way, options) as connected:
                    await body(connected)
                passed += 1
            except Exception:
                failed += 1
                print(f"FAILED {way.__name__}, {era.mode}: {program}: {body.__name__}", file=sys.stderr)
                traceback.print_exc()
    print(f"Python client: {passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(asyncio.run(main()))

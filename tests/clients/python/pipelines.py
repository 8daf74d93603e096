"""The example `pipelines`: one tool with many actions, whose runs outlive their calls."""

import json
from typing import Any

from mcp.types import ElicitResult

from clients import Connected, Options, Test, failure, text
from forms import check_form

ASKED: list[Any] = []


async def call(c: Connected, action: str, params: dict[str, Any] | None = None) -> Any:
    arguments = {"action": action} | ({"params": params} if params else {})
    result = await c.client.call_tool("pipelines", arguments)
    envelope = json.loads(text(result))
    assert envelope == result.structured_content and envelope["action"] == action, result
    return envelope["result"]


async def lists_describes_runs_and_shows_the_status(c: Connected) -> None:
    tool, chart = (await c.client.list_tools()).tools
    assert chart.name == "chart_rows" and tool.name == "pipelines" and list(tool.input_schema["properties"]) == ["action", "params"]
    names = [one["name"] for one in await call(c, "list")]
    assert names == ["product_sales", "revenue_by_region", "top_customers"]
    month, minimum, _ = (await call(c, "describe", {"name": "revenue_by_region"}))["params"]
    assert (month["values"][1], minimum["default"], minimum["range"]) == ("2026-02", 0, "at least 0")

    inputs = {"month": month["values"][1], "minimum": 50}
    ended = await call(c, "run", {"name": "revenue_by_region", "inputs": inputs, "wait": True})
    assert ended["status"] == "completed", ended
    # With the defaults of the pipeline.
    resolved = {"name": "revenue_by_region", "inputs": {**inputs, "report": "csv"}, "overwrite": False}
    assert ended["resolved_inputs"] == resolved
    assert ended["outputs"]["first_rows"][0] == {"region": "north", "orders": 1, "revenue": 237}
    assert ended["outputs"]["written"] == ["reports/revenue_by_region.csv"]
    status = await call(c, "status", {"run_id": ended["run_id"], "include_trace": True})
    assert status["outputs"] == ended["outputs"]
    kinds = [entry["data"]["kind"] for entry in status["trace"] if entry["event"] == "log"]
    assert kinds == ["read", "filter", "join", "aggregate", "sort", "write"], kinds


async def tells_the_model_what_is_wrong_with_an_action(c: Connected) -> None:
    misspelt = failure(await c.client.call_tool("pipelines", {"action": "descrbe"}))
    assert "Did you mean 'describe'" in misspelt, misspelt
    wrong = {"action": "run", "params": {"nam": "top_customers", "wait": "yes"}}
    words = failure(await c.client.call_tool("pipelines", wrong))
    assert "did you mean `name`" in words and "`wait` must be" in words and "`name` is required" in words, words


async def answer(params: Any) -> ElicitResult:
    ASKED.append(params)
    return ElicitResult(action="accept", content={"replace": True})


async def asks_in_mid_run(c: Connected) -> None:
    ASKED.clear()
    first = await call(c, "run", {"name": "top_customers", "inputs": {"count": 1}, "wait": True})
    assert first["status"] == "completed" and not ASKED, first
    started = await call(c, "run", {"name": "top_customers", "inputs": {"count": 2}})
    assert started["status"] in ("working", "input_required"), started
    ended = await call(c, "status", {"run_id": started["run_id"], "wait": True})
    assert ended["status"] == "completed" and ended["outputs"]["rows"] == 2, ended
    [asked] = ASKED
    assert asked.message == "`reports/top_customers.csv` exists. Replace it?"
    check_form(c.era.revision, asked.model_dump(by_alias=True, exclude_unset=True))


PIPELINES: list[tuple[str, Test, Options]] = [
    ("pipelines", lists_describes_runs_and_shows_the_status, Options()),
    ("pipelines", tells_the_model_what_is_wrong_with_an_action, Options()),
    ("pipelines", asks_in_mid_run, Options(answer=answer)),
]

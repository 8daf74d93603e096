"""The tools of the example `todo`, which are the methods of a contract."""

import json
from typing import Any

from clients import Connected, Options, Test, failure, text


async def creates_reads_updates_and_deletes(c: Connected) -> None:
    names = [tool.name for tool in (await c.client.list_tools()).tools]
    assert {"todos_create", "todos_search", "users_create"} <= set(names), names

    async def call(tool: str, arguments: dict[str, Any]) -> Any:
        return json.loads(text(await c.client.call_tool(tool, arguments)))

    assert await call("users_create", {"name": "Ann"}) == {"id": 1, "name": "Ann"}
    created = await c.client.call_tool("todos_create", {"title": "buy milk", "assignee": 1})
    milk = {"id": 1, "title": "buy milk", "done": False, "assignee": 1}
    assert json.loads(text(created)) == created.structured_content == milk
    done = milk | {"done": True}
    assert await call("todos_update", done) == done
    assert await call("todos_list", {"done": True}) == {"items": [done], "total": 1}
    assert await call("todos_search", {"text": "MILK"}) == [done]
    assert await call("todos_delete", {"id": 1}) is None
    assert failure(await c.client.call_tool("todos_get", {"id": 1})) == "there is no todo 1"
    assert "`title`" in failure(await c.client.call_tool("todos_create", {"title": ""}))


TODO: list[tuple[str, Test, Options]] = [("todo", creates_reads_updates_and_deletes, Options())]

"""Lists and resources that change, with the server `changing`: subscriptions, pages, and reads that are cancelled."""

import asyncio
from contextlib import asynccontextmanager
from typing import Any

from mcp.shared.exceptions import MCPError

from clients import Connected, Options, Test, text

PAGE = "test://pages/1"
# Longer than a notice takes, in seconds.
SETTLED = 0.3


@asynccontextmanager
async def subscribed(c: Connected):
    if c.era.revision == "2026-07-28":
        async with c.client.listen(tools_list_changed=True, resource_subscriptions=[PAGE]):
            yield
    else:
        await c.client.subscribe_resource(PAGE)
        yield
        await c.client.unsubscribe_resource(PAGE)


async def expect(c: Connected, expected: list[str]) -> None:
    """Waits until there are as many notices, and for those that must not come."""
    for _ in range(1000):
        if len(c.notices) >= len(expected):
            break
        await asyncio.sleep(0.005)
    await asyncio.sleep(SETTLED)
    assert c.notices == expected, c.notices
    c.notices.clear()


async def is_told_about_each_change_once(c: Connected) -> None:
    async with subscribed(c):
        for name in ["a", "b", "c"]:
            await c.client.call_tool("add_tools", {"names": [name]})
            await expect(c, ["tools"])
        await c.client.call_tool("update", {"uri": PAGE, "times": 1})
        await expect(c, [PAGE])
        # Many changes at once are one notice, and others are not the client's.
        await c.client.call_tool("update", {"uri": PAGE, "times": 100})
        await c.client.call_tool("update", {"uri": "test://pages/2", "times": 1})
        await expect(c, [PAGE])
    await c.client.call_tool("update", {"uri": PAGE, "times": 1})
    await expect(c, [])


async def reads_every_page_of_every_list(c: Connected) -> None:
    lists: dict[str, tuple[Any, list[str]]] = {
        "tools": (c.client.list_tools, ["add_tools", "update", "reads"]),
        "prompts": (c.client.list_prompts, ["hello", "thanks", "goodbye"]),
        "resources": (c.client.list_resources, ["endless", "first_page", "second_page"]),
        "resource_templates": (c.client.list_resource_templates, ["day", "month", "year"]),
    }
    for member, (read, expected) in lists.items():
        first = await read()
        assert len(getattr(first, member)) == 2
        second = await read(cursor=first.next_cursor)
        assert second.next_cursor is None
        assert [item.name for page in (first, second) for item in getattr(page, member)] == expected
        try:
            await read(cursor="no cursor")
            raise AssertionError("there is a page")
        except MCPError as error:
            assert error.error.code == -32602, error


async def cancels_a_read(c: Connected) -> None:
    async def reads() -> int:
        return int(text(await c.client.call_tool("reads", {})))

    read = asyncio.create_task(c.client.read_resource("test://endless"))
    while await reads() != 1:
        pass
    read.cancel()
    try:
        await read
        raise AssertionError("the read ended")
    except asyncio.CancelledError:
        pass
    while await reads() != 0:
        pass
    assert (await c.client.read_resource(PAGE)).contents[0].text == "first"


CHANGES: list[tuple[str, Test, Options]] = [
    ("changing", body, Options())
    for body in [is_told_about_each_change_once, reads_every_page_of_every_list, cancels_a_read]
]

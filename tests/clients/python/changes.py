"""Lists and resources that change, with the server `changing`: subscriptions, pages, and reads that are cancelled."""

import asyncio
from contextlib import asynccontextmanager
from typing import Any

from mcp.shared.exceptions import MCPError

from clients import WAIT, Connected, Options, Test, text

PAGE = "test://pages/1"
# Longer than a notice takes, in seconds.
SETTLED = 0.3
# How many notices a hundred changes in a row can be. On a machine that does not pause it is one.
FEW = 5


@asynccontextmanager
async def subscribed(c: Connected):
    if c.era.revision == "2026-07-28":
        lists = dict(tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True)
        async with c.client.listen(**lists, resource_subscriptions=[PAGE]):
            yield
    else:
        await c.client.subscribe_resource(PAGE)
        yield
        await c.client.unsubscribe_resource(PAGE)


async def wait(c: Connected, count: int) -> list[str]:
    """Waits until there are as many notices, and for those that must not come."""
    for _ in range(200 * WAIT):
        if len(c.notices) >= count:
            break
        await asyncio.sleep(0.005)
    await asyncio.sleep(SETTLED)
    notices = list(c.notices)
    c.notices.clear()
    return notices


async def expect(c: Connected, expected: list[str]) -> None:
    notices = await wait(c, len(expected))
    assert notices == expected, notices


async def is_told_about_each_change_once(c: Connected) -> None:
    async with subscribed(c):
        for name in ["a", "b", "c"]:
            await c.client.call_tool("add_tools", {"names": [name]})
            await expect(c, ["tools"])
        await c.client.call_tool("update", {"uri": PAGE, "times": 1})
        await expect(c, [PAGE])
        # Many changes are one notice, or a few if the machine is slow, and others are not the client's.
        await c.client.call_tool("update", {"uri": PAGE, "times": 100})
        await c.client.call_tool("update", {"uri": "test://pages/2", "times": 1})
        few = await wait(c, 1)
        assert 1 <= len(few) <= FEW, few
        assert set(few) == {PAGE}, few
        await c.client.call_tool("add_tools", {"names": [f"tool_{index}" for index in range(50)]})
        await expect(c, ["tools"])
        await c.client.call_tool("remove", {"list": "prompts", "name": "goodbye"})
        await expect(c, ["prompts"])
        await c.client.call_tool("remove", {"list": "resources", "name": "second_page"})
        await expect(c, ["resources"])
        # Nothing has changed.
        await c.client.call_tool("remove", {"list": "prompts", "name": "goodbye"})
        await expect(c, [])
    # The client writes that it listens no more in a task of its own.
    await asyncio.sleep(SETTLED)
    await c.client.call_tool("update", {"uri": PAGE, "times": 1})
    await expect(c, [])


async def reads_every_page_of_every_list(c: Connected) -> None:
    lists: dict[str, tuple[Any, list[str]]] = {
        "tools": (c.client.list_tools, ["add_tools", "remove", "update", "reads"]),
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
    async def until_running(count: int) -> None:
        async with asyncio.timeout(WAIT):
            while int(text(await c.client.call_tool("reads", {}))) != count:
                pass

    read = asyncio.create_task(c.client.read_resource("test://endless"))
    await until_running(1)
    read.cancel()
    try:
        await read
        raise AssertionError("the read ended")
    except asyncio.CancelledError:
        pass
    await until_running(0)
    assert (await c.client.read_resource(PAGE)).contents[0].text == "first"


async def cannot_subscribe_where_nothing_changes(c: Connected) -> None:
    # A client that is told the revision does not ask the server what it can do.
    if c.era.mode != "2026-07-28":
        assert c.client.server_capabilities.tools.list_changed is None
        assert c.client.server_capabilities.resources is None
    try:
        async with subscribed(c):
            raise AssertionError("the client has subscribed")
    except MCPError as error:
        assert error.error.code == -32601, error
    assert text(await c.client.call_tool("greet", {"name": "Ada"})) == "Hello, Ada!"


CHANGES: list[tuple[str, Test, Options]] = [
    ("changing", body, Options())
    for body in [is_told_about_each_change_once, reads_every_page_of_every_list, cancels_a_read]
] + [("hello", cannot_subscribe_where_nothing_changes, Options())]

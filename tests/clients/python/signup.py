"""The tool `sign_up` of the example `signup`: every kind of field, two forms at once, and a page."""

import asyncio
import urllib.request
from typing import Any

from mcp_types import ElicitResult

from clients import Connected, Options, Test, text
from forms import check_form

CONTENTS: dict[str, dict[str, Any]] = {
    "name": {"name": "Ada Lovelace", "email": "ada@example.com", "website": "https://example.com/ada"},
    "guests": {
        "guests": 1,
        "donation": 12.5,
        "arrives": "2026-12-04",
        "taxi": "2026-12-06T17:30:00+01:00",
        "meals": "vegan",
        "shirt": "m",
        "transport": "train",
        "photos": True,
    },
    "workshops": {"workshops": ["ffi", "async"]},
}
ASKED: list[Any] = []
PAGES: list[asyncio.Task[int]] = []


def choose(url: str) -> int:
    with urllib.request.urlopen(url, b"password=correct horse battery staple\r\n", 20) as response:
        return response.status


async def answer(params: Any) -> ElicitResult:
    ASKED.append(params)
    if params.mode == "url":
        # The page answers once the tool waits for it: not before this has been answered.
        PAGES.append(asyncio.create_task(asyncio.to_thread(choose, params.url)))
        return ElicitResult(action="accept")
    return ElicitResult(action="accept", content=CONTENTS[next(iter(params.requested_schema["properties"]))])


async def every_kind_of_field_and_a_page(c: Connected) -> None:
    ASKED.clear()
    signed_up = text(await c.client.call_tool("sign_up", {}))
    assert signed_up == "Ada Lovelace is number 1: from 2026-12-04, guests: 1, workshops: 2.", signed_up
    for params in ASKED:
        check_form(c.era.revision, params.model_dump(by_alias=True, exclude_unset=True))
    *forms, page = ASKED
    fields = [list(form.requested_schema["properties"]) for form in forms]
    assert fields == [list(content) for content in CONTENTS.values()], fields
    assert page.mode == "url" and await PAGES.pop() == 200


SIGNUP: list[tuple[str, Test, Options]] = [("signup", every_kind_of_field_and_a_page, Options(answer=answer))]

"""The resources, prompts and completions of the example `docs_server`."""

import base64

from mcp.shared.exceptions import MCPError
from mcp.types import PromptReference, ResourceTemplateReference

from clients import Connected, Options, Test


async def lists_resources_and_templates(c: Connected) -> None:
    uris: list[str] = []
    cursor: str | None = None
    while True:
        page = await c.client.list_resources(cursor=cursor)
        uris += [str(resource.uri) for resource in page.resources]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert uris == [
        "docs://files/guide/install.md",
        "docs://files/pot.png",
        "docs://files/start.md",
        "docs://outlines/guide/install.md",
        "docs://outlines/start.md",
        "skill://answering/SKILL.md",
        "skill://answering/references/quoting.md",
        "skill://summaries/SKILL.md",
    ]
    templates = (await c.client.list_resource_templates()).resource_templates
    assert [template.uri_template for template in templates] == ["docs://files/{+path}", "docs://outlines/{+page}"]


async def reads_text_and_bytes(c: Connected) -> None:
    page = (await c.client.read_resource("docs://files/start.md")).contents[0]
    assert page.mime_type == "text/markdown" and page.text.startswith("# Start\n")
    picture = (await c.client.read_resource("docs://files/pot.png")).contents[0]
    assert picture.mime_type == "image/png" and base64.b64decode(picture.blob)[1:4] == b"PNG"
    outline = (await c.client.read_resource("docs://outlines/guide/install.md")).contents[0]
    assert outline.text == "- Install\n  - Soil\n  - Pot\n"
    part = (await c.client.read_resource("docs://files/start.md?offset=2&length=5")).contents[0]
    assert part.text == "Start" and part.meta["nextUri"] == "docs://files/start.md?offset=7&length=5"


async def refuses_unknown_resources(c: Connected) -> None:
    for uri in ["docs://files/none.md", "docs://files/%2e%2e/Cargo.toml", "docs://outlines/none.md"]:
        try:
            await c.client.read_resource(uri)
            raise AssertionError(f"{uri} was read")
        except MCPError as error:
            assert error.error.code == (-32602 if c.era.revision == "2026-07-28" else -32002), error


async def gets_prompts(c: Connected) -> None:
    assert [prompt.name for prompt in (await c.client.list_prompts()).prompts] == ["explain", "summarize"]
    explained = await c.client.get_prompt("explain", {"page": "start.md", "question": "How often?"})
    assert str(explained.messages[0].content.resource.uri) == "docs://files/start.md"
    assert explained.messages[1].content.text.endswith("How often?")
    try:
        await c.client.get_prompt("explain", {"page": "none.md", "question": "?"})
        raise AssertionError("the prompt has messages")
    except MCPError as error:
        assert "there is no page `none.md`" in error.error.message


async def completes(c: Connected) -> None:
    prompt = PromptReference(type="ref/prompt", name="explain")
    completed = await c.client.complete(prompt, {"name": "page", "value": "inst"})
    assert completed.completion.values == ["guide/install.md"]
    template = ResourceTemplateReference(type="ref/resource", uri="docs://outlines/{+page}")
    completed = await c.client.complete(template, {"name": "page", "value": "s"})
    assert completed.completion.values == ["start.md", "guide/install.md"]


DOCS: list[tuple[str, Test, Options]] = [
    ("docs_server", body, Options())
    for body in [
        lists_resources_and_templates,
        reads_text_and_bytes,
        refuses_unknown_resources,
        gets_prompts,
        completes,
    ]
]

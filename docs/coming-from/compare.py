"""Compares the answers of two servers that are to be equal, in both eras: `compare.py NAME OURS -- THEIRS…`.

The official Python client starts each of the two, lists, calls with good and bad arguments, answers forms, reads and gets.
Four things are made equal before the comparison, because each library has its own way to write them:

- A schema is reduced to its properties, with their types and descriptions, and to what is required. `null` beside another
  type is left out, as are bounds, defaults, titles and formats.
- What follows an empty line in the description of a prompt's argument is left out: FastMCP adds a schema there.
- The text of an error about arguments, names or URIs, which the library writes itself, and its code.
- Structured content as text is compared as JSON.

What each server answers to wrong arguments differs, and is compared with `refusals/NAME.txt`. `UPDATE=1` writes these files.
"""

import asyncio
import difflib
import json
import os
import sys
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ElicitResult

ERAS = {"2026-07-28": "2026-07-28", "legacy": "2025-11-25"}

# What the user answers, and what the tool says then.
ANSWERS = {
    "accepts": ElicitResult(action="accept", content={"confirmed": True, "note": "green"}),
    "accepts without a note": ElicitResult(action="accept", content={"confirmed": True}),
    "accepts without confirming": ElicitResult(action="accept", content={"confirmed": False}),
    "declines": ElicitResult(action="decline"),
    "closes the form": ElicitResult(action="cancel"),
}

CALLS = {
    "a price": ("price", {"article": "tea", "pieces": 3}),
    "a price without the optional argument": ("price", {"article": "tea"}),
    "a price with null": ("price", {"article": "tea", "pieces": None}),
    "structured content": ("stock", {"article": "cup"}),
    "an error of the tool": ("price", {"article": "tee"}),
    "an error of a tool with structured content": ("stock", {"article": "tee"}),
    "an error before the form": ("order", {"article": "tee"}),
}

# Calls that never reach the tool.
REFUSED = {
    "a missing argument": ("price", {}),
    "an argument of a wrong type": ("price", {"article": "tea", "pieces": "many"}),
    "an unknown tool": ("prise", {"article": "tea"}),
}

# What each server answers in its own way.
WRONG = {
    '"pices": 3': {"article": "tea", "pices": 3},
    '"pieces": "3"': {"article": "tea", "pieces": "3"},
    '"pieces": -3': {"article": "tea", "pieces": -3},
    'no "article"': {},
}
WRONG_ANSWER = {"confirmed": "perhaps"}


def schema(of: dict[str, Any] | None) -> Any:
    """The properties of a schema, and which are required."""
    if of is None:
        return None
    properties = {name: parameter(value) for name, value in of.get("properties", {}).items()}
    return {"properties": properties, "required": sorted(of.get("required", []))}


def parameter(of: dict[str, Any]) -> Any:
    kinds = of.get("type", [kind.get("type") for kind in of.get("anyOf", [])])
    kinds = [kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind != "null"]
    return {"type": kinds, "description": of.get("description")}


def result(of: Any) -> Any:
    texts = [content.text if content.type == "text" else content.type for content in of.content]
    if of.structured_content is not None:
        texts = [json.loads(text) for text in texts]
    return {"isError": bool(of.is_error), "content": texts, "structured": of.structured_content}


async def refused(call: Any) -> Any:
    """Whether a call is refused: by an error of the protocol, or by a result with `isError`."""
    try:
        return "refused" if (await call).is_error else "not refused"
    except MCPError:
        return "refused"


@asynccontextmanager
async def connected(command: list[str], mode: str, fill_in: Any):
    """Starts a server and connects to it. What it writes to standard error is shown if something fails."""
    with tempfile.TemporaryFile("w+") as log:
        try:
            transport = stdio_client(StdioServerParameters(command=command[0], args=command[1:]), errlog=log)
            async with Client(transport, mode=mode, elicitation_callback=fill_in) as client:
                yield client
        except BaseException:
            log.seek(0)
            sys.stderr.write(log.read())
            raise


async def answers(command: list[str], mode: str) -> dict[str, Any]:
    """All results of a server in an era, by their names."""
    found: dict[str, Any] = {}
    answer = ElicitResult(action="cancel")

    async def fill_in(_: Any, params: Any) -> Any:
        found["the form"] = {"message": params.message, "form": schema(params.requested_schema)}
        return answer

    async with connected(command, mode, fill_in) as client:
        assert client.protocol_version == ERAS[mode], client.protocol_version
        for tool in (await client.list_tools()).tools:
            found[f"the tool {tool.name}"] = {
                "description": tool.description,
                "input": schema(tool.input_schema),
                "output": schema(tool.output_schema),
                "read only": bool(tool.annotations and tool.annotations.read_only_hint),
            }
        for name, (tool, arguments) in CALLS.items():
            found[name] = result(await client.call_tool(tool, arguments))
        for name, (tool, arguments) in REFUSED.items():
            found[name] = await refused(client.call_tool(tool, arguments))
        for name, answer in ANSWERS.items():
            found[f"the user {name}"] = result(await client.call_tool("order", {"article": "tea"}))

        found["the resources"] = [
            [str(entry.uri), entry.name, entry.description, entry.mime_type]
            for entry in (await client.list_resources()).resources
        ]
        read = await client.read_resource("desk://prices")
        found["a resource"] = [[str(part.uri), part.mime_type, part.text] for part in read.contents]
        found["an unknown resource"] = await refused(client.read_resource("desk://none"))

        for prompt in (await client.list_prompts()).prompts:
            arguments = [[given.name, given.description.split("\n\n")[0], bool(given.required)] for given in prompt.arguments or []]
            found[f"the prompt {prompt.name}"] = [prompt.description, arguments]
        for name, arguments in {"a prompt": {"customer": "Ada"}, "a sterner prompt": {"customer": "Ada", "tone": "stern"}}.items():
            messages = (await client.get_prompt("reminder", arguments)).messages
            found[name] = [[message.role, message.content.text] for message in messages]
        found["a prompt without its argument"] = await refused(client.get_prompt("reminder", {}))
    return found


async def refusals(command: list[str]) -> str:
    """What a server answers to wrong arguments and to a wrong answer of the user, as the pages show it."""
    asked: list[str] = []

    async def fill_in(_: Any, params: Any) -> Any:
        asked.append(params.message)
        return ElicitResult(action="accept", content=WRONG_ANSWER) if len(asked) == 1 else ElicitResult(action="cancel")

    async def words(tool: str, arguments: dict[str, Any]) -> str:
        try:
            called = await client.call_tool(tool, arguments)
            return ("isError: " if called.is_error else "") + called.content[0].text
        except MCPError as error:
            return f"error {error.code}: {error}"

    lines = []
    async with connected(command, "2026-07-28", fill_in) as client:
        for name, arguments in WRONG.items():
            lines += [f"price with {name}", indented(await words("price", arguments))]
        result = await words("order", {"article": "tea"})
        lines += [f"order, and the user answers {json.dumps(WRONG_ANSWER)}"]
        lines += [indented(f"asks again: {question}") for question in asked[1:]] or [indented(result)]
    return "\n".join(lines) + "\n"


def indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def compared(name: str, found: str) -> str | None:
    """Compares with a file. Returns the difference."""
    file = Path(__file__).parent / "refusals" / f"{name}.txt"
    if "UPDATE" in os.environ:
        file.write_text(found)
    if file.read_text() == found:
        return None
    lines = difflib.unified_diff(file.read_text().splitlines(), found.splitlines(), str(file), "found", lineterm="")
    return "\n".join(lines)


def difference(name: str, ours: Any, theirs: Any) -> str:
    def written(value: Any) -> list[str]:
        return json.dumps(value, indent=1, ensure_ascii=False).splitlines()

    lines = difflib.unified_diff(written(ours), written(theirs), "ours", "theirs", lineterm="", n=2)
    return f"{name}:\n" + "\n".join(lines)


async def main() -> None:
    name, *commands = sys.argv[1:]
    between = commands.index("--")
    us, them = commands[:between], commands[between + 1 :]
    equal, differences = 0, []
    for mode, revision in ERAS.items():
        ours, theirs = await asyncio.gather(answers(us, mode), answers(them, mode))
        for key in ours | theirs:
            if ours.get(key) == theirs.get(key):
                equal += 1
            else:
                differences.append(difference(f"{name} {revision}, {key}", ours.get(key), theirs.get(key)))
    print(f"{name}: {equal} of {equal + len(differences)} results are equal")
    differences += filter(None, [compared("desk", await refusals(us)), compared(name, await refusals(them))])
    if differences:
        sys.exit("\n".join(differences))


asyncio.run(main())

"""The server of `typescript/chain/server.mjs`, with the official Python package: `python chain_server.py ERA NAME FILE`."""

import os
import sys
from pathlib import Path
from typing import Annotated

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver.resolve import Elicit, Resolve, Sample
from mcp.server.request_state import RequestStateSecurity
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from mcp.types import SetLevelRequestParams, SubscribeRequestParams, UnsubscribeRequestParams
from mcp_types import Completion, CreateMessageResult, SamplingMessage, TextContent
from pydantic import BaseModel

ERA, NAME, FILE = sys.argv[1:]
URI = f"chain://{NAME}/note"
# A state that the server has written is good for its next process.
server = MCPServer(NAME, version="1", request_state_security=RequestStateSecurity(keys=[b"A" * 32]))
kept = "first"


def note(words: str) -> None:
    with Path(FILE).open("a") as file:
        file.write(f"{NAME}: {words}\n")


class Amount(BaseModel):
    amount: int


def how_many() -> Elicit[Amount]:
    return Elicit("How many?", Amount)


@server.tool(structured_output=False)
async def order(answer: Annotated[ElicitationResult[Amount], Resolve(how_many)]) -> str:
    """Orders."""
    if not isinstance(answer, AcceptedElicitation):
        return "nothing ordered"
    note(f"ordered {answer.data.amount}")
    return f"ordered {answer.data.amount}"


def model(topic: str) -> Sample:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=topic))
    return Sample([message], max_tokens=50)


@server.tool(structured_output=False)
async def consult(topic: str, reply: Annotated[CreateMessageResult, Resolve(model)], tools: bool = False) -> str:
    """Asks a model."""
    return f"said {reply.content.text}"


@server.tool(structured_output=False)
async def work(ctx: Context) -> str:
    """Works."""
    for step in range(1, 4):
        await ctx.report_progress(step, 3, f"step {step}")
        await ctx.info(f"step {step}")
        await anyio.sleep(0.06)
    return "worked"


@server.tool(structured_output=False)
async def slow() -> str:
    """Waits."""
    note(f"slow began in {os.getpid()}")
    try:
        await anyio.sleep(60)
    except BaseException:
        note("slow cancelled")
        raise
    return "not cancelled"


@server.tool(structured_output=False)
async def change(words: str, ctx: Context) -> str:
    """Changes the note."""
    global kept
    kept = words
    if ERA == "modern":
        await ctx.notify_resource_updated(URI)
    else:
        await ctx.session.send_resource_updated(URI)
    return "changed"


@server.tool(structured_output=False)
async def process_id() -> str:
    """Tells the process."""
    return str(os.getpid())


@server.resource(URI, name="note", mime_type="text/plain")
def read() -> str:
    return kept


@server.prompt()
def greet(who: str) -> str:
    return f"Greet {who}."


@server.completion()
async def complete(_, argument, __) -> Completion:
    return Completion(values=[name for name in ["ada", "alan", "bob"] if name.startswith(argument.value)])


async def session() -> None:
    """Speaks only in sessions, as releases of before 2026-07-28 do."""
    low = server._lowlevel_server

    async def nothing(*_) -> dict:
        return {}

    low.add_request_handler("resources/subscribe", SubscribeRequestParams, nothing)
    low.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, nothing)
    low.add_request_handler("logging/setLevel", SetLevelRequestParams, nothing)
    async with stdio_server() as (read_stream, write_stream), low.lifespan(low) as state:
        await serve_loop(low, read_stream, write_stream, lifespan_state=state)


anyio.run(session if ERA == "session" else server.run_stdio_async)

"""The desk of a shop, with FastMCP. Its counterpart is `src/bin/desk.rs`."""

from dataclasses import dataclass
from typing import Annotated

import mcp_types
from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.server.elicitation import get_elicitation_schema
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, Field


# ANCHOR: state
@dataclass
class Article:
    cents: int
    pieces: int


SHOP = {"cup": Article(cents=700, pieces=3), "tea": Article(cents=400, pieces=12)}

mcp = FastMCP("desk", version="1.0.0")


def find(name: str) -> Article:
    if name not in SHOP:
        raise ToolError(f"there is no article `{name}`")
    return SHOP[name]
# ANCHOR_END: state


# ANCHOR: tool
@mcp.tool(output_schema=None, annotations={"readOnlyHint": True})
def price(
    article: Annotated[str, Field(description="The article, such as `tea`.")],
    pieces: Annotated[int | None, Field(description="How many pieces. Default: 1.", ge=0)] = None,
) -> str:
    """Says what articles cost."""
    pieces = 1 if pieces is None else pieces
    return f"{pieces} {article}: {find(article).cents * pieces} cents"
# ANCHOR_END: tool


# ANCHOR: structured
class Stock(BaseModel):
    """An article in stock."""

    article: str
    pieces: int


@mcp.tool(annotations={"readOnlyHint": True})
def stock(article: Annotated[str, Field(description="The article, such as `tea`.")]) -> Stock:
    """Counts the pieces in stock."""
    return Stock(article=article, pieces=find(article).pieces)
# ANCHOR_END: structured


# ANCHOR: form
class Confirm(BaseModel):
    confirmed: bool = Field(description="Whether to send the order.")
    note: str = Field(default="", description="A note for the shop.")


def ordered(article: str, action: str, confirm: Confirm | None) -> str:
    if action == "cancel":
        return "The user closed the form."
    if confirm is None or not confirm.confirmed:
        return "Nothing is ordered."
    return f"Ordered {article}. Note: {confirm.note or 'none'}."


@mcp.tool(output_schema=None)
async def order(
    article: Annotated[str, Field(description="The article, such as `tea`.")],
    ctx: Context,
) -> str | mcp_types.InputRequiredResult:
    """Orders an article. The user confirms the order."""
    question = f"Order {article} for {find(article).cents} cents?"
    # In a session, the tool waits for the answer.
    if ctx.request_context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        answer = await ctx.elicit(question, response_type=Confirm)
        return ordered(article, answer.action, getattr(answer, "data", None))
    # Since 2026-07-28 the tool returns its question, and runs again from its beginning with the answer.
    answers = ctx.input_responses or {}
    if "confirm" not in answers:
        form = mcp_types.ElicitRequestFormParams(message=question, requested_schema=get_elicitation_schema(Confirm))
        return mcp_types.InputRequiredResult(input_requests={"confirm": mcp_types.ElicitRequest(params=form)})
    answer = answers["confirm"]
    accepted = answer.action == "accept"
    return ordered(article, answer.action, Confirm.model_validate(answer.content) if accepted else None)
# ANCHOR_END: form


# ANCHOR: resource
@mcp.resource("desk://prices", mime_type="text/plain")
def prices() -> str:
    """The list of prices."""
    return "".join(f"{name}: {article.cents} cents\n" for name, article in SHOP.items())
# ANCHOR_END: resource


# ANCHOR: prompt
@mcp.prompt
def reminder(
    customer: Annotated[str, Field(description="Who gets it.")],
    tone: Annotated[str | None, Field(description="How it sounds. Default: friendly.")] = None,
) -> str:
    """Asks for a reminder to a customer."""
    return f"Write a {tone or 'friendly'} reminder to {customer}."
# ANCHOR_END: prompt


# ANCHOR: main
if __name__ == "__main__":
    mcp.run(show_banner=False)
# ANCHOR_END: main

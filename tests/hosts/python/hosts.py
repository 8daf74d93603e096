"""What each host makes of the parameters of a tool: the schema that it sends to the API of its model.

A host that refuses a tool raises an exception.
"""

import logging
from collections.abc import Callable
from typing import Any

from agents.mcp import MCPServerStdio
from agents.mcp.util import MCPUtil
from google.genai import types
from google.genai._mcp_utils import mcp_to_gemini_tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_google_genai._function_utils import convert_to_genai_function_declarations
from langchain_mcp_adapters.tools import convert_mcp_tool_to_langchain_tool
from mcp.types import Tool

Schema = dict[str, Any]

# They log each keyword that they drop. The comparison finds what is lost.
logging.disable(logging.WARNING)


class NotStrict(Exception):
    """The host offers the tool to its model, but the model may send what does not fit."""


def google_genai(tool: Tool) -> Schema:
    return declared(mcp_to_gemini_tool(tool))


def langchain_for_gemini(tool: Tool) -> Schema:
    converted = convert_mcp_tool_to_langchain_tool(None, tool, connection=NOWHERE)
    [declarations] = convert_to_genai_function_declarations([converted])
    return declared(declarations)


def langchain_for_openai(tool: Tool) -> Schema:
    converted = convert_mcp_tool_to_langchain_tool(None, tool, connection=NOWHERE)
    return convert_to_openai_tool(converted)["function"]["parameters"]


def openai_agents(tool: Tool) -> Schema:
    converted = MCPUtil.to_function_tool(tool, SERVER, convert_schemas_to_strict=True)
    # A tool without parameters is closed or open, and no schema of it suits both this host and `google-genai`. Here it
    # stays a tool, but a lenient one.
    if not converted.strict_json_schema and tool.inputSchema.get("properties"):
        raise NotStrict
    return converted.params_json_schema


# No server is started: the tools are known.
NOWHERE = {"transport": "stdio", "command": "true", "args": []}
SERVER = MCPServerStdio(params={"command": "true"})


def declared(tool: types.Tool) -> Schema:
    """Returns the parameters of the only declaration, as they are sent to Gemini."""
    [declaration] = tool.function_declarations or []
    if declaration.parameters is None:
        return EMPTY
    sent = declaration.parameters.model_dump(mode="json", by_alias=True, exclude_none=True)
    return known_to_gemini(sent)


def known_to_gemini(sent: Schema) -> Schema:
    """Fails if Gemini's API does not know a member of the schema, or the type of its value."""
    types.Schema.model_validate(sent)
    return sent or EMPTY


# How a declaration without parameters is meant.
EMPTY: Schema = {"type": "object"}

CONVERTERS: dict[str, Callable[[Tool], Schema]] = {
    "google-genai": google_genai,
    "openai-agents": openai_agents,
    "langchain for Gemini": langchain_for_gemini,
    "langchain for OpenAI": langchain_for_openai,
}

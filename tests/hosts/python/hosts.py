"""What each host makes of a tool that a server publishes: the parameters that it sends to the API of its model.

A host that refuses a tool raises an exception.
"""

import copy
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
Tools = dict[str, Any]

# They log each keyword that they drop. What is lost is found by comparison.
logging.disable(logging.WARNING)


def google_genai(tool: Tools) -> Schema:
    return declared(mcp_to_gemini_tool(Tool.model_validate(tool)))


def langchain_google(tool: Tools) -> Schema:
    converted = convert_mcp_tool_to_langchain_tool(object(), Tool.model_validate(tool))
    [declarations] = convert_to_genai_function_declarations([converted])
    return declared(declarations)


def langchain_openai(tool: Tools) -> Schema:
    converted = convert_mcp_tool_to_langchain_tool(object(), Tool.model_validate(tool))
    return convert_to_openai_tool(converted)["function"]["parameters"]


# It is never started: only its settings are asked for.
SERVER = MCPServerStdio(params={"command": "true"})


def openai_agents(tool: Tools) -> Schema:
    converted = MCPUtil.to_function_tool(Tool.model_validate(tool), SERVER, convert_schemas_to_strict=True)
    if not converted.strict_json_schema:
        raise ValueError("cannot be converted to the strict form")
    return converted.params_json_schema


def declared(tool: types.Tool) -> Schema:
    """Returns the parameters of a declaration as Gemini's API gets them."""
    [declaration] = tool.function_declarations or []
    if declaration.parameters is None:
        return {}
    sent = declaration.parameters.model_dump(mode="json", by_alias=True, exclude_none=True)
    return gemini(sent)


def gemini(sent: Schema) -> Schema:
    """Returns the same schema, if Gemini's API knows all of its members."""
    types.Schema.model_validate(copy.deepcopy(sent), strict=False)
    return sent


HOSTS: dict[str, Callable[[Tools], Schema]] = {
    "google-genai": google_genai,
    "openai-agents": openai_agents,
    "langchain for OpenAI": langchain_openai,
    "langchain for Gemini": langchain_google,
}

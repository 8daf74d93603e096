"""Tools that ask the client's model: of the example `conformance`, and of `probe` with tools, pictures and turns."""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import (
    CreateMessageResult,
    CreateMessageResultWithTools,
    ErrorData,
    SamplingCapability,
    SamplingToolsCapability,
    TextContent,
    ToolUseContent,
)

from clients import Connected, Options, Test, failure, text
from forms import check_sampling

SAMPLING: list[tuple[str, Test, Options]] = []
WITH_TOOLS = SamplingCapability(tools=SamplingToolsCapability())
Judge = Callable[[Awaitable[Any], list[Any], Connected], Awaitable[None]]


def said(words: str) -> CreateMessageResult:
    content = TextContent(type="text", text=words)
    return CreateMessageResult(role="assistant", content=content, model="model-1", stop_reason="endTurn")


def calls(*uses: tuple[str, dict[str, Any]]) -> CreateMessageResultWithTools:
    content = [ToolUseContent(type="tool_use", id=f"call-{at}", name=name, input=given) for at, (name, given) in enumerate(uses)]
    return CreateMessageResultWithTools(role="assistant", content=content, model="model-1", stop_reason="toolUse")


def ask(
    program: str, tool: str, arguments: dict[str, Any], *replies: Any, can: SamplingCapability | None = None
) -> Callable[[Judge], Judge]:
    """Calls the tool once; the model gives these replies in turn, and is asked for no more and no fewer."""

    def register(judge: Judge) -> Judge:
        asked: list[Any] = []

        async def sample(params: Any) -> Any:
            asked.append(params.model_dump(by_alias=True, exclude_unset=True, mode="json"))
            assert len(asked) <= len(replies), f"asked once more: {params}"
            return replies[len(asked) - 1]

        async def body(c: Connected) -> None:
            # One test runs in every era.
            asked.clear()
            await judge(c.client.call_tool(tool, arguments), asked, c)
            assert len(asked) == len(replies), asked
            for params in asked:
                check_sampling(c.era.revision, params)
            assert tool in [listed.name for listed in (await c.client.list_tools()).tools]

        body.__name__ = f"sampling: {judge.__name__}"
        SAMPLING.append((program, body, Options(sample=sample, sampling=can)))
        return judge

    return register


def blocks(params: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Whose each block of the conversation is."""
    contents = [(message["role"], message["content"]) for message in params["messages"]]
    listed = [(role, content if isinstance(content, list) else [content]) for role, content in contents]
    return [(role, block) for role, content in listed for block in content]


SIMPLE = ("conformance", "test_sampling", {"prompt": "Are you there?"})


@ask(*SIMPLE, said("I am."))
async def a_text(call: Awaitable[Any], asked: list[Any], _: Connected) -> None:
    assert text(await call) == "LLM response: I am."
    [params] = asked
    assert blocks(params) == [("user", {"type": "text", "text": "Are you there?"})], params
    assert params["maxTokens"] == 100 and "tools" not in params, params


@ask(*SIMPLE, ErrorData(code=-1, message="User rejected sampling request"))
async def refused(call: Awaitable[Any], _: list[Any], c: Connected) -> None:
    if c.era.revision == "2026-07-28":
        # There is no word for it on the wire: the call ends on the client's side.
        try:
            await call
        except MCPError as error:
            assert error.error.message == "User rejected sampling request", error.error
        else:
            raise AssertionError("the call succeeded")
    else:
        assert "the client refused: User rejected sampling request (code -1)" in failure(await call)


@ask("probe", "look", {}, said("A cat."))
async def a_picture(call: Awaitable[Any], asked: list[Any], _: Connected) -> None:
    assert text(await call) == "model-1: A cat. (endTurn)"
    [params] = asked
    assert blocks(params) == [
        ("user", {"type": "text", "text": "What is this?"}),
        ("user", {"type": "image", "data": "iVBORw==", "mimeType": "image/png"}),
        ("assistant", {"type": "text", "text": "A dog."}),
        ("user", {"type": "text", "text": "Look again."}),
    ], params
    assert (params["systemPrompt"], params["temperature"], params["stopSequences"]) == ("You are brief.", 0.5, ["END"])


RIGHT = ("capital", {"country": "PT"})
WRONG = ("capital", {"country": "Portugal"})
CHOSEN = 'Capital { country: "PT" } in 2 tries'


@ask("probe", "choose", {}, said('{"tool": "capital", "input": {"country": "Portugal"}}'), said('{"tool": "capital", "input": {"country": "PT"}}'))
async def tools_in_words(call: Awaitable[Any], asked: list[Any], _: Connected) -> None:
    assert text(await call) == CHOSEN
    assert all("tools" not in params and "toolChoice" not in params for params in asked)
    assert "- capital: Finds the capital of a country." in blocks(asked[0])[-1][1]["text"]


@ask("probe", "choose", {}, calls(WRONG), calls(RIGHT), can=WITH_TOOLS)
async def tools(call: Awaitable[Any], asked: list[Any], _: Connected) -> None:
    assert text(await call) == CHOSEN
    for params in asked:
        assert [tool["name"] for tool in params["tools"]] == ["population", "capital"]
        assert params["toolChoice"] == {"mode": "required"}
    outcome = blocks(asked[1])[-1][1]
    assert (outcome["type"], outcome["toolUseId"], outcome["isError"]) == ("tool_result", "call-0", True), outcome


# Two calls in one reply, one of them of nothing that is known, and an answer when no more may be called.
@ask(
    "probe",
    "find_out",
    {},
    calls(RIGHT, ("population", {"city": "Paris"})),
    calls(("population", {"city": "Lisbon"})),
    said("545,000."),
    can=WITH_TOOLS,
)
async def turns(call: Awaitable[Any], asked: list[Any], _: Connected) -> None:
    assert text(await call) == "545,000. (3 turns)"
    assert [params["toolChoice"]["mode"] for params in asked] == ["auto", "auto", "none"]
    results = [block for _, block in blocks(asked[2]) if block["type"] == "tool_result"]
    told = [(result["content"][0]["text"], result.get("isError", False)) for result in results]
    assert told == [("Lisbon", False), ("nothing is known of that", True), ("545,000", False)], told

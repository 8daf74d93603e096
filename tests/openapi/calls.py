"""Calls each tool of a server with arguments made from its schema.

python3 calls.py PROGRAM URL OTHER_URL: speaks with the program over standard streams, with a mock of its service at URL.
That mock answers with the examples of the document. If an example contradicts its own schema, the mock at OTHER_URL is
called, which makes its answers from the schemas.

Each call must succeed, except those that `exceptions.json` names for the program, with the reason. Exits with 1 if another
call fails, or if an exception succeeds.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys


# One of these fits most patterns.
TEXTS = ["0123456789abcdef", "abc", "1.2.3", "2026-01-02", "A1", "12", "a" * 40]


def value(schema, name, definitions, depth=0):
    """Returns a value that fits a schema."""
    if schema is True or schema == {} or depth > 12:
        return "text"
    if "$ref" in schema:
        return value(definitions[schema["$ref"].rsplit("/", 1)[1]], name, definitions, depth + 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "default" in schema:
        return schema["default"]
    for union in ("anyOf", "oneOf"):
        if union in schema:
            # A text in a path is a number, too, if it has only digits. So it would fit two alternatives.
            texts = [one for one in schema[union] if one.get("type") == "string"]
            chosen = (texts or schema[union])[0]
            return value({**{k: v for k, v in schema.items() if k != union}, **chosen}, name, definitions, depth + 1)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = next(one for one in kind if one != "null")
    if kind == "object":
        required = schema.get("required", [])
        properties = schema.get("properties", {})
        least = max(schema.get("minProperties", 0), len(required))
        names = sorted(properties, key=lambda name: name not in required)[:least]
        return {name: value(properties[name], name, definitions, depth + 1) for name in names}
    if kind == "array":
        return [value(schema.get("items", True), name, definitions, depth + 1)] * max(1, schema.get("minItems", 0))
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
        return max(low, 1) if schema.get("maximum", 1) >= 1 else schema["maximum"]
    if kind == "boolean":
        return True
    if kind == "null":
        return None
    formats = {
        "date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "uri": "https://example.com/a", "email": "a@example.com",
        "uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "127.0.0.1",
    }
    text = formats.get(schema.get("format"), "abc")
    if "pattern" in schema:
        text = next((text for text in TEXTS if re.search(schema["pattern"], text)), text)
        return text
    text = text * -(-schema.get("minLength", 1) // len(text))
    return text[: schema.get("maxLength", len(text))]


# The signs that an example contradicts its schema: what the mock says, and what the program says where the mock misses it.
CONTRADICTIONS = ['"location":["response"', "its JSON is not what its document describes"]


class Session:
    """A connection to the program, which calls the mock at this URL."""

    def __init__(self, program, url, stderr=None):
        environment = {**os.environ, "API_URL": url}
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True, env=environment,
        )
        self.id = 0
        self.request("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "calls", "version": "1"},
        })
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.id += 1
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        while True:
            reply = json.loads(self.process.stdout.readline())
            if reply.get("id") == self.id:
                return reply

    def call(self, name, arguments):
        """Returns whether the call has failed, its text, and whether the result is structured."""
        reply = self.request("tools/call", {"name": name, "arguments": arguments})
        result = reply.get("result", {"isError": True, "content": [{"text": json.dumps(reply.get("error"))}]})
        return bool(result.get("isError")), result["content"][0]["text"], "structuredContent" in result


def tools_of(session):
    tools, cursor = [], None
    while True:
        page = session.request("tools/list", {"cursor": cursor} if cursor else {})["result"]
        tools += page["tools"]
        cursor = page.get("nextCursor")
        if not cursor:
            return tools


def main(program, url, other_url):
    name = pathlib.Path(program).name
    exceptions = json.loads((pathlib.Path(__file__).parent / "exceptions.json").read_text())[name]
    # The second one would only repeat the warnings of the first one.
    sessions = [Session(program, url), Session(program, other_url, subprocess.DEVNULL)]
    counts, wrong = collections.Counter(), []
    for tool in tools_of(sessions[0]):
        schema = tool["inputSchema"]
        arguments = value(schema, "", schema.get("$defs", {}))
        reason = exceptions.pop(tool["name"], None)
        failed, text, is_structured = sessions[0].call(tool["name"], arguments)
        if failed and reason is None and any(sign in text for sign in CONTRADICTIONS):
            counts["generated"] += 1
            failed, text, is_structured = sessions[1].call(tool["name"], arguments)
        counts["structured"] += not failed and is_structured
        counts["failed" if failed else "succeeded"] += 1
        if failed and reason is None:
            wrong.append(f"{tool['name']} {json.dumps(arguments)[:200]}\n    {text[:600]}")
        elif not failed and reason is not None:
            wrong.append(f"{tool['name']} succeeds, so it is no exception: {text[:200]}")
    wrong += [f"there is no tool {tool}" for tool in exceptions]
    print("\n".join(wrong + [
        f"{name}: {counts['succeeded']} calls succeeded, {counts['structured']} of them with structured content; "
        f"{counts['failed']} failed; {counts['generated']} were answered by the second mock, because an example "
        "contradicts its schema"
    ]))
    return bool(wrong) or not counts["succeeded"]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

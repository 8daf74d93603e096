"""Compares what a server publishes with what a host makes of it."""

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]


def losses(published: Schema, sent: Schema) -> list[str]:
    """Returns what of the published schema is missing in what the host sends, one line for each place."""
    return list(compare(published, sent, ""))


def compare(published: Schema, sent: Any, place: str) -> Iterator[str]:
    at = place or "the parameters"
    if not isinstance(sent, dict):
        yield f"{at}: got {sent!r}"
        return
    kind = published.get("type")
    if not isinstance(kind, str) and isinstance(sent.get("type"), str):
        yield f"{at}: type {kind!r}, got {sent['type']}"
    elif not isinstance(kind, str):
        yield f"{at}: published without one type"
    elif kind != str(sent.get("type", "")).lower():
        yield f"{at}: type {kind}, got {sent.get('type')}"
    for keyword in ("enum", "description"):
        # The description of all parameters together is that of the tool.
        if keyword in published and place and sent.get(keyword) != published[keyword]:
            yield f"{at}: {keyword} {published[keyword]!r}, got {sent.get(keyword)!r}"
    for name, inner in published.get("properties", {}).items():
        yield from compare(inner, sent.get("properties", {}).get(name), f"{place}.{name}")
    optional = set(published.get("required", [])) - set(sent.get("required", []))
    if optional:
        yield f"{at}: no longer required: {', '.join(sorted(optional))}"
    if kind == "array":
        yield from compare(published.get("items", {}), sent.get("items"), f"{place}[]")


def is_whole(published: Schema, sent: Schema) -> bool:
    """Returns whether each name, type and constant of the published schema is somewhere in what the host sends."""
    return set(words(published)) <= set(words(sent))


def words(schema: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        match keyword:
            case "properties":
                yield from (("property", name) for name in value)
                for inner in value.values():
                    yield from words(inner)
            case "$defs":
                for inner in value.values():
                    yield from words(inner)
            case "additionalProperties" if isinstance(value, dict):
                yield "values", len(value) > 0
                yield from words(value)
            case "items":
                yield from words(value)
            case "anyOf" | "oneOf":
                for inner in value:
                    yield from words(inner)
            case "const":
                yield "constant", value
            case "enum":
                yield from (("constant", constant) for constant in value)
            case "type":
                for kind in value if isinstance(value, list) else [value]:
                    # That a value may be null is said in several ways.
                    if kind != "null":
                        yield "type", kind.lower()

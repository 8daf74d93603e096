"""Compares what a server publishes with what a host makes of it."""

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]


def losses(published: Schema, sent: Any, place: str = "") -> Iterator[str]:
    """Yields what of the published schema is missing in what the host sends, one line for each place."""
    at = place or "the parameters"
    if not isinstance(sent, dict):
        yield f"{at}: got {sent!r}"
        return
    kinds, sent_kinds = types(published), types(sent)
    if kinds != sent_kinds:
        yield f"{at}: type {kinds}, got {sent_kinds}"
    for keyword in ("enum", "description"):
        # The description of all parameters together is that of the tool.
        if keyword in published and place and sent.get(keyword) != published[keyword]:
            yield f"{at}: {keyword} {published[keyword]!r}, got {sent.get(keyword)!r}"
    optional = set(published.get("required", [])) - set(sent.get("required", []))
    if optional:
        yield f"{at}: no longer required: {', '.join(sorted(optional))}"
    for name, inner in published.get("properties", {}).items():
        yield from losses(inner, sent.get("properties", {}).get(name), f"{place}.{name}")
    for keyword, mark in (("items", "[]"), ("additionalProperties", ".*")):
        if inner := published.get(keyword):
            yield from losses(inner, sent.get(keyword), f"{place}{mark}")
    alternatives = sent.get("anyOf", [])
    for index, inner in enumerate(published.get("anyOf", [])):
        other = alternatives[index] if index < len(alternatives) else None
        yield from losses(inner, other, f"{place}|{index}")


def types(schema: Schema) -> list[str]:
    """Returns the types that a schema names. Gemini names them in capitals."""
    kinds = schema.get("type", [])
    return [kind.lower() for kind in ([kinds] if isinstance(kinds, str) else kinds)]


def unportable(published: Schema, place: str = "") -> Iterator[str]:
    """Yields the places of a schema that do not have one type, or whose items or values can be anything."""
    if not isinstance(published.get("type"), str):
        yield f"{place or 'the parameters'}: published without one type"
    if published.get("type") == "array" and not published.get("items"):
        yield f"{place}: published without items"
    for name, inner in published.get("properties", {}).items():
        yield from unportable(inner, f"{place}.{name}")
    if inner := published.get("items"):
        yield from unportable(inner, f"{place}[]")

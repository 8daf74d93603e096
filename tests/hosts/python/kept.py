"""Compares what a server publishes with what a host makes of it."""

from typing import Any

Schema = dict[str, Any]


def losses(published: Schema, sent: Schema) -> list[str]:
    """Returns what of the published schema is missing in what the host sends, one line for each place."""
    lost: list[str] = []
    compare(published, sent, "", lost)
    return lost


def compare(published: Schema, sent: Any, place: str, lost: list[str]) -> None:
    at = place or "the schema"
    if not isinstance(sent, dict):
        lost.append(f"{at}: got {sent!r}")
        return
    kind = published.get("type")
    if kind is None:
        lost.append(f"{at}: published without one type")
    elif kind != str(sent.get("type", "")).lower():
        lost.append(f"{at}: type {kind}, got {sent.get('type')}")
    for keyword in ("enum", "description"):
        # The description of all parameters together is that of the tool.
        if keyword in published and place and sent.get(keyword) != published[keyword]:
            lost.append(f"{at}: {keyword} {published[keyword]!r}, got {sent.get(keyword)!r}")
    properties = sent.get("properties", {})
    for name, inner in published.get("properties", {}).items():
        compare(inner, properties.get(name), f"{place}.{name}", lost)
    missing = set(published.get("required", [])) - set(sent.get("required", []))
    if missing:
        lost.append(f"{at}: no longer required: {', '.join(sorted(missing))}")
    if kind == "array":
        compare(published.get("items", {}), sent.get("items"), f"{place}[]", lost)

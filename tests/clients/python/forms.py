"""What the official schemas say of a form, and of what a model is asked.

They allow members of any name. Here they are closed, so that a member of a later revision counts as a mistake.
"""

import json
import re
from functools import cache
from typing import Any

from jsonschema.validators import validator_for

from clients import ROOT


FORMS = "^ElicitRequest|(String|Number|Boolean|Enum)Schema$"
MODELS = (
    "^CreateMessageRequest|^Sampling|^Model(Hint|Preferences)|^Tool(Choice|UseContent|ResultContent)?$"
    "|^(Text|Image|Audio)Content$"
)


def check_form(revision: str, params: dict[str, Any]) -> None:
    """Fails if these are not the `params` of an `elicitation/create` of this revision: for a form, or for a page."""
    kind = "ElicitRequestURLParams" if params.get("mode") == "url" else "ElicitRequestFormParams"
    check(validator(revision, kind, FORMS), params)


def check_sampling(revision: str, params: dict[str, Any]) -> None:
    """Fails if these are not the `params` of a `sampling/createMessage` of this revision."""
    check(validator(revision, "CreateMessageRequestParams", MODELS), params)


def check(validator: Any, params: dict[str, Any]) -> None:
    mistakes = [error.message for error in validator.iter_errors(params)]
    assert not mistakes, (params, mistakes)


@cache
def validator(revision: str, kind: str, closed: str) -> Any:
    document = json.loads((ROOT / f"tests/schemas/{revision}.json").read_text())
    keyword = "$defs" if "$defs" in document else "definitions"
    definitions = document[keyword]
    for name, definition in definitions.items():
        if re.search(closed, name):
            close(definition)
    schema = {**definitions[kind], "$schema": document["$schema"], keyword: definitions}
    return validator_for(schema)(schema)


def close(definition: dict[str, Any]) -> None:
    # Some are only a choice between others; in the form itself any property may stand.
    if "properties" in definition:
        definition["additionalProperties"] = False
        close(definition["properties"].get("requestedSchema", {}))


def choices(field: dict[str, Any]) -> list[tuple[str, str]]:
    """The choices of a field and their titles."""
    return [(choice["const"], choice["title"]) for choice in field["oneOf"]]

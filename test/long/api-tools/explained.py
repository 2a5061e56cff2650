"""A check for schemathesis: a request that fits the schema is refused only for what the document says."""

import json
import os

import schemathesis

with open(os.environ["OPENAPI"], encoding="utf-8") as file:
    DOCUMENT = json.load(file)

# Said of all text and all numbers by the document's description.
GENERAL = ("would be read as ", "must have at most ")


def options_of(schema):
    """The schema, and all that it may be instead."""
    if "$ref" in schema:
        yield from options_of(DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    else:
        yield schema
        for key in ("anyOf", "oneOf", "allOf"):
            for option in schema.get(key, []):
                yield from options_of(option)


def descends(schema, parts):
    """The descriptions on the way to a field, without that of the whole."""
    if not parts:
        return
    for option in options_of(schema):
        inner = (
            option.get("items") if parts[0].isdigit() else option.get("properties", {}).get(parts[0])
        ) or option.get("additionalProperties")
        if isinstance(inner, dict):
            for one in options_of({**inner, "anyOf": [inner]} if "$ref" in inner else inner):
                if "description" in one:
                    yield one["description"]
            if "description" in inner:
                yield inner["description"]
            yield from descends(inner, parts[1:])
            if len(parts) == 1 and "description" in option:
                yield option["description"]


def explains(operation, issue):
    path, message = issue["path"], issue["message"]
    if message.startswith(GENERAL):
        return True
    for parameter in operation.get("parameters", []):
        if parameter["name"] == path and "description" in parameter:
            return True
    for content in operation.get("requestBody", {}).get("content", {}).values():
        if any(descends(content["schema"], path.split("."))):
            return True
    return False


@schemathesis.check
def refusal_is_explained(ctx, response, case):
    if response.status_code not in (400, 409, 422) or not case.meta:
        return
    if case.meta.generation.mode.name != "POSITIVE":
        return
    body = response.json()
    operation = DOCUMENT["paths"][case.operation.path][case.operation.method.lower()]
    code = body.get("code")
    if code is None:
        return
    failure = operation["responses"]["default"]["content"]
    examples = next(iter(failure.values())).get("examples", {})
    if code != "request.invalid":
        assert code in examples, f"{code} is not among the errors of the call"
        return
    for issue in body.get("issues", []):
        assert explains(operation, issue), f"nothing says that {issue['path']} {issue['message']}"

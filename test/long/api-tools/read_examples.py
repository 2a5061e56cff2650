"""Imports the models that datamodel-code-generator made of the document, and reads with them what the document shows."""

import inspect
import json
import os

import models
import pydantic

with open(os.environ["OPENAPI"], encoding="utf-8") as file:
    DOCUMENT = json.load(file)

classes = [
    one
    for one in vars(models).values()
    if inspect.isclass(one) and issubclass(one, pydantic.BaseModel) and one.__module__ == "models"
]
for one in classes:
    one.model_rebuild()

# A generator that needs a name twice gives one of them a number.
for name, schema in DOCUMENT["components"]["schemas"].items():
    fields = getattr(getattr(models, name), "model_fields", {})
    have = {field.alias or key for key, field in fields.items()}
    wanted = set(schema.get("properties", {})) or have
    assert have == wanted, f"{name} is the model of something else"


def named(content):
    """The model of a named schema."""
    ref = content["schema"].get("$ref")
    return ref and pydantic.TypeAdapter(getattr(models, ref.rsplit("/", 1)[1]))


read = 0
for path, methods in DOCUMENT["paths"].items():
    for operation in methods.values():
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in [one for body in bodies for one in body.get("content", {}).values()]:
            model = named(content)
            if model and "example" in content:
                model.validate_json(json.dumps(content["example"]))
                read += 1

wallet = {"pincode": "739154", "secretType": "ETHEREUM", "walletType": "WHITE_LABEL"}
models.CreateWallet.model_validate({**wallet, "alias": "Köln 漢字 🚀\n"})
for wrong in ({"alias": "\x00"}, {"identifier": "a\x9fb"}):
    try:
        models.CreateWallet.model_validate({**wallet, **wrong})
    except pydantic.ValidationError:
        continue
    raise AssertionError(f"{wrong} was taken")

print(f"{len(classes)} models, {read} examples read")

"""The query parameters as OpenAPI describes them, from the filter sets that read them."""

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms

from feeds.fact import LARGEST, Kind
from feeds.formats import Format
from feeds.selection import DAY_KEYWORDS, Cancelled, DateKeyword
from feeds.vocabulary import LANGUAGES
from programme.api import fields
from programme.api.filters import SelectionFilterSet
from programme.api.parts import INTRO

Schema = dict[str, Any]

DAY = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
TEXT: Schema = {"type": "string"}


def _repeated(**item: Any) -> Schema:
    return {"type": "array", "items": item}


def _describe_days(keywords: Iterable[DateKeyword]) -> Schema:
    return _repeated(
        anyOf=[
            {"type": "string", "enum": [*keywords]},
            {"type": "string", "format": "date"},
            {"type": "string", "format": "days", "pattern": f"^{DAY}/{DAY}$"},
        ]
    )


# Schemas by the class of a parameter's form field: what clients should send. More is accepted (decisions).
VALUES: dict[type[forms.Field], Schema] = {
    fields.DatesField: _describe_days(DateKeyword),
    fields.DaysField: _describe_days(DAY_KEYWORDS),
    fields.HoursField: _repeated(type="integer", minimum=0, maximum=23),
    fields.NamesField: _repeated(**TEXT),
    fields.IdsOrNamesField: _repeated(**TEXT),
    fields.WordsField: _repeated(**TEXT),
    fields.OccasionIdsField: _repeated(type="string", pattern=r"^(\d{1,18}([.,]\d{1,18})*)?$"),
    fields.FlagField: {"type": "boolean"},
    fields.EditionField: TEXT,
    fields.InstantField: {"type": "string", "format": "date-time"},
    fields.LanguageField: {"type": "string", "enum": [*LANGUAGES], "default": LANGUAGES[0]},
}

# By parameter.
EXAMPLES: dict[str, list[str]] = {
    "date": ["today", "2026-07-29", "2026-07-29/2026-07-31"],
    "during": ["today", "2026-07-29", "2026-07-29/2026-07-31"],
    "after": ["12"],
    "area": ["Stadsparken"],
    "subarea": ["Scenen", "none"],
    "location": ["Biblioteket", "5001"],
    "room": ["Sal 2"],
    "organizer": ["Föreningen Jazz", "3001"],
    "type": ["Konsert", "4001"],
    "spoken": ["sv"],
    "list": ["12"],
    "q": ["jazz"],
    "highlighted": ["true"],
    "signinterpreted": ["true"],
    "occation": ["8001.8002"],
    "cancelled": [*Cancelled],
    "language": ["en", "sv"],
    "limit": ["50"],
    "offset": ["50"],
    "page": ["2"],
    "texts": [INTRO],
    "modified_since": ["2026-07-28T12:03:12.483000Z"],
}


def describe_query(declared: type[SelectionFilterSet]) -> Iterator[Schema]:
    for name, field in declared.get_form_class().base_fields.items():
        schema, examples = _describe_values(field), EXAMPLES.get(name, [])
        if isinstance(field, fields.FactField):
            examples = [next(iter(field.fact.codes), "7")]
        yield {
            "name": name,
            "in": "query",
            "description": field.help_text,
            "required": False,
            "style": "form",
            "explode": True,
            "schema": schema,
            "examples": {value: {"value": _convert(schema, value)} for value in examples},
        }


def _describe_values(field: forms.Field) -> Schema:
    if isinstance(field, fields.ChoiceField):
        return {"type": "string", "enum": [*field.choices]}
    if isinstance(field, fields.NumberField):
        return {"type": "integer", "minimum": field.min_value, "maximum": field.max_value}
    if isinstance(field, fields.FactField):
        if field.fact.kind is Kind.RANGE:
            return _repeated(type="integer", minimum=0, maximum=LARGEST)
        return _repeated(type="string", enum=[*field.fact.codes])
    return VALUES[type(field)]


def _convert(schema: Schema, value: str) -> Any:
    if schema["type"] == "array":
        return [int(value) if schema["items"].get("type") == "integer" else value]
    if schema["type"] == "boolean":
        return value == "true"
    return int(value) if schema["type"] == "integer" else value


def describe_format(formats: tuple[type[Format], ...]) -> Schema:
    description = "The format, by its extension. Without it, Accept chooses."
    examples = {each.extension: {"value": each.extension} for each in formats}
    return describe_choice("format", "query", description, formats) | {"examples": examples}


def describe_choice(name: str, place: str, description: str, formats: tuple[type[Format], ...]) -> Schema:
    return {
        "name": name,
        "in": place,
        "description": description,
        "required": place == "path",
        "schema": {"type": "string", "enum": [each.extension for each in formats]},
    }


def _describe_id(name: str, description: str, example: int) -> Schema:
    return {
        "name": name,
        "in": "path",
        "description": description,
        "required": True,
        "schema": {"type": "integer", "minimum": 0, "maximum": 10**18 - 1},
        "examples": {str(example): {"value": example}},
    }


OCCASION_ID = _describe_id("id", "Occasion ID.", 8001)
LIST_ID = _describe_id("list_id", "List ID.", 12)

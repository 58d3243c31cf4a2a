"""The page of the API: forms, tables and examples, built from the OpenAPI document."""

import json
from collections.abc import Iterator
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from feeds.fact import LARGEST, Fact, Kind
from feeds.facts import BY_NAME
from feeds.formats import FORMATS
from feeds.vocabulary import LanguageCode, safe_url
from programme.api.openapi.programme_descriptions import PROGRAMME_DESCRIPTIONS
from programme.api.openapi.responses import NAMES
from programme.api.openapi.schemas import ALL_DESCRIPTIONS

Schema = dict[str, Any]
# What the template shows of an operation, a parameter, a field.
Shown = dict[str, Any]

# The interface has these; the others are additions.
INTERFACE_OPERATIONS = {"areas", "events"}
INTERFACE_PARAMETERS = {
    *("date", "area", "subarea", "room", "organizer", "highlighted", "language"),
    "format",
}
# The queries of the examples.
EXAMPLES = {
    "events": {"date": "today", "language": "en"},
    "changes": {"modified_since": "1970-01-01T00:00:00Z"},
    "occasion": {"format": "ics"},
    "news": {"format": "json"},
    "programme": {"texts": "intro"},
}
# What the examples call an answer.
ANSWERS = {"occasion": "calendar", "schema": "description"}
ADDED_SCHEMAS = {"Tombstone", "RemovedOccation", *PROGRAMME_DESCRIPTIONS}


class ApiPage:
    """The page in one language, of an OpenAPI document, and of an occasion and a list for its examples."""

    def __init__(self, document: Schema, occasion_id: int, language: LanguageCode, list_id: int = 1) -> None:
        self.document = document
        self.base_url = document["servers"][0]["url"]
        self.ids = {"id": str(occasion_id), "list_id": str(list_id)}
        self.language = language

    @cached_property
    def endpoints(self) -> tuple[Shown, ...]:
        paths = self.document["paths"].items()
        # The others are these with an extension.
        return tuple(self._build_endpoint(path, item) for path, item in paths if "." not in path)

    @property
    def errors(self) -> dict[str, str]:
        return dict(sorted(error for each in self.endpoints for error in each["errors"]))

    @property
    def terms(self) -> list[tuple[str, str, str]]:
        """What others may do with the programme, and whom they ask, as far as it was entered, with links."""
        info = self.document["info"]
        license_, contact = info.get("license", {}), info.get("contact", {})
        email, terms_url = contact.get("email", ""), info.get("termsOfService", "")
        terms = (
            (_("Licence"), license_.get("name", ""), safe_url(license_.get("url", ""))),
            (_("Terms of use"), terms_url, safe_url(terms_url)),
            (_("Contact"), contact.get("name", email), email and f"mailto:{email}"),
        )
        return [each for each in terms if each[1]]

    @cached_property
    def tables(self) -> list[Shown]:
        return [
            {"name": name, "is_addition": name in ADDED_SCHEMAS, "rows": list(self._build_fields(name))}
            for name in sorted(ALL_DESCRIPTIONS, key=_place)
        ]

    def _build_endpoint(self, path: str, item: Schema) -> Shown:
        name, responses = item["get"]["operationId"], item["get"]["responses"]
        action = path.format(**self.ids)
        query = EXAMPLES.get(name, {})
        # Of the parameter of that name.
        (choices,) = (each["schema"]["enum"] for each in item["parameters"] if each["name"] == "format")
        return Shown(
            name=name,
            path=path,
            action=action,
            text=_summaries()[name],
            is_addition=name not in INTERFACE_OPERATIONS,
            parameters=tuple(map(self._build_parameter, item["parameters"])),
            formats=[each for each in FORMATS if each.extension in choices],
            headers=tuple((each, self._describe("headers", each)) for each in responses["200"]["headers"]),
            errors=tuple(
                (status, self._describe("responses", NAMES[status]))
                for status in responses
                if status >= "400"
            ),
            example=f"{self.base_url}{action}{'?' if query else ''}{urlencode(query)}",
            answer=ANSWERS.get(name, name),
        )

    def _build_parameter(self, item: Schema) -> Shown:
        name, schema = item["name"], item["schema"]
        examples = [each["value"] for each in item["examples"].values()] or [""]
        first = examples[0][0] if isinstance(examples[0], list) else examples[0]
        example = self.ids.get(name, str(first))
        choices = tuple(each for each in schema.get("enum", ()) if each != schema.get("default"))
        return Shown(
            name=name,
            kind="choice" if choices else KINDS.get(schema["type"], "text"),
            text=describe_fact(BY_NAME[name], self.language) if name in BY_NAME else _(item["description"]),
            example=example,
            value=example if item["required"] else "",
            choices=choices,
            unchosen=_("as Accept says") if name == "format" else schema.get("default", "–"),
            is_addition=name not in INTERFACE_PARAMETERS | self.ids.keys(),
            in_path=item["in"] == "path",
        )

    def _describe(self, component: str, name: str) -> str:
        text: str = self.document["components"][component][name]["description"]
        return _(text)

    def _build_fields(self, table: str) -> Iterator[Shown]:
        for name, schema in self.document["components"]["schemas"][table]["properties"].items():
            options = schema.get("anyOf", [schema])
            (stated,) = (each for each in options if each.get("type") != "null")
            item = stated.get("items", stated)
            referenced = item.get("$ref", "").rpartition("/")[2]
            examples = schema.get("examples", [None])
            yield Shown(
                name=name,
                type=referenced or _type(item),
                table=referenced,
                is_list="items" in stated,
                is_nullable=len(options) > 1,
                text=ALL_DESCRIPTIONS[table][name].text.within(self.language),
                example=""
                if referenced or examples[0] is None
                else json.dumps(examples[0], ensure_ascii=False),
            )


def describe_fact(fact: Fact, language: LanguageCode) -> str:
    """Return `Bokning: behövs inte (not-needed), behövs (needed).`"""
    values = (
        ", ".join(f"{fact.label(code).within(language)} ({code})" for code in fact.codes) or f"0–{LARGEST}"
    )
    every = _("Of several, all must hold.") if fact.kind is Kind.STATES else ""
    return f"{fact.title.within(language)}: {values}. {every}".strip()


def _summaries() -> dict[str, str]:
    return {
        "areas": _("All areas."),
        "events": _("The occasions of a selection: one element for each, in every format."),
        "changes": _("What was modified since an instant, and what has left the selection."),
        "occasion": _("One occasion, in every format."),
        "lists": _("The lists that the editors have made."),
        "listed": _("The occasions on a list, in every format."),
        "programme": _(
            "The whole programme as one document, for apps. Everything stands once, in both languages, and is"
            " referred to by its ID. Keep a copy, and ask with modified_since for what has changed."
        ),
        "news": _("What readers were told: what is new, moved, cancelled, reinstated or withdrawn."),
        "schema": _("The description of all this."),
    }


def _place(table: str) -> tuple[bool, int]:
    """Sort events first and additions last."""
    order = ["Event", "Occation", "Area", "SubArea", "AreaDay"]
    return (table in ADDED_SCHEMAS, order.index(table) if table in order else len(order))


# Fields of forms by the types of JSON Schema.
KINDS = {"boolean": "check", "integer": "number"}
# The usual names of JSON Schema's formats.
TEXT_FORMATS = {
    "date": "yyyy-MM-dd",
    "time-local": "HH:mm:ss",
    "date-time": "RFC 3339",
    "iri": "URL",
    "color": "#rrggbb",
}


def _type(schema: Schema) -> str:
    return str(TEXT_FORMATS.get(schema.get("format", "")) or schema.get("type") or " | ".join(schema["enum"]))

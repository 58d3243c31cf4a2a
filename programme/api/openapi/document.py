"""The OpenAPI document: the operations, their parameters and their responses."""

from collections.abc import Iterator, Sequence
from typing import Any

from feeds import interface
from feeds.formats import FORMATS
from feeds.news_formats import NEWS_FORMATS
from feeds.vocabulary import Festival
from programme.api.filters import (
    EditionFilterSet,
    EventFilterSet,
    NewsFilterSet,
    OccasionFilterSet,
    ProgrammeFilterSet,
)
from programme.api.negotiation import JSON_ALONE, Formats
from programme.api.openapi import parameters
from programme.api.openapi.responses import COMPONENTS, Result
from programme.api.openapi.schemas import build_schemas

Schema = dict[str, Any]

# Generators of clients name packages after it, so it has no names of festivals and no marks.
TITLE = "Festival programme"
DESCRIPTION = (
    "A programme of a festival: its areas, and the occasions of its events. Read-only, without credentials,"
    " for all origins. An extension of the path chooses the format, else ?format=, else Accept (RFC 9110)."
    " The paths that end in .json are those for generated clients: what they return has one type."
    " Different parameters must all hold; repeated ones are alternatives. Parameters that are"
    " not named here are ignored."
)
# What operations return; what these refer to follows.
TABLES = (interface.Event, interface.Area, interface.Tombstone, interface.Programme, interface.NewsEntry)
ADDITION = "An addition to the interface. "
# Generators of clients group operations by them.
TYPED, NEGOTIATED = "programme", "formats"
TAGS = [
    {"name": TYPED, "description": "Everything as JSON, each operation with one type of result."},
    {"name": NEGOTIATED, "description": "The same in every format, and headers alone."},
]


def build_document(festival: Festival, base_url: str, editions: Sequence[str] = ()) -> Schema:
    """Return the document; `editions` are their slugs, without which nothing is said of them."""
    return {
        "openapi": "3.1.0",
        "info": _describe_info(festival),
        "servers": [{"url": base_url}],
        # Nothing asks for credentials.
        "security": [],
        "tags": TAGS,
        "paths": {path: _offer_editions(item, editions) for path, item in _paths()},
        "components": {
            "schemas": {**build_schemas(*TABLES), **COMPONENTS["schemas"]},
            "responses": COMPONENTS["responses"],
            "headers": COMPONENTS["headers"],
        },
    }


def _offer_editions(item: Schema, editions: Sequence[str]) -> Schema:
    known = {
        "schema": {"type": "string", "enum": [*editions]},
        "examples": {slug: {"value": slug} for slug in editions},
    }
    shown = [
        each | known if each["name"] == "edition" else each
        for each in item["parameters"]
        if editions or each["name"] != "edition"
    ]
    return item | {"parameters": shown}


def _describe_info(festival: Festival) -> Schema:
    terms = festival.terms
    info = {
        "title": TITLE,
        "summary": festival.name.within("en"),
        "version": "1",
        "description": DESCRIPTION,
        "termsOfService": terms.terms_url,
        "contact": _known({"name": terms.contact_name, "email": terms.contact_email}),
        # A licence must have a name.
        "license": _known({"name": terms.license_name or terms.license_url, "url": terms.license_url}),
    }
    return _known(info)


def _known(members: Schema) -> Schema:
    return {name: value for name, value in members.items() if value}


def _array(*names: str) -> Schema:
    items = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    return {"type": "array", "items": items[0] if len(items) == 1 else {"oneOf": items}}


def _paths() -> Iterator[tuple[str, Schema]]:
    areas = Result("All areas, in their order.", _array("Area"))
    edition = [*parameters.describe_query(EditionFilterSet)]
    summary = "List all areas."
    yield from _describe_paths("/api/areas", "areas", "listAreas", summary, edition, areas, JSON_ALONE)
    # Changes are described apart, too: typed clients need not tell events from tombstones.
    query = [*parameters.describe_query(EventFilterSet)]
    listed = [each for each in query if each["name"] != "modified_since"]
    changed = [
        {**each, "required": each["name"] == "modified_since"}
        for each in query
        if each["name"] not in {"limit", "offset"}
    ]
    pages, until = ("Link", "X-Total-Count"), ("Modified-Until",)
    order = "The occasions of a selection, in the order of their starts."
    events = Result(order, _array("Event"), headers=pages)
    either = Result(
        f"{order} Tombstones with modified_since alone.",
        _array("Event", "Tombstone"),
        headers=(*pages, *until),
    )
    modified = "What was modified, and tombstones of what has left the selection."
    changes = either._replace(description=modified, headers=until)
    summary = "List occasions: one element for each, in every format."
    yield from _describe_paths("/api/events", "events", "", summary, query, either, FORMATS)
    summary = "List occasions: one element for each. With modified_since, it is listChanges."
    yield "/api/events.json", _describe_typed("listEvents", summary, listed, events)
    path, summary = "/api/changes", f"{ADDITION}List what was modified since an instant."
    yield from _describe_paths(path, "changes", "listChanges", summary, changed, changes, JSON_ALONE)
    occasion = Result("The occasion.", _array("Event"), ("400", "410"), ("Content-Disposition",))
    one = [parameters.OCCASION_ID, *parameters.describe_query(OccasionFilterSet)]
    path, summary = "/api/occations/{id}", f"{ADDITION}One occasion."
    yield from _describe_paths(path, "occasion", "getOccasion", summary, one, occasion, FORMATS)
    lists = Result("The lists that are published, by title.", _array("ProgrammeList"))
    summary = f"{ADDITION}List the lists that the editors have made."
    yield from _describe_paths("/api/lists", "lists", "listLists", summary, edition, lists, JSON_ALONE)
    declared = parameters.describe_query(EventFilterSet)
    query = [parameters.LIST_ID, *(each for each in declared if each["name"] != "list")]
    events = either._replace(description="The occasions on a list. Tombstones with modified_since alone.")
    path, summary = "/api/lists/{list_id}/events", f"{ADDITION}The occasions on a list, in every format."
    yield from _describe_paths(path, "listed", "listListed", summary, query, events, FORMATS)
    programme = Result(
        "The programme, or a selection of it, with what it refers to.",
        {"$ref": "#/components/schemas/Programme"},
        headers=("Modified-Until",),
    )
    path, summary = "/api/programme", f"{ADDITION}The programme as one document: everything stands once."
    query = [*parameters.describe_query(ProgrammeFilterSet)]
    yield from _describe_paths(path, "programme", "getProgramme", summary, query, programme, JSON_ALONE)
    query = [*parameters.describe_query(NewsFilterSet)]
    told = Result("The entries, the newest first.", _array("NewsEntry"), headers=("Link", "X-Total-Count"))
    summary = f"{ADDITION}What readers were told: new, moved, cancelled, reinstated, withdrawn, changed."
    yield from _describe_paths("/api/news", "news", "listNews", summary, query, told, NEWS_FORMATS)
    schema = Result("This description.", {"type": "object"})
    summary = f"{ADDITION}This description."
    yield from _describe_paths("/api/schema", "schema", "getSchema", summary, [], schema, JSON_ALONE)


def _describe_paths(  # noqa: PLR0913, PLR0917 - the parts of an operation
    path: str, name: str, typed: str, summary: str, query: list[Schema], result: Result, formats: Formats
) -> Iterator[tuple[str, Schema]]:
    """Yield the path without an extension, with `.json` (unless it is described apart), and with others."""
    by_accept = [*_select_read(query, formats), parameters.describe_format(formats)]
    yield path, _describe_methods(name, NEGOTIATED, summary, by_accept, result.describe(formats))
    if typed:
        yield f"{path}.json", _describe_typed(typed, summary, query, result)
    others = tuple(each for each in formats if each.extension != "json")
    if path.endswith("}"):
        # With another parameter beside it, it would be another form of the path without an extension.
        for each in others:
            responses = result.describe((each,), by_extension=True)
            own = _select_read(query, (each,))
            named = f"{name}In{each.extension.title().replace('-', '')}"
            item = _describe_methods(named, NEGOTIATED, summary, own, responses)
            yield f"{path}.{each.extension}", item
    elif others:
        by_extension = [*query, parameters.describe_choice("extension", "path", "The format.", others)]
        responses = result.describe(others, by_extension=True)
        item = _describe_methods(f"{name}InFormat", NEGOTIATED, summary, by_extension, responses)
        yield f"{path}.{{extension}}", item


def _describe_typed(name: str, summary: str, query: list[Schema], result: Result) -> Schema:
    responses = result.describe(JSON_ALONE, by_extension=True)
    return _describe_methods(name, TYPED, summary, _select_read(query, JSON_ALONE), responses)


def _select_read(query: list[Schema], formats: Formats) -> list[Schema]:
    """Return the parameters that one of some formats reads at least."""
    reads_cancelled = any(each.takes_cancelled for each in formats)
    return [each for each in query if reads_cancelled or each["name"] != "cancelled"]


def _describe_methods(name: str, tag: str, summary: str, query: list[Schema], responses: Schema) -> Schema:
    head = f"{summary} Headers alone."
    return {
        "parameters": query,
        "get": {"operationId": name, "tags": [tag], "summary": summary, "responses": responses},
        "head": {
            "operationId": f"{name}Head",
            "tags": [NEGOTIATED],
            "summary": head,
            "responses": responses,
        },
    }

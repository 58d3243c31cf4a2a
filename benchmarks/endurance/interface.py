"""The service's own description of its API, with the headers that readers send."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from programme.api.openapi import build_document
from programme.publishing.shared_values import NO_FESTIVAL

Schema = dict[str, Any]

TEXT = {"type": "string"}


def build_schema(*, headers: bool = True, occasions: Sequence[int] = ()) -> Schema:
    """Return the document; without headers it says nothing of them, so that only parameters can be wrong.

    Of `occasions` the single ones are asked for: few numbers are some occasion's.
    """
    described = deepcopy(build_document(NO_FESTIVAL, "http://localhost:8000"))
    for path in described["paths"].values():
        for parameter in path["parameters"]:
            # Examples are for people; numbers of these are nobody's here.
            parameter.pop("examples", None)
            if occasions and parameter["name"] == "id":
                parameter["schema"] = {"enum": [*occasions]}
        if headers:
            path["parameters"] += _headers(path["get"]["responses"]["200"]["content"])
    return described


def _headers(media_types: Sequence[str]) -> list[Schema]:
    conditions = [
        {"name": name, "in": "header", "schema": TEXT} for name in ("If-None-Match", "If-Modified-Since")
    ]
    return [{"name": "Accept", "in": "header", "schema": {"enum": ["*/*", *media_types]}}, *conditions]

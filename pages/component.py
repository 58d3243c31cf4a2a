"""The script of the element for other websites, without comments, with what it knows of facts."""

import json
from functools import cache
from pathlib import Path

from django.utils.text import capfirst
from rjsmin import jsmin

from feeds.fact import Fact, FactValue, Kind
from feeds.facts import AUDIENCE, FACTS, FREE, phrase_token
from feeds.festival_time import FestivalTime
from feeds.vocabulary import LANGUAGES, Text
from pages.fact_filters import FIRST

SOURCE = Path(__file__).parent / "parts" / "component.js"


@cache
def write_component(time: FestivalTime) -> bytes:
    values = [(fact, each, fact.token(each.code)) for fact in FACTS for each in fact.values]
    declared = {
        "clock": [time.zone_name, time.first_hour],
        "facts": [fact.name for fact in FACTS],
        "flags": [fact.name for fact in FACTS if fact.kind is Kind.ONE and "true" in fact.codes],
        "urgent": [_describe(fact, each, each.mark) for fact, each, _token in values if each.urgent],
        "choices": [
            _describe(fact, each, phrase_token(token))
            for fact, each, token in values
            if each.weight == FIRST and fact in (FREE, AUDIENCE)
        ],
    }
    script = SOURCE.read_text()
    for name, elements in declared.items():
        script = script.replace(f"/* {name} */", json.dumps(elements, ensure_ascii=False)[1:-1])
    short: str = jsmin(script)
    return short.encode()


def _describe(fact: Fact, value: FactValue, words: Text) -> tuple[str, str, dict[str, str]]:
    return fact.name, value.code, {each: capfirst(words.within(each)) for each in LANGUAGES}

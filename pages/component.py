"""The script of the element for other websites, made short, with what it knows of facts."""

import json
import re
from functools import cache
from pathlib import Path
from string import ascii_letters

from django.conf import settings
from django.utils.text import capfirst
from rjsmin import jsmin

from feeds.fact import Fact, FactValue, Kind
from feeds.facts import AUDIENCE, FACTS, FREE, phrase_token
from feeds.vocabulary import LANGUAGES, Text
from pages.fact_filters import FIRST

SOURCE = Path(__file__).parent / "parts" / "component.js"
# The style sheet in it, and what separates nothing there.
_STYLE = re.compile(r"replaceSync\(`[^`]*`\)")
_SPACE = re.compile(r"(?<=:) |\s*([{};,>])\s*")
# What separates nothing, and what has a name only there; but no member of something else.
_NEEDLESS = re.compile(r"[,;](?=[\]}])|(?<=})\n")
_ARROW = re.compile(r"(?<!\w)\((\w+)\)=>")
_OWN = re.compile(r"#[a-z]\w*|(?<=const )(?:[A-Z]|create|read)\w+(?==)|(?<=function )\w{7,}|\bis[A-Z]\w+")
_NAME = re.compile(r"#\w+|(?<![\w)]\.)\b\w+")


@cache
def write_component() -> bytes:
    values = [(fact, each, fact.token(each.code)) for fact in FACTS for each in fact.values]
    declared = {
        "zone": [settings.TIME_ZONE],
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
    return shorten(script).encode()


def _describe(fact: Fact, value: FactValue, words: Text) -> tuple[str, str, dict[str, str]]:
    return fact.name, value.code, {each: capfirst(words.within(each)) for each in LANGUAGES}


def shorten(script: str) -> str:
    """Return a script without what only readers of it need: comments, spaces, long names of its own."""
    short = _STYLE.sub(lambda found: _SPACE.sub(r"\1", found[0]), jsmin(script))
    short = _ARROW.sub(r"\1=>", _NEEDLESS.sub("", short))
    own = sorted({*_OWN.findall(short), "each"}, reverse=True)
    names = {name: f"{'#' * (name[0] == '#')}${place}" for place, name in enumerate(own)} | {"const": "let"}
    names |= zip((each for each in own if each[0] == "#"), map("#{}".format, ascii_letters), strict=False)
    return _NAME.sub(lambda found: names.get(found[0], found[0]), short)

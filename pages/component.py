"""The script of the element for other websites, made short, with what is declared of facts in it."""

import json
import re
from functools import cache
from pathlib import Path
from string import ascii_letters

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
_PRIVATE = re.compile(r"#[a-z]\w*", re.IGNORECASE)


@cache
def write_component() -> bytes:
    values = [(fact, each, fact.token(each.code)) for fact in FACTS for each in fact.values]
    declared = {
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
    """Return a script without what only readers of it need: comments, spaces, long private names."""
    short = _STYLE.sub(lambda found: _SPACE.sub(r"\1", found[0]), jsmin(script))
    names = dict(zip(dict.fromkeys(_PRIVATE.findall(short)), ascii_letters, strict=False))
    return _PRIVATE.sub(lambda found: f"#{names[found[0]]}", short)

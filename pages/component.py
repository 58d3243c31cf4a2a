"""The script of the element for other websites, made short, with what is declared of facts in it."""

import json
import re
from functools import cache
from pathlib import Path
from string import ascii_letters

from django.utils.text import capfirst

from feeds.fact import Fact, FactValue, Kind
from feeds.facts import AUDIENCE, FACTS, FREE, phrase_token
from feeds.vocabulary import LANGUAGES, Text
from pages.fact_filters import FIRST

SOURCE = Path(__file__).parent / "parts" / "component.js"
_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
_LITERAL = re.compile(r'(`[^`]*`|"(?:[^"\\]|\\.)*")')
# What separates nothing in a style sheet.
_STYLE = re.compile(r"(?<=:) |\s*([{};,>])\s*")
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
    """Return a script without its comments, with short private names, and spaces only where they separate.

    It has to be formatted: each statement ends with a semicolon. Regular expressions in it hold no space.
    """
    parts = _LITERAL.split(_COMMENT.sub("", script))
    parts[::2] = [re.sub(r"\s*([^\w\s$#]+)\s*", r"\1", each) for each in parts[::2]]
    parts[1::2] = [_STYLE.sub(r"\1", each) if "\n" in each else each for each in parts[1::2]]
    short = re.sub(r"[;,](?=[}\])])", "", "".join(parts))
    short = re.sub(r"(?<!async)\((\w+)\)=>", r"\1=>", short)
    names = dict(zip(dict.fromkeys(_PRIVATE.findall(short)), ascii_letters, strict=False))
    return _PRIVATE.sub(lambda found: f"#{names[found[0]]}", short)

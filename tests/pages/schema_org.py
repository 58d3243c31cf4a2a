"""schema.org's own vocabulary, as the npm package schema-dts carries it, and what it says of a document."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

DEFINITIONS = Path(__file__).parents[1] / "consumers/node_modules/schema-dts/dist/schema.d.ts"

INTERFACE = re.compile(r"^(?:export )?interface (\w+) extends ([^{]+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
PROPERTY = re.compile(r'"([\w@]+)"\??: (?:SchemaValue<([^,]+), "\w+">|"(\w+)")')
UNION = re.compile(r"^export type (\w+) = (.+?);?$", re.MULTILINE)
TEXTS = {"Text", "URL", "Date", "DateTime", "Time"}


class Vocabulary:
    """Types with their properties, and what the values of these may be."""

    def __init__(self, definitions: str) -> None:
        self.parents: dict[str, list[str]] = {}
        self.properties: dict[str, dict[str, set[str]]] = {}
        self.leaves: dict[str, str] = {}
        for name, parents, body in INTERFACE.findall(definitions):
            self.parents[name] = [parent.strip() for parent in parents.split(",")]
            self.properties[name] = {
                key: _alternatives(held) for key, held, _ in PROPERTY.findall(body) if held
            }
            self.leaves |= {kind: name for key, _, kind in PROPERTY.findall(body) if key == "@type"}
        self.unions = {name: _alternatives(held) for name, held in UNION.findall(definitions)}

    def of(self, kind: str) -> dict[str, set[str]]:
        """Return the properties of a type, its parents' included."""
        return dict(self._inherited(self.leaves[kind]))

    def _inherited(self, interface: str) -> Iterator[tuple[str, set[str]]]:
        for parent in self.parents.get(interface, ()):
            yield from self._inherited(parent)
        yield from self.properties.get(interface, {}).items()

    def is_a(self, kind: str, expected: str) -> bool:
        """Return whether a type is another one, or one of its kinds."""
        if kind == expected:
            return True
        kinds = self.unions.get(expected, set())
        return any(self.is_a(kind, each) for each in kinds if each in self.unions and each != expected)

    def faults(self, thing: dict[str, Any], where: str = "") -> Iterator[str]:
        """Yield what the vocabulary does not know of a thing."""
        kind = thing.get("@type")
        if kind not in self.leaves:
            yield f"{where}: no type {kind!r}"
            return
        known = self.of(kind)
        for name, value in thing.items():
            if name in {"@type", "@context"}:
                continue
            if name not in known:
                yield f"{where}{kind} has no property {name}"
                continue
            for each in value if isinstance(value, list) else [value]:
                yield from self._value_faults(each, known[name], f"{where}{kind}.{name}")

    def _value_faults(self, value: Any, allowed: set[str], where: str) -> Iterator[str]:
        match value:
            case dict():
                if not any(self.is_a(value.get("@type", ""), each) for each in allowed):
                    yield f"{where} may not be {value.get('@type')}"
                yield from self.faults(value, f"{where}: ")
            case bool() if "Boolean" not in allowed:
                yield f"{where} is no truth value"
            case str() if not self._fits(value, allowed):
                yield f"{where} may not be {value!r}"

    def _fits(self, text: str, allowed: set[str]) -> bool:
        """Return whether a text is a member of an enumeration, a moment with its offset, an address, or free."""
        if any(f'"{text}"' in self.unions.get(each, ()) for each in allowed):
            return True
        if "Text" in allowed:
            return True
        if "URL" in allowed and text.startswith(("http://", "https://")):
            return True
        return "DateTime" in allowed and datetime.fromisoformat(text).tzinfo is not None


def _alternatives(union: str) -> set[str]:
    return {each.strip() for each in union.split("|")}


class _Loaded:
    @cached_property
    def vocabulary(self) -> Vocabulary:
        if not DEFINITIONS.exists():
            pytest.skip("schema-dts is not installed: needs node, and `npm ci` in tests/consumers")
        return Vocabulary(DEFINITIONS.read_text())


loaded = _Loaded()

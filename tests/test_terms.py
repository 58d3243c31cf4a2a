"""One thing has one term: the synonyms that docs/terms.md rules out are in no catalogue and no handbook."""

import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).parent.parent
CATALOGUES = [
    ROOT / folder / "sv/LC_MESSAGES/django.po"
    for folder in ("locale", "locale/django-overrides", "pages/locale")
]
OVERRIDES = ROOT / "locale/django-overrides/en/LC_MESSAGES/django.po"
# The columns of the table with the words that are ruled out.
SWEDISH, ENGLISH = 3, 4


def list_synonyms(column: int) -> list[str]:
    lines = (ROOT / "docs/terms.md").read_text().splitlines()
    _head, _rule, *rows = [line.split("|")[1:-1] for line in lines if line.startswith("|")]
    return [word.strip() for row in rows for word in row[column].split(",") if word.strip()]


def list_texts(column: int) -> Iterator[tuple[str, str]]:
    replaced = {entry.msgid for entry in polib.pofile(OVERRIDES)}
    for path in [*CATALOGUES, OVERRIDES]:
        for entry in polib.pofile(path):
            translated = [entry.msgstr, *entry.msgstr_plural.values()]
            own = [] if entry.msgid in replaced else [entry.msgid, entry.msgid_plural]
            is_shown = (path == OVERRIDES) == (column == ENGLISH)
            for text in translated if is_shown else own if column == ENGLISH else []:
                yield str(path.relative_to(ROOT)), text
    handbook = ROOT / "docs/handbook" / ("sv.md" if column == SWEDISH else "en.md")
    for line in handbook.read_text().splitlines():
        yield handbook.name, line


@pytest.mark.parametrize("column", [SWEDISH, ENGLISH], ids=["Swedish", "English"])
def test_no_text_has_a_synonym(column: int) -> None:
    words = "|".join(map(re.escape, list_synonyms(column)))
    # A style sheet is no spreadsheet.
    pattern = re.compile(rf"(?<!style )\b(?:{words})", re.IGNORECASE)
    assert [(where, text) for where, text in list_texts(column) if pattern.search(text)] == []

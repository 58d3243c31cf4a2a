"""The catalogues are whole: every text of the source is in one, and what is compiled is what is written.

`locale/sv` is the back office's: `manage.py makemessages -l sv --no-wrap --no-location --ignore pages` followed by
`compilemessages` renews it. `pages/locale/sv` is that of the public pages: entries are added by hand, because their
templates stand outside the package. `locale/django-overrides` has what sentences of Django's own are replaced with.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import django
import polib
import pytest
from django.utils import translation

ROOT = Path(__file__).parent.parent
BACK_OFFICE, PAGES = (ROOT / folder / "sv/LC_MESSAGES/django.po" for folder in ("locale", "pages/locale"))
OVERRIDES = [ROOT / f"locale/django-overrides/{code}/LC_MESSAGES/django.po" for code in ("sv", "en")]
# The folders whose texts a catalogue holds.
SOURCES = {BACK_OFFICE: ["feeds", "festival", "programme", "templates"], PAGES: ["pages", "templates/pages"]}
GETTEXT = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext"}
GETTEXT |= {"pgettext_lazy"}
# {% translate "…" %} and _("…"), and {% blocktranslate … %}…{% plural %}…{% endblocktranslate %}.
_TRANSLATE = re.compile(
    r"(?:{%\s*trans(?:late)?\s+|\b_\()(?:\"([^\"]*)\"|'([^']*)')(?:\s+context\s+\"(\w+)\")?"
)
_BLOCK = re.compile(
    r"{%\s*blocktrans(?:late)?\b([^%]*)%}(.*?)(?:{%\s*plural\s*%}.*?)?{%\s*endblocktrans(?:late)?\s*%}",
    re.DOTALL,
)
_VARIABLE = re.compile(r"{{\s*(\w+)\s*}}")

Message = tuple[str | None, str]
catalogues = pytest.mark.parametrize(
    "path", [*SOURCES, *OVERRIDES], ids=lambda path: str(path.relative_to(ROOT))
)


def messages(path: Path) -> set[Message]:
    """Return the context and the text of every message in the folders of a catalogue."""
    files = [file for folder in SOURCES[path] for file in (ROOT / folder).rglob("*.*") if file.is_file()]
    if path == BACK_OFFICE:
        files = [file for file in files if not file.is_relative_to(ROOT / "templates/pages")]
    found = {message for file in files if file.suffix == ".py" for message in _of_module(file)}
    found |= {message for file in files if "templates" in file.parts for message in _of_template(file)}
    return found


def _of_module(path: Path) -> Iterator[Message]:
    """Yield the first literal argument of every call of gettext."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in GETTEXT:
            has_context = node.func.id.startswith("p")
            text = node.args[has_context]
            assert isinstance(text, ast.Constant), f"{path}:{node.lineno}: no literal"
            yield node.args[0].value if has_context else None, text.value


def _of_template(path: Path) -> Iterator[Message]:
    template = path.read_text()
    for double, single, context in _TRANSLATE.findall(template):
        yield context or None, double or single
    for options, block in _BLOCK.findall(template):
        text = _VARIABLE.sub(r"%(\1)s", block)
        yield None, re.sub(r"\s*\n\s*", " ", text.strip()) if "trimmed" in options else text


def _of_django() -> set[Message]:
    found = Path(django.__path__[0]).glob("*/**/locale/en/LC_MESSAGES/django.po")
    return {(entry.msgctxt, entry.msgid) for path in found for entry in polib.pofile(path)}


def entries(path: Path) -> list[polib.POEntry]:
    return [entry for entry in polib.pofile(path) if not entry.obsolete]


@pytest.mark.parametrize("path", [BACK_OFFICE, PAGES], ids=["back office", "pages"])
def test_every_text_of_the_source_is_in_the_catalogue(path: Path) -> None:
    assert sorted(messages(path) - {(entry.msgctxt, entry.msgid) for entry in entries(path)}, key=str) == []


@catalogues
def test_every_entry_is_translated_for_certain_and_used(path: Path) -> None:
    assert [entry.msgid for entry in entries(path) if not entry.translated() or entry.fuzzy] == []
    used = _of_django() if path in OVERRIDES else messages(path)
    assert [each.msgid for each in polib.pofile(path) if (each.msgctxt, each.msgid) not in used] == []


@catalogues
def test_translations_keep_the_placeholders(path: Path) -> None:
    def placeholders(text: str) -> set[str]:
        return set(re.findall(r"%\(\w+\)[sd]|{\w*}", text))

    changed = [
        entry.msgid
        for entry in entries(path)
        for text in (entry.msgstr_plural.values() or [entry.msgstr])
        if placeholders(text) - {"%(count)s"} != placeholders(entry.msgid) - {"%(count)s"}
    ]
    assert changed == []


@catalogues
def test_compiled_catalogue_holds_what_is_written(path: Path) -> None:
    def texts(catalogue: polib.POFile | polib.MOFile) -> dict[Message, object]:
        return {
            (entry.msgctxt, entry.msgid): dict(enumerate(entry.msgstr_plural.values())) or entry.msgstr
            for entry in catalogue
        }

    compiled = polib.mofile(path.with_suffix(".mo"))
    written = polib.pofile(path)
    assert texts(compiled) == texts(written)
    assert compiled.metadata == written.metadata


def test_no_other_catalogue_translates_a_text_of_the_pages_differently() -> None:
    """Django merges all catalogues: where one has another translation, the pages' text takes a context."""
    with translation.override("sv"):
        differing = [
            (entry.msgid, entry.msgstr, shown)
            for entry in entries(PAGES)
            if entry.msgstr and (shown := _translate(entry)) != entry.msgstr
        ]
    assert differing == []


def _translate(entry: polib.POEntry) -> str:
    if entry.msgctxt:
        return translation.pgettext(entry.msgctxt, entry.msgid)
    return translation.gettext(entry.msgid)

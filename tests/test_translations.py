"""The Swedish catalogue is whole: every text of the source is in it, and what is compiled is what is written.

`manage.py makemessages -l sv --no-wrap --no-location` followed by `compilemessages` renews it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib

ROOT = Path(__file__).parent.parent
CATALOGUE = ROOT / "locale/sv/LC_MESSAGES/django.po"
PACKAGES = ["feeds", "festival", "pages", "programme"]
GETTEXT = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext"}
GETTEXT |= {"pgettext_lazy"}
# {% translate "…" %}, and {% blocktranslate … %}…{% plural %}…{% endblocktranslate %}.
_TRANSLATE = re.compile(r"{%\s*trans(?:late)?\s+(?:\"([^\"]*)\"|'([^']*)')")
_BLOCK = re.compile(
    r"{%\s*blocktrans(?:late)?\b([^%]*)%}(.*?)(?:{%\s*plural\s*%}.*?)?{%\s*endblocktrans(?:late)?\s*%}",
    re.DOTALL,
)
_VARIABLE = re.compile(r"{{\s*(\w+)\s*}}")


def texts_of_modules() -> Iterator[str]:
    """Yield the first literal argument of every call of gettext."""
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in GETTEXT:
                # pgettext's first argument is the context.
                text = node.args[node.func.id.startswith("p")]
                assert isinstance(text, ast.Constant), f"{path}:{node.lineno}: no literal"
                yield text.value


def texts_of_templates() -> Iterator[str]:
    folders = [ROOT / "templates", *(ROOT / package / "templates" for package in PACKAGES)]
    for path in (path for folder in folders for path in folder.rglob("*.*") if path.is_file()):
        template = path.read_text()
        for double, single in _TRANSLATE.findall(template):
            yield double or single
        for options, block in _BLOCK.findall(template):
            text = _VARIABLE.sub(r"%(\1)s", block)
            yield re.sub(r"\s*\n\s*", " ", text.strip()) if "trimmed" in options else text


def test_every_text_of_the_source_is_in_the_catalogue() -> None:
    entries = {entry.msgid for entry in polib.pofile(CATALOGUE) if not entry.obsolete}
    assert sorted({*texts_of_modules(), *texts_of_templates()} - entries) == []


def test_every_entry_is_translated_for_certain_and_used() -> None:
    catalogue = polib.pofile(CATALOGUE)
    texts = {*texts_of_modules(), *texts_of_templates()}
    assert [entry.msgid for entry in catalogue if not entry.translated() or entry.fuzzy] == []
    assert [entry.msgid for entry in catalogue if entry.obsolete or entry.msgid not in texts] == []


def test_translations_keep_the_placeholders() -> None:
    def placeholders(text: str) -> set[str]:
        return set(re.findall(r"%\(\w+\)[sd]|{\w*}", text))

    changed = [
        entry.msgid
        for entry in polib.pofile(CATALOGUE)
        for text in (entry.msgstr_plural.values() or [entry.msgstr])
        if placeholders(text) != placeholders(entry.msgid)
    ]
    assert changed == []


def test_compiled_catalogue_holds_what_is_written() -> None:
    def texts(catalogue: polib.POFile | polib.MOFile) -> dict[str, object]:
        return {
            entry.msgid: dict(enumerate(entry.msgstr_plural.values())) or entry.msgstr for entry in catalogue
        }

    compiled = polib.mofile(CATALOGUE.with_suffix(".mo"))
    written = polib.pofile(CATALOGUE)
    assert texts(compiled) == texts(written)
    assert compiled.metadata == written.metadata

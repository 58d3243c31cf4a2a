"""How an office's files are read, as a file (TOML): its columns and answers, for another installation."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import gettext as _

from feeds.names import fold
from programme.exchange.questions import Answers
from programme.exchange.readers.sheet.columns import COLUMNS, fold_heading
from programme.exchange.readers.sheet.layouts.unfold import build_layout_key, encode_layout
from programme.exchange.readers.sheet.mapping import Mapping, Part, Source, load_mapping
from programme.exchange.readers.sheet.sheets import choose_sheets
from programme.exchange.readers.sheet.tables import read_tables
from programme.exchange.values import ImportDefaults, UnreadableFileError
from programme.models import SheetMapping

ENDING = ".toml"


class Setup(NamedTuple):
    """Columns by their names, and the source with the answers to what its files leave open."""

    columns: list[tuple[str, Mapping]]
    answers: Answers = {}
    source: str = ""

    @property
    def mappings(self) -> tuple[Mapping, ...]:
        return tuple(mapping for _name, mapping in self.columns)


class _Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A source with its columns by their headings; one whose heading does not tell it apart by its number."""

    columns: list[str | int] = []
    part: Part = Part.WHOLE
    join: str = " "
    fixed: str = ""
    first_filled: bool = False


class _Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    headings: list[str]
    fields: dict[str, _Source]
    name: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: str = ""
    answers: dict[str, str] = {}
    sheets: list[_Sheet] = []


def find_setup(wanted: str) -> Setup:
    """Return what a file says, or the columns that are saved under a name."""
    if wanted.lower().endswith(ENDING):
        return _read_file(Path(wanted))
    saved = list_saved()
    found = [each for each in saved if fold(each[0]) == fold(wanted)]
    if not found:
        listed = "; ".join(f"“{name}”" for name, _mapping in saved) or "–"
        message = _("no columns are saved as “%(name)s”, only %(saved)s")
        raise UnreadableFileError(message % {"name": wanted, "saved": listed})
    return Setup(found)


def list_saved() -> list[tuple[str, Mapping]]:
    return [(each.name, load_mapping(each.headings, each.sources)) for each in SheetMapping.objects.all()]


def find_columns(path: Path, defaults: ImportDefaults) -> tuple[list[tuple[str, Mapping]], Answers]:
    """Return the columns of the sheets of a file that are tables, and the layouts of the others."""
    _listed, sheets, layouts, *_questions = choose_sheets(read_tables(path.read_bytes()), defaults)
    plain = [sheet for sheet in sheets if not layouts.unfolded.keys() & sheet.parts.keys()]
    recognized = {
        build_layout_key(name): encode_layout(msgspec.structs.replace(each.layout, rows={}))
        for name, each in layouts.unfolded.items()
        if name not in layouts.pointed
    }
    return [(next(filter(None, sheet.parts), path.stem), sheet.mapping) for sheet in plain], recognized


def _read_file(path: Path) -> Setup:
    try:
        file = msgspec.toml.decode(path.read_bytes(), type=_File)
        columns = [(each.name or path.stem, _build_mapping(each)) for each in file.sheets]
    except OSError as error:
        raise _refuse(path, os.strerror(error.errno) if error.errno else str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _refuse(path, str(error)) from None
    except LookupError as error:
        raise _refuse(path, error.args[0]) from None
    return Setup(columns, file.answers, file.source)


def _refuse(path: Path, reason: str) -> UnreadableFileError:
    message = _("the columns in %(file)s cannot be used: %(reason)s")
    return UnreadableFileError(message % {"file": path, "reason": reason})


def _build_mapping(sheet: _Sheet) -> Mapping:
    """Return the mapping of a sheet. Raises `LookupError`."""
    for field in sheet.fields.keys() - {column.field for column in COLUMNS}:
        raise LookupError(_("there is no field “%(field)s”") % {"field": field})
    if "title" not in sheet.fields:
        raise LookupError(_("it does not say which column is the title"))
    keys = [fold_heading(heading) for heading in sheet.headings]
    sources = {
        field: Source(**msgspec.structs.asdict(each) | {"columns": tuple(_find_places(each.columns, keys))})
        for field, each in sheet.fields.items()
    }
    return Mapping(tuple(sheet.headings), sources)


def _find_places(columns: Iterable[str | int], keys: list[str]) -> Iterable[int]:
    for each in columns:
        if isinstance(each, int) and 0 < each <= len(keys):
            yield each - 1
        elif isinstance(each, str) and keys.count(fold_heading(each)) == 1:
            yield keys.index(fold_heading(each))
        else:
            raise LookupError(_("“%(column)s” is not the heading of one column") % {"column": each})


# --- Writing


_FIELDS = [column.field for column in COLUMNS]


def write_setup(setup: Setup) -> str:
    lines = [f"source = {_format(setup.source)}"] if setup.source else []
    if setup.answers:
        lines += ["", "[answers]"]
        lines += [f"{_format(key)} = {_format(answer)}" for key, answer in sorted(setup.answers.items())]
    for name, mapping in setup.columns:
        lines += ["", "[[sheets]]", f"name = {_format(name)}"]
        lines += [f"headings = {_format(list(mapping.headings))}", "", "[sheets.fields]"]
        # A database may keep them in any order.
        for field in sorted(mapping.sources, key=_FIELDS.index):
            source = mapping.sources[field]
            lines.append(f"{field} = {_format(_describe(source, mapping))}")
    return "\n".join([*lines, ""]).lstrip("\n")


def _describe(source: Source, mapping: Mapping) -> dict[str, Any]:
    keys = mapping.key
    columns = [
        mapping.headings[each] if keys[each] and keys.count(keys[each]) == 1 else each + 1
        for each in source.columns
    ]
    stated = msgspec.structs.asdict(source) | {"columns": columns}
    described: dict[str, Any] = msgspec.to_builtins(_Source(**stated))
    return described


def _format(value: Any) -> str:
    """Return a value in TOML, whose texts, numbers and lists are those of JSON."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_format(each)}' for key, each in value.items())} }}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")

"""Texts in two languages: which are missing or were left behind in one, and how complete a language is."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    F,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Value,
    Window,
)
from django.db.models.functions import Lag
from django.utils.translation import gettext_lazy as _

from programme import models as programme
from programme.backoffice.problems.problem import RowName, StrOrPromise

LANGUAGES = {"sv": _("Swedish"), "en": _("English")}

# What has texts in two languages, in the order of the work, by the field that it is called by.
TITLES: dict[type[Model], str] = {
    programme.Event: "title",
    programme.Area: "name",
    programme.SubArea: "name",
    programme.Location: "name",
    programme.Room: "name",
    programme.Organizer: "name",
    programme.EventType: "name_sv",
    programme.Language: "name_sv",
    programme.Festival: "name_sv",
}
# The area that a row belongs to.
AREAS = {programme.Event: "area_id", programme.Area: "id", programme.SubArea: "area_id"}

# Models that have texts, with the keys of some of their rows, or None for all.
Chosen = Mapping[type[Model], Collection[int] | None]
# Swedish and English.
Pair = tuple[str, str]


def list_texts(model: type[Model]) -> list[str]:
    """Return the names of what a model has in Swedish and English, in its order: `intro`, `description`."""
    names = [field.name for field in model._meta.local_fields]
    return [name[:-3] for name in names if name.endswith("_sv") and f"{name[:-3]}_en" in names]


class OutdatedText(NamedTuple):
    """A text of a row, the language in which it was left, and the version that changed the other one."""

    text: str
    language: str
    version: int


class TranslatableRow(NamedTuple):
    """A row that has texts, and in which languages it has which: `{"intro": {"sv"}}`."""

    model: type[Model]
    pk: int
    title: str
    area: int | None
    texts: dict[str, set[str]]
    # Those that were changed in one language and not in the other since.
    outdated: tuple[OutdatedText, ...] = ()

    @property
    def name(self) -> RowName:
        return self.model._meta.model_name or "", self.pk

    def missing(self, language: str) -> list[str]:
        return [text for text, there in self.texts.items() if there and language not in there]


def load_text_rows(chosen: Chosen) -> list[TranslatableRow]:
    """Return rows that may have texts, in one query for each model and one for their history."""
    outdated = load_outdated_texts(chosen)
    return [
        row._replace(outdated=tuple(outdated.get(row.name, ())))
        for model, keys in chosen.items()
        for row in _load_rows(model, keys)
    ]


def _load_rows(model: type[Model], keys: Collection[int] | None) -> Iterator[TranslatableRow]:
    names = list_texts(model)
    fields = [(text, language) for text in names for language in LANGUAGES]
    filled = [as_column(~Q(**{f"{text}_{language}": ""})) for text, language in fields]
    # A column beside the title in any case, so that all rows look alike.
    area = AREAS.get(model, "pk")
    rows: QuerySet[Model] = model._default_manager.all()  # noqa: SLF001 - Django's own name
    if keys is not None:
        rows = rows.filter(pk__in=keys)
    for pk, title, of, *there in rows.order_by().values_list("pk", TITLES[model], area, *filled):
        texts: dict[str, set[str]] = {text: set() for text in names}
        for (text, language), is_there in zip(fields, there, strict=True):
            if is_there:
                texts[text].add(language)
        yield TranslatableRow(model, pk, title, of if model in AREAS else None, texts)


def build_row(event: programme.Event) -> TranslatableRow:
    """Return the texts of an event as it would be saved."""
    there = {
        text: {language for language in LANGUAGES if getattr(event, f"{text}_{language}")}
        for text in list_texts(programme.Event)
    }
    return TranslatableRow(programme.Event, event.pk or 0, event.title, event.area_id, there)


def as_column(condition: Q) -> "ExpressionWrapper[Q]":
    return ExpressionWrapper(condition, output_field=BooleanField())


# --- Left behind ----------------------------------------------------------------------------------


class Revision(NamedTuple):
    """A version in which a text differs from the version before."""

    model: str
    text: str
    row: int
    version: int
    edit: int | None
    # Whether the version before belongs to the same edit and made the row.
    is_new: bool
    old: Pair
    new: Pair


def load_outdated_texts(chosen: Chosen) -> dict[RowName, list[OutdatedText]]:
    """Return the texts that one language has left behind, by model and row, in one query."""
    first, *others = [
        _select_revisions(model, text, keys) for model, keys in chosen.items() for text in list_texts(model)
    ]
    rows = first.union(*others, all=True).order_by("text_model", "text_name", "id", "history_id")
    found: dict[RowName, list[OutdatedText]] = {}
    for (model, text, row), revisions in groupby(map(_read, rows), key=lambda each: each[:3]):
        behind = find_outdated(revisions)
        if behind:
            found.setdefault((model, row), []).append(OutdatedText(text, *behind))
    return found


def find_outdated(revisions: Iterable[Revision]) -> tuple[str, int] | None:
    """Return the language in which a text was left, and the version that changed the other; None if in none.

    Texts are a pair again when the other one is changed too, when they are what they were as a pair, which is
    how a version is restored, and when one was empty: then it was translated.
    """
    behind: tuple[str, int] | None = None
    pairs: set[Pair] = set()
    for old, new, version in _join_edits(revisions):
        if not pairs:
            pairs.add(old)
        changed = [number for number in (0, 1) if old[number] != new[number]]
        is_pair = len(changed) != 1 or new in pairs or not (old[changed[0]] and new[changed[0]])
        left = [*LANGUAGES][1 - changed[0]] if changed else ""
        if is_pair or (behind and behind[0] != left):
            behind = None
            pairs.add(new)
        else:
            behind = left, version
    return behind


def _join_edits(revisions: Iterable[Revision]) -> Iterator[tuple[Pair, Pair, int]]:
    """Yield the texts before and after each edit, which may have written the row more than once."""
    for _edit, group in groupby(revisions, key=lambda each: each.edit or -each.version):
        first, *more = group
        last = more[-1] if more else first
        yield (last.new if first.is_new else first.old), last.new, last.version


def _select_revisions(model: type[Model], text: str, keys: Collection[int] | None) -> QuerySet[Any, Any]:
    """Return the versions that changed a text, of the rows that have it in both languages."""
    sv, en = f"{text}_sv", f"{text}_en"
    there: Any = model._default_manager.exclude(**{sv: ""}).exclude(**{en: ""})  # noqa: SLF001 - Django's own
    if keys is not None:
        there = there.filter(pk__in=keys)
    versions: Any = model.history  # type: ignore[attr-defined]
    # Most rows never had another text, and need not be sorted.
    others = versions.filter(~Q(**{sv: OuterRef(sv)}) | ~Q(**{en: OuterRef(en)}), id=OuterRef("pk"))
    there = there.filter(Exists(others))
    before = {
        f"old_{name}": Window(Lag(field), partition_by=F("id"), order_by="history_id")
        for name, field in (("sv", sv), ("en", en), ("edit", "edit_id"), ("type", "history_type"))
    }
    both = versions.filter(id__in=there.values("pk")).order_by()
    named = {"text_model": Value(model._meta.model_name), "text_name": Value(text)}
    changed = both.annotate(**named, **before, new_sv=F(sv), new_en=F(en)).filter(
        Q(old_sv__isnull=False) & (~Q(old_sv=F(sv)) | ~Q(old_en=F(en)))
    )
    rows: QuerySet[Any, Any] = changed.values_list(
        *("text_model", "text_name", "id", "history_id", "edit_id", "old_edit", "old_type"),
        *("old_sv", "old_en", "new_sv", "new_en"),
    )
    return rows


def _read(row: tuple[Any, ...]) -> Revision:
    model, text, key, version, edit, old_edit, old_type, old_sv, old_en, sv, en = row
    is_new = old_type == "+" and edit is not None and edit == old_edit
    return Revision(model, text, key, version, edit, is_new, (old_sv, old_en), (sv, en))


# --- Completeness ---------------------------------------------------------------------------------


class Completeness(NamedTuple):
    """Of how many texts that are there in any language how many are there in one."""

    label: StrOrPromise
    filled: int
    total: int

    @property
    def percent(self) -> int:
        """Whole percent; 100 only where nothing is missing."""
        return self.filled * 100 // self.total if self.total else 100


def measure_completeness(found: list[TranslatableRow]) -> list[Completeness]:
    texts = [there for row in found for there in row.texts.values() if there]
    return [
        Completeness(label, sum(language in there for there in texts), len(texts))
        for language, label in LANGUAGES.items()
    ]

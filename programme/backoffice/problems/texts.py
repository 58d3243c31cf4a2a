"""Texts that are missing in one language, and how complete each language is."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from django.apps import apps
from django.db import models
from django.db.models import Q
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from programme import models as programme
from programme.backoffice.problems.facts import Facts, as_column
from programme.backoffice.problems.problem import ProblemLink, ProgrammeProblem, RowName, StrOrPromise
from programme.models.history import Version

LANGUAGES = {"sv": _("Swedish"), "en": _("English")}

# What has texts in two languages, in the order of the work, by the field that it is called by.
TITLES: dict[type[models.Model], str] = {
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


def list_texts(model: type[models.Model]) -> list[str]:
    """Return the names of what a model has in Swedish and English, in its order: `intro`, `description`."""
    names = [field.name for field in model._meta.local_fields]
    return [name[:-3] for name in names if name.endswith("_sv") and f"{name[:-3]}_en" in names]


def list_translated_models() -> set[type[models.Model]]:
    every = apps.get_app_config("programme").get_models()
    return {model for model in every if list_texts(model) and not issubclass(model, Version)}


class OutdatedText(NamedTuple):
    """A text of a row, the language in which it was left, and the version that changed the other one."""

    text: str
    language: str
    version: int


class TranslatableRow(NamedTuple):
    """A row that has texts, and in which languages it has which: `{"intro": {"sv"}}`."""

    model: type[models.Model]
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


def load_rows(model: type[models.Model], keys: Collection[int] | None = None) -> Iterator[TranslatableRow]:
    """Yield all rows of a model that has texts, or those with these keys, in one query."""
    names = list_texts(model)
    fields = [(text, language) for text in names for language in LANGUAGES]
    filled = [as_column(~Q(**{f"{text}_{language}": ""})) for text, language in fields]
    # A column beside the title in any case, so that all rows look alike.
    area = AREAS.get(model, "pk")
    rows: models.QuerySet[models.Model] = model._default_manager.all()  # noqa: SLF001 - Django's own name
    if keys is not None:
        rows = rows.filter(pk__in=keys)
    columns = rows.order_by().values_list("pk", TITLES[model], area, *filled)
    for pk, title, of, *there in columns:
        texts: dict[str, set[str]] = {text: set() for text in names}
        for (text, language), is_there in zip(fields, there, strict=True):
            if is_there:
                texts[text].add(language)
        yield TranslatableRow(model, pk, title, of if model in AREAS else None, texts)


def find_missing_texts(
    facts: Facts, found: list[TranslatableRow], language: str
) -> Iterator[ProgrammeProblem]:
    """Yield one problem for each row of which texts are missing in a language."""
    for row in found:
        absent = [f"{text}_{language}" for text in row.missing(language)]
        if absent:
            yield build_text_problem(facts, row, absent, *absent)


def build_text_problem(facts: Facts, row: TranslatableRow, fields: list[str], *what: Any) -> ProgrammeProblem:
    meta = row.model._meta
    labels = {field.name: field.verbose_name for field in meta.local_fields}
    event = facts.events.get(row.pk) if row.model is programme.Event else None
    kind = "" if event else format_lazy("{} · ", meta.verbose_name)
    return ProgrammeProblem(
        title=row.title,
        detail=format_lazy("{}{}", kind, join_labels([labels[field] for field in fields])),
        links=(ProblemLink(row.title, meta.model_name or "", row.pk, fields[0], facts=what),),
        areas=frozenset() if row.area is None else frozenset({row.area}),
        draft=bool(event and event.draft),
        until=facts.end_of(event.id) if event else None,
    )


def _join_labels(labels: list[StrOrPromise]) -> str:
    return ", ".join(map(str, labels))


join_labels = lazy(_join_labels, str)


class Completeness(NamedTuple):
    """Of how many texts that are there in any language how many are there in one."""

    label: StrOrPromise
    filled: int
    total: int

    @property
    def percent(self) -> int:
        """Whole percent; 100 only where nothing is missing."""
        return self.filled * 100 // self.total if self.total else 100


def measure_completeness(found: list[TranslatableRow], language: str) -> Completeness:
    texts = [there for row in found for there in row.texts.values() if there]
    filled = sum(language in there for there in texts)
    return Completeness(LANGUAGES[language], filled, len(texts))


def measure_by_field(
    found: list[TranslatableRow],
) -> list[tuple[StrOrPromise, StrOrPromise, list[Completeness]]]:
    """Return model, text and completeness in each language, of the texts that are used at all."""
    # Few combinations of languages, however many rows.
    counts = Counter(
        (row.model, text, tuple(sorted(there))) for row in found for text, there in row.texts.items() if there
    )
    table: list[tuple[StrOrPromise, StrOrPromise, list[Completeness]]] = []
    for model in TITLES:
        for text in list_texts(model):
            used = {there: n for (of, name, there), n in counts.items() if (of, name) == (model, text)}
            figures = [
                Completeness(
                    label, sum(n for there, n in used.items() if language in there), sum(used.values())
                )
                for language, label in LANGUAGES.items()
            ]
            if used:
                table.append((model._meta.verbose_name or "", _LABELS[text], figures))
    return table


_LABELS = {
    "name": _("name"),
    "subtitle": _("subtitle"),
    "info": _("information"),
    "accessibility": _("accessibility"),
    "intro": _("intro"),
    "description": _("description"),
}

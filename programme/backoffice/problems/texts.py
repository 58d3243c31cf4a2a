"""Texts in two languages: which are missing in one."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from django.db.models import (
    BooleanField,
    ExpressionWrapper,
    Model,
    Q,
    QuerySet,
)

from feeds.vocabulary import LANGUAGES
from programme import models as programme

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


def list_texts(model: type[Model]) -> list[str]:
    """Return the names of what a model has in Swedish and English, in its order: `intro`, `description`."""
    names = [field.name for field in model._meta.local_fields]
    return [name[:-3] for name in names if name.endswith("_sv") and f"{name[:-3]}_en" in names]


class TranslatableRow(NamedTuple):
    """A row that has texts, and in which languages it has which: `{"intro": {"sv"}}`."""

    model: type[Model]
    pk: int
    title: str
    area: int | None
    texts: dict[str, set[str]]

    def missing(self, language: str) -> list[str]:
        return [text for text, there in self.texts.items() if there and language not in there]


def load_text_rows(chosen: Chosen) -> list[TranslatableRow]:
    """Return rows that may have texts, in one query for each model."""
    return [row for model, keys in chosen.items() for row in _load_rows(model, keys)]


def _load_rows(model: type[Model], keys: Collection[int] | None) -> Iterator[TranslatableRow]:
    names = list_texts(model)
    fields = [(text, language) for text in names for language in LANGUAGES]
    conditions = (~Q(**{f"{text}_{language}": ""}) for text, language in fields)
    filled = [ExpressionWrapper(each, output_field=BooleanField()) for each in conditions]
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

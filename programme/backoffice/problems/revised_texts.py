"""Texts that were changed in one language and not in the other since, by their versions in the history."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import F, Max, Model, Q, QuerySet, Value, Window
from django.db.models.functions import Lag

from programme.backoffice.problems.facts import Facts
from programme.backoffice.problems.problem import ProgrammeProblem
from programme.backoffice.problems.texts import (
    TITLES,
    OutdatedText,
    TranslatableRow,
    build_text_problem,
    list_texts,
    load_rows,
)

# Swedish and English.
Pair = tuple[str, str]
LANGUAGES = "sv", "en"


class Revision(NamedTuple):
    """A version in which a text differs from the version before."""

    model: str
    text: str
    row: int
    version: int
    edit: int | None
    # Whether the version before belongs to the same edit and made the row.
    is_new: bool
    old_sv: str
    old_en: str
    sv: str
    en: str


# Models that have texts, with the keys of some of their rows, or None for all.
Chosen = Mapping[type[Model], Collection[int] | None]


def load_text_rows(chosen: Chosen) -> list[TranslatableRow]:
    """Return rows that may have texts, in one query for each model and one for their history."""
    outdated = load_outdated_texts(chosen)
    return [
        row._replace(outdated=tuple(outdated.get(row.name, ())))
        for model, keys in chosen.items()
        for row in load_rows(model, keys)
    ]


def load_versions() -> dict[type[Model], int | None]:
    """Return the latest version of each model that has texts, in one query."""
    names = {model._meta.model_name: model for model in TITLES}
    versions: Any = [model.history.order_by() for model in TITLES]  # type: ignore[attr-defined]
    first, *others = [
        each.annotate(named=Value(name)).values("named").annotate(latest=Max("history_id"))
        for name, each in zip(names, versions, strict=True)
    ]
    rows = first.union(*others, all=True).values_list("named", "latest")
    return {names[name]: latest for name, latest in rows}


def load_outdated_texts(chosen: Chosen) -> dict[tuple[str, int], list[OutdatedText]]:
    """Return the texts that one language has left behind, by model and row, in one query."""
    first, *others = [
        _select_revisions(model, text, keys) for model, keys in chosen.items() for text in list_texts(model)
    ]
    rows = first.union(*others, all=True).order_by("text_model", "text_name", "id", "history_id")
    found: dict[tuple[str, int], list[OutdatedText]] = {}
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
        left = LANGUAGES[1 - changed[0]] if changed else ""
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
        new = (last.sv, last.en)
        yield (new if first.is_new else (first.old_sv, first.old_en)), new, last.version


def _select_revisions(model: type[Model], text: str, keys: Collection[int] | None) -> QuerySet[Any, Any]:
    """Return the versions that changed a text, of the rows that have it in both languages."""
    sv, en = f"{text}_sv", f"{text}_en"
    there: Any = model._default_manager.exclude(**{sv: ""}).exclude(**{en: ""})  # noqa: SLF001 - Django's own
    if keys is not None:
        there = there.filter(pk__in=keys)
    versions: Any = model.history  # type: ignore[attr-defined]
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
    model, text, key, version, edit, old_edit, old_type, *texts = row
    is_new = old_type == "+" and edit is not None and edit == old_edit
    return Revision(model, text, key, version, edit, is_new, *texts)


def find_outdated_texts(facts: Facts, rows: list[TranslatableRow]) -> Iterator[ProgrammeProblem]:
    """Yield one problem for each row that has texts which were left in one language."""
    for row in rows:
        if row.outdated:
            fields = [f"{each.text}_{each.language}" for each in row.outdated]
            yield build_text_problem(facts, row, fields, *row.outdated)

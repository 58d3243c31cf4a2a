"""The preview of a plan: each row with its form's labels, refusals, and the news for readers."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import prefetch_related_objects
from django.urls import NoReverseMatch, reverse
from django.utils.translation import ngettext

from feeds.marks import NO_MARK
from feeds.vocabulary import LanguageCode
from feeds.wording import format_change
from programme.changes.change import EDITED, Change, Plan
from programme.changes.difference import Difference, RowNames, compare_states, format_part_title
from programme.changes.rights import Rights
from programme.history.news import Newsroom, differ, load_unchanged
from programme.history.versions import CHANGED, CREATED, DELETED, read_state, select_latest
from programme.models import Area, AreaDay, Edit, Event, ListItem, Occasion, OccasionList
from programme.models.festival_time import festival_time
from programme.models.telling import Telling
from programme.publishing.news_reader import read_marks

ROWS_ON_A_PAGE = 50
# The most forbidden and refused rows that a page names; it counts the others.
MOST_NAMED, MOST_STAYING = 5, 200


@dataclass
class ShownChange:
    """A row that is created, changed, deleted or refused; `address` is its form's, '' for none."""

    model: Any
    key: int | None
    kind: str
    title: str
    fields: list[Difference] = field(default_factory=list)
    address: str = ""
    refusal: Any = ""
    warnings: list[str] = field(default_factory=list)
    # The latest edit, if that causes the refusal; else the row that causes it, with its address.
    edit: Edit | None = None
    by: str = ""
    by_address: str = ""
    # The text that readers will see.
    told: str = ""

    @property
    def model_name(self) -> str:
        return str(self.model._meta.model_name)

    @property
    def history(self) -> str:
        """The address of its history, '' if it has none."""
        return find_address(self.model, self.key, "history")


def find_address(model: Any, key: int | None, page: str) -> str:
    """Return the address of a row's form or history, '' if it has none or is not stored."""
    if key is None:
        return ""
    try:
        return reverse(f"admin:programme_{model._meta.model_name}_{page}", args=[key])
    except NoReverseMatch:
        return ""


def show_changes(changes: Iterable[Change]) -> list[ShownChange]:
    """Return changes with their titles, in a number of queries that depends only on their models."""
    found = list(changes)
    names = name_rows((each.model, state) for each in found for state in (each.known, each.after))
    others = _title_others({each.by for each in found if each.by})
    latest = _find_latest_edits(each for each in found if each.refusal == EDITED)
    return [
        show(
            each,
            names,
            edit=latest.get((each.model, each.key)),
            title=title_row(each.model, each.known, names, each.row),
            by=others.get(each.by, ("", "")),
        )
        for each in found
    ]


def _title_others(places: Collection[Any]) -> dict[Any, tuple[str, str]]:
    """Return the titles of rows with the addresses of their forms, or of deleted ones' histories."""
    versions = [
        (model, version)
        for model in {model for model, _key in places if hasattr(model, "history")}
        for version in select_latest(
            model.history.filter(id__in=[key for each, key in places if each is model])
        )
    ]
    names = name_rows((model, read_state(version)) for model, version in versions)
    return {
        (model, version.id): (
            title_row(model, read_state(version) or {}, names),
            find_address(model, version.id, "history" if version.history_type == DELETED else "change"),
        )
        for model, version in versions
    }


def show(
    change: Change, names: RowNames, title: str, edit: Edit | None = None, by: tuple[str, str] = ("", "")
) -> ShownChange:
    model, before, after = change.model, change.before, change.after
    kind = CREATED if before is None else DELETED if after is None else CHANGED
    fields = compare_states(model, before, after, names, change.now) if not change.refusal else []
    is_there = before if change.refusal else after
    address = find_address(model, change.key, "change") if is_there else ""
    said = change.refusal, change.warnings, edit, *by
    return ShownChange(model, change.key, kind, title, fields, address, *said)


def name_rows(states: Iterable[tuple[Any, Any]]) -> RowNames:
    return RowNames(model.history.model(**state) for model, state in states if state)


def title_row(model: Any, state: dict[str, Any], names: RowNames, row: Any = None) -> str:
    """Return `event Jazz`, or `occasion Jazz, 2026-07-29 14:00`; `row` is needed if its event is new."""
    title = format_part_title(model.history.model(**state), names) if state else ""
    if model is Occasion and state:
        event = names.find(Event, state["event_id"]) if state["event_id"] or row is None else row.event.title
        title = f"{event}, {title}"
    if model is AreaDay and state:
        title = f"{names.find(Area, state['area_id'])}, {title}"
    if model is ListItem and state and state["on_list_id"]:
        title = f"{title}: {names.find(OccasionList, state['on_list_id'])}"
    return f"{model._meta.verbose_name} {title}"


def _find_latest_edits(changes: Iterable[Change]) -> dict[tuple[Any, int | None], Edit]:
    keys: dict[Any, list[int | None]] = {}
    for each in changes:
        keys.setdefault(each.model, []).append(each.key)
    return {
        (model, version.id): version.edit
        for model, found in keys.items()
        for version in select_latest(model.history.filter(id__in=found)).select_related("edit")
        if version.edit
    }


# --- What readers are told -----------------------------------------------------------------------


def preview_news(plan: Plan, telling: Telling, instant: datetime, language: LanguageCode) -> dict[int, str]:
    """Return the text that readers will see for each occasion of a plan, by ID; '' for none."""
    public = plan.list_public()
    noted = {*telling.about, *telling.notes} if telling.tells else set()
    public += load_unchanged(noted - {each.key for each in public})
    states = {change.key: change.after.occasion for change in public}
    # Changed drafts, which readers do not see.
    stored = (each for each in plan.written if each.model is Occasion and each.key)
    states |= {
        each.key or 0: each.after for each in stored if not differ(Occasion, (each.before, each.after))
    }
    rows: list[Any] = [Occasion(**state) for state in states.values() if state]
    prefetch_related_objects(rows, "location", "room__location")
    marks = read_marks(rows, *Newsroom(0, instant, instant, telling, public).plan())
    for row in rows:
        # `format_change` takes a model's occasion with the attributes of a mark.
        vars(row).update(marks.get(row.pk, NO_MARK)._asdict())
    return {row.pk: format_change(row, festival_time(), language) for row in rows}


# --- The page ------------------------------------------------------------------------------------


@dataclass
class PlanPreview:
    """The context of the template of plans."""

    page: Page[Any]
    rows: list[ShownChange]
    staying: list[ShownChange]
    staying_count: int
    forbidden: list[str]
    forbidden_count: int
    warnings: list[str]
    seen: str
    # Whether new rows are restored ones.
    takes_back: bool
    # Whether a refused change prevents writing the others.
    is_whole: bool

    @property
    def names(self) -> str:
        return ", ".join(self.forbidden)

    @property
    def unnamed(self) -> int:
        return self.staying_count - len(self.staying)

    @property
    def is_possible(self) -> bool:
        return bool(self.rows) and not self.forbidden_count and not (self.is_whole and self.staying)


def build_preview(plan: Plan, rights: Rights, page: Any = 1) -> PlanPreview:
    forbidden = rights.find_forbidden(plan.changes)
    chosen = Paginator(plan.done, ROWS_ON_A_PAGE).get_page(page)
    refused = plan.refused
    named = show_changes([*chosen.object_list, *refused[:MOST_STAYING], *forbidden[:MOST_NAMED]])
    count, staying = len(chosen.object_list), min(len(refused), MOST_STAYING)
    return PlanPreview(
        chosen,
        named[:count],
        named[count : count + staying],
        len(refused),
        [each.title for each in named[count + staying :]],
        len(forbidden),
        list(_warn(plan)),
        plan.digest,
        plan.takes_back,
        plan.is_whole,
    )


def _warn(plan: Plan) -> Iterator[str]:
    yield from plan.warnings
    if titles := plan.published:
        text = ngettext(
            "Readers see %(count)d event at once, its title too: %(names)s",
            "Readers see %(count)d events at once, their titles too: %(names)s",
            len(titles),
        )
        more = " …" if len(titles) > MOST_NAMED else "."
        yield text % {"count": len(titles), "names": ", ".join(titles[:MOST_NAMED]) + more}

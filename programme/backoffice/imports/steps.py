"""The steps of an import that an editor watches: reading what was uploaded, and applying what was shown."""

from collections.abc import Generator, Iterable
from datetime import datetime
from pathlib import PurePath
from queue import SimpleQueue
from threading import Thread
from typing import Any

import msgspec
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from programme.backoffice.rights import rights_of
from programme.exchange.merge.apply import ChangedSincePreviewError, ImportActor, apply_in_steps
from programme.exchange.merge.options import build_options
from programme.exchange.merge.pipeline import plan_import
from programme.exchange.merge.plan import Plan
from programme.exchange.merge.preview import build_preview
from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.readers.sheet.mapping import MissingColumnError
from programme.exchange.readers.sheet.tables import is_csv, is_xlsx
from programme.exchange.values import ImportDefaults, ImportOptions, ReadResult
from programme.models import Upload
from programme.models.festival_time import festival_time

Steps = Generator[tuple[int, int], None, Any]
# Of a hundred: the rest is comparing.
_READING_SHARE = 60
_REPORTS = 30


def is_sheet(kept: Upload) -> bool:
    content, ending = bytes(kept.content), PurePath(kept.name).suffix.lower()
    return is_xlsx(content, ending) or is_csv(content, ending)


def read_upload(kept: Upload, user: Any) -> Generator[tuple[int, int], None, None]:
    """Find out what importing a file would do, and keep it. Raises `NotASchedule`."""
    reading = yield from _read_in_thread(kept)
    if reading.contents.doubtful:
        raise MissingColumnError(_("fewer than half of the columns were understood: say what they are"))
    order = build_import_options(kept, reading, user)
    kept.preview = build_preview(reading.contents, plan_import(reading.contents, order), festival_time())
    kept.preview["source"] = order.source
    kept.save(update_fields=["preview"])
    yield 100, 100


def apply_upload(
    kept: Upload, user: Any, instant: datetime, decided: frozenset[str]
) -> Generator[tuple[int, int], None, Plan | None]:
    """Import a file as it was shown; return what was done.

    None, and the preview is new, if it would do something else by now.
    """
    reading = yield from _read_in_thread(kept)
    contents, order = reading.contents, build_import_options(kept, reading, user)

    def check() -> Plan | None:
        plan = plan_import(contents, order)
        if build_preview(contents, plan, festival_time())["digest"] != kept.preview["digest"]:
            raise ChangedSincePreviewError(plan)
        return None if decided else plan

    decided_order = msgspec.structs.replace(order, overwritten=decided)
    try:
        plan = yield from apply_in_steps(contents, decided_order, ImportActor(user, instant), check)
    except ChangedSincePreviewError as changed:
        kept.preview = build_preview(contents, changed.plan, festival_time()) | {"source": order.source}
        kept.save(update_fields=["preview"])
        return None
    kept.delete()
    return plan


def build_import_options(kept: Upload, reading: ReadResult, user: Any) -> ImportOptions:
    """Return what the editor has asked for on uploading. Raises `AreaNeededError`."""
    options, conference = kept.options, reading.conference
    rights = rights_of(user)
    return build_options(
        reading,
        *(options["source"], conference.acronym, conference.title, PurePath(kept.name).stem, kept.name),
        area=options["area"],
        default_area=options.get("otherwise", ""),
        draft=options["draft"],
        withdraw_missing=options["withdraw_missing"] and rights.can_publish and rights.areas is None,
        rights=rights,
    )


def _read_in_thread(kept: Upload) -> Generator[tuple[int, int], None, ReadResult]:
    """Read a file beside the request, which tells meanwhile how far it is."""
    told: SimpleQueue[Any] = SimpleQueue()

    def progress(steps: list[Any]) -> Iterable[Any]:
        return _report_progress(steps, told)

    given = build_import_defaults(kept.options["language"], progress)
    # The other thread asks the database nothing.
    bool(given.mappings)
    thread = Thread(target=_read_and_queue, args=(kept, given, told, get_language()))
    thread.start()
    while isinstance(found := told.get(), tuple):
        yield found
    thread.join()
    if isinstance(found, Exception):
        raise found
    return found


def _report_progress(steps: list[Any], told: "SimpleQueue[Any]") -> Iterable[Any]:
    every = max(1, len(steps) // _REPORTS)
    for number, step in enumerate(steps, 1):
        if number % every == 0:
            told.put((number * _READING_SHARE // len(steps), 100))
        yield step


def _read_and_queue(
    kept: Upload, given: ImportDefaults, told: "SimpleQueue[Any]", language: str | None
) -> None:
    with override(language):
        try:
            told.put(read(bytes(kept.content), kept.name, given))
        except Exception as error:  # noqa: BLE001 - whatever it is, the request raises it
            told.put(error)

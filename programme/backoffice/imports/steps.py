"""The steps of an import that report their progress: reading an upload, and applying its preview."""

import json
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from datetime import datetime
from pathlib import PurePath
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from django.db import Error
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from programme.backoffice.errors import is_passing, report
from programme.backoffice.imports.results import show_result
from programme.changes.rights import Rights, rights_of
from programme.changes.writing import Step
from programme.exchange.merge.options import (
    ask_for_source,
    build_options,
    recall_answers,
    remember_choices,
    was_read_otherwise,
)
from programme.exchange.merge.pipeline import ChangedSincePreviewError, apply_in_steps, plan_import
from programme.exchange.merge.plan import PlannedImport
from programme.exchange.merge.preview import build_preview
from programme.exchange.readers.registry import build_import_defaults, read
from programme.exchange.readers.sheet.mapping import UnknownHeadingsError
from programme.exchange.readers.sheet.tables import is_csv, is_workbook
from programme.exchange.time_limit import TimeLimit, limit_time
from programme.exchange.values import ImportDefaults, ImportOptions, ReadResult
from programme.models import Upload

# Percent of the progress bar; the rest is comparing.
_READING_SHARE = 60
_COMPARING = (_READING_SHARE, 100)
# Seconds between two reports.
_PAUSE = 0.5

# A request with this header gets the progress of a step, line by line; any other the result.
PROGRESS_HEADER = "X-Progress"

Done = TypeVar("Done")
# They return the address of the page that follows.
Steps = Generator[Step, None, str]


def is_sheet(upload: Upload) -> bool:
    content, ending = bytes(upload.content), PurePath(upload.name).suffix.lower()
    return is_workbook(content, ending) or is_csv(content, ending)


def read_upload(upload: Upload, user: Any, instant: datetime) -> Generator[Step, None, None]:
    """Read a file and save a preview of its import. Raises `UnreadableFileError`."""
    reading, order = yield from read_as_chosen(upload, rights_of(user), instant)
    yield _COMPARING
    _save_preview(upload, reading, plan_import(reading.contents, order), order)
    yield 100, 100


def apply_upload(
    upload: Upload, user: Any, instant: datetime, decided: frozenset[str]
) -> Generator[Step, None, PlannedImport | None]:
    """Apply the import that was previewed and return its plan.

    If it would differ by now, save a new preview and return None.
    """
    reading, order = yield from read_as_chosen(upload, rights_of(user), instant)
    contents = reading.contents
    shown = upload.preview and upload.preview["digest"]

    def check() -> PlannedImport | None:
        planned = plan_import(contents, order)
        if build_preview(contents, planned)["digest"] != shown:
            raise ChangedSincePreviewError(planned)
        return None if decided else planned

    yield _COMPARING
    decided_order = msgspec.structs.replace(order, overwritten=decided)
    try:
        planned = yield from apply_in_steps(contents, decided_order, user, instant, check)
    except ChangedSincePreviewError as changed:
        _save_preview(upload, reading, changed.args[0], order)
        return None
    remember_choices(order.source, upload.options)
    upload.delete()
    return planned


def _save_preview(
    upload: Upload, reading: ReadResult, planned: PlannedImport, options: ImportOptions
) -> None:
    contents = reading.contents
    upload.preview = build_preview(contents, planned) | {
        "source": options.source,
        "language": get_language(),
        "shown": [show_result(each, contents) for each in contents.shown],
    }
    upload.save(update_fields=["preview"])


def read_as_chosen(
    upload: Upload, rights: Rights, instant: datetime
) -> Generator[Step, None, tuple[ReadResult, ImportOptions]]:
    """Read a file with the answers that it or earlier ones of its source were given."""
    defaults, options = build_defaults(upload, instant), upload.options
    reading = yield from _read_in_thread(upload, defaults)
    if reading.contents.doubtful:
        raise UnknownHeadingsError(_("fewer than half of the columns were understood: say what they are"))
    may_withdraw, conference = rights.can_publish and rights.areas is None, reading.conference
    order = build_options(
        reading,
        *(options["source"], conference.acronym, conference.title, PurePath(upload.name).stem, upload.name),
        area=options["area"],
        draft=options["draft"],
        withdraw_missing=options["withdraw_missing"] and may_withdraw,
        rights=rights,
        answers=options.get("answers", {}),
        instant=instant,
    )
    order = order if options["source"] else ask_for_source(order)
    if was_read_otherwise(reading.contents.choices, order.answers):
        defaults = msgspec.structs.replace(defaults, answers=order.answers)
        reading = yield from _read_in_thread(upload, defaults)
    return reading, order


def build_defaults(upload: Upload, instant: datetime) -> ImportDefaults:
    """Return what readers need to know, with the answers to the file and its source's earlier ones."""
    source = upload.options["source"]
    answers = {**recall_answers(source), **upload.options.get("answers", {})}
    language, edition = (upload.options.get(name, "") for name in ("language", "edition"))
    return build_import_defaults(language, answers=answers, instant=instant, edition=edition)


def _read_in_thread(upload: Upload, defaults: ImportDefaults) -> Generator[Step, None, ReadResult]:
    """Return what is read; report its progress meanwhile: a proxy gives up on a silent response."""
    done, content, name = 0, bytes(upload.content), upload.name
    limit, language, pool = TimeLimit(settings.IMPORT_SECONDS), get_language(), ThreadPoolExecutor(1)

    def count(items: list[Any]) -> Iterator[Any]:
        nonlocal done
        for number, item in enumerate(items, 1):
            yield item
            done = number * _READING_SHARE // len(items)

    def read_within_limit() -> ReadResult:
        with override(language), limit_time(limit):
            return read(content, name, msgspec.structs.replace(defaults, progress=count))

    future = pool.submit(read_within_limit)
    try:
        while wait([future], _PAUSE).not_done:
            yield done, 100
        return future.result()
    finally:
        # Nobody waits for it any more, whether it is done or not.
        limit.stop()
        pool.shutdown(wait=False)


# --- Their responses -----------------------------------------------------------------------------


def limit_steps(steps: Generator[Step, None, Done]) -> Generator[Step, None, Done]:
    """Do steps; after `IMPORT_SECONDS`, close them and raise `UnreadableFileError`."""
    limit = TimeLimit(settings.IMPORT_SECONDS)
    with closing(steps):
        while True:
            try:
                step = next(steps)
            except StopIteration as last:
                done: Done = last.value
                return done
            limit.check()
            yield step


def respond(request: HttpRequest, steps: Steps) -> HttpResponseBase:
    """Stream the progress of the steps, if the page asks for it; else respond when they are done."""
    if request.headers.get(PROGRESS_HEADER):
        lines = _stream_lines(request, steps, get_language() or "en")
        response = StreamingHttpResponse(lines, content_type="application/x-ndjson")
        response["Cache-Control"] = "no-store"
        # nginx would hand it on when it is whole.
        response["X-Accel-Buffering"] = "no"
        return response
    for _step in _run(request, steps):
        pass
    return redirect("admin:import_done")


def _run(request: HttpRequest, steps: Steps) -> Generator[Step, None, None]:
    request.session["import_go"] = yield from steps


def _stream_lines(request: HttpRequest, steps: Steps, language: str) -> Iterator[bytes]:
    """Yield the lines of a response; without the last one the page says that the step has failed."""
    with override(language):
        try:
            for done, of in _run(request, steps):
                yield _encode_line(done=done, of=of)
        except Error as error:
            if not is_passing(error):
                raise
            report(request, error)
            return
        request.session.save()
        yield _encode_line(go=reverse("admin:import_done"))


def _encode_line(**values: Any) -> bytes:
    return json.dumps(values).encode() + b"\n"

"""The import pages: upload a file, preview row by row what would happen, apply all or nothing."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from programme.api.instant import get_instant
from programme.backoffice.changes.messages import build_undo_tag
from programme.backoffice.editions import get_edition
from programme.backoffice.imports import uploads
from programme.backoffice.imports.cells import keep_corrections
from programme.backoffice.imports.forms import CorrectedFileForm, OptionsForm, UploadForm, ask_whether_told
from programme.backoffice.imports.rows import build_query, list_wrong, show_rows
from programme.backoffice.imports.steps import Steps, apply_upload, limit_steps, read_upload, respond
from programme.backoffice.imports.tables import describe_shown, parse_said, show_tables
from programme.backoffice.rendering import render_page
from programme.changes.rights import rights_of
from programme.exchange.merge.options import SOURCE, recall_choices
from programme.exchange.merge.pipeline import ApplyError
from programme.exchange.merge.plan import NEW
from programme.exchange.merge.telling import TELL
from programme.exchange.readers.sheet.mapping import UnknownHeadingsError
from programme.exchange.values import UnreadableFileError
from programme.exchange.workbook import YES, answer_for_page
from programme.models import Upload
from programme.models.cleaning import clean_line

# In the session: the source of a file that could not be read, for the next one, and what was pasted.
_REFUSED = "import_refused"


def may_import(request: HttpRequest) -> bool:
    found = rights_of(request.user)
    return found.can_add_event() and all(
        found.has_permission(f"{verb}_{name}") for verb in ("add", "change") for name in ("event", "occasion")
    )


def _editor(request: HttpRequest) -> User:
    if not isinstance(request.user, User) or not may_import(request):
        raise PermissionDenied
    return request.user


def find_upload(request: HttpRequest, pk: int) -> Upload:
    return get_object_or_404(uploads.uploads_of(_editor(request)), pk=pk)


def _render(request: HttpRequest, name: str, **context: Any) -> HttpResponse:
    return render_page(request, f"import/{name}", _("Import"), context)


def show_upload_form(request: HttpRequest) -> HttpResponse:
    """Ask for a file, and store it until it is applied, discarded or a week old."""
    user = _editor(request)
    again = request.session.pop(_REFUSED, None) or request.GET.dict()
    form = UploadForm(request.POST or None, request.FILES or None, initial=again)
    if request.method == "POST" and form.is_valid():
        edition, (name, content) = get_edition(request), form.upload
        options = form.options | ({"edition": edition.slug} if edition else {})
        upload = Upload.objects.create(user=user, name=name, content=content, options=options)
        return redirect("admin:import_file", upload.pk)
    return _render(request, "upload", form=form, pending=uploads.list_pending(user), again=again)


def show_preview(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what would happen, and let the corrected file take the place of the one that was read."""
    upload = find_upload(request, pk)
    # What it says is in the language in which the file was read.
    if upload.preview is None or upload.preview.get("language", get_language()) != get_language():
        return _render(request, "reading", upload=upload)
    sent = request.method == "POST"
    form = CorrectedFileForm(request.POST if sent else None, request.FILES if sent else None)
    if form.is_valid():
        _keep(request, upload)
        uploads.replace_file(upload, *form.cleaned_data["file"])
        return redirect("admin:import_file", pk)
    preview = upload.preview
    if "failed" in preview:
        return show_tables(request, upload)
    question, ticked = preview["telling"], upload.options.get("ticked", [])
    missing, new = len(preview["missing"]), preview["counts"][NEW]
    return _render(
        request,
        "preview",
        upload=upload,
        preview=preview,
        form=form,
        telling=question and ask_whether_told(question, upload.options.get("answers", {}).get(TELL, YES)),
        **describe_shown(upload, request.GET.get("sheet", "")),
        options=OptionsForm(rights_of(request.user), upload.options, preview["source"]),
        **show_rows(preview, request.GET),
        ticked=ticked,
        accepted=[each["key"] for each in preview["suspicions"] if each in ticked],
        **uploads.count_sheets(preview),
        loses_much=missing * 10 > len(preview["rows"]) or 0 < missing <= new,
        conflicts=[each for row in preview["rows"] for each in row["conflicts"]],
    )


def choose_columns(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what comes of other columns, or have the file read with them."""
    upload = find_upload(request, pk)
    if "save" not in request.POST:
        return show_tables(request, upload)
    return answer_questions(request, pk)


def correct_cells(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Keep what was corrected in cells and show at once what would happen, or open the cells of a row."""
    upload = find_upload(request, pk)
    if request.method != "POST" or upload.preview is None or "failed" in upload.preview:
        return redirect("admin:import_file", pk)
    return respond(request, _correct(request, upload))


def _correct(request: HttpRequest, upload: Upload) -> Steps:
    was_wrong = bool(list_wrong(upload.preview or {}))
    said, corrected = _keep(request, upload)
    here = address = reverse("admin:import_file", args=[upload.pk])
    if said or corrected:
        address = yield from _read(request, upload)
    if address != here:
        return address
    if was_wrong and not list_wrong(upload.preview or {}):
        _add_message(request, messages.SUCCESS, _("All rows can be read now."))
    return f"{here}?{build_query(request.POST, corrected)}"


def answer_questions(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep the answers to what a file has raised, and have it read again with them."""
    upload = find_upload(request, pk)
    if request.method == "POST":
        _keep(request, upload)
        uploads.read_again(
            upload, answer_for_page(request.POST.getlist("listed"), request.POST.getlist("read"))
        )
    return redirect("admin:import_file", pk)


def _keep(request: HttpRequest, upload: Upload) -> tuple[bool, set[int]]:
    """Store all answers, ticks, choices, columns and cells of the page, whichever button was pressed.

    Return whether answers or choices differ from those of the preview, and the places of the rows corrected.
    """
    sent, preview = request.POST, upload.preview or {}
    answers, differs = {TELL: sent[TELL]} if TELL in sent else {}, "shown" in sent
    for each in (*preview.get("questions", ()), *preview.get("names", ())):
        key = each["key"]
        # The name that is typed, else the choice that is ticked.
        if answer := clean_line(sent.get(f"other-{key}", "")) or sent.get(f"answer-{key}", ""):
            answers[key] = answer
            differs |= answer not in (each["answer"], each.get("refused"))
    said = parse_said(request, upload)
    upload.options |= {"answers": upload.options.get("answers", {}) | answers | said}
    if "show" in sent and preview:
        # As they are: after reading again a key may be another one's.
        accepted = [each for each in preview["suspicions"] if each["key"] in sent.getlist("accept")]
        upload.options |= {"ticked": accepted + sent.getlist("overwrite")}
    source = preview.get("source", upload.options["source"])
    form = OptionsForm(rights_of(request.user), upload.options, source, sent)
    if "options" in sent and form.is_valid():
        differs |= form.has_changed()
        upload.options |= form.options
    if SOURCE in answers:
        upload.options |= recall_choices(answers[SOURCE]) | {"source": answers[SOURCE]}
    upload.save(update_fields=["options"])
    return differs, keep_corrections(upload, sent)


def read_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    upload = find_upload(request, pk)
    if request.method != "POST":
        return redirect("admin:import_file", pk)
    return respond(request, _read(request, upload))


def _read(request: HttpRequest, upload: Upload) -> Steps:
    try:
        yield from limit_steps(read_upload(upload, request.user, get_instant(request)))
    except UnknownHeadingsError as reason:
        failed = {"failed": str(reason), "language": get_language()}
        upload.preview = failed | {"source": upload.options["source"]}
        upload.save(update_fields=["preview"])
    except UnreadableFileError as reason:
        _add_message(request, messages.ERROR, uploads.describe_failure(upload, reason))
        pasted = bytes(upload.content).decode() if upload.options.get("is_pasted") else ""
        request.session[_REFUSED] = {"source": upload.options["source"], "pasted": pasted}
        upload.delete()
        return reverse("admin:import")
    return reverse("admin:import_file", args=[upload.pk])


def apply_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Apply the preview, all or nothing; show a new one if it differs by now."""
    upload = find_upload(request, pk)
    if "discard" in request.POST:
        upload.delete()
        messages.info(request, _("Nothing was imported."))
        return redirect("admin:import")
    if request.method != "POST" or upload.preview is None or "failed" in upload.preview:
        return redirect("admin:import_file", pk)
    if any(_keep(request, upload)):
        messages.warning(request, _("This is what would happen with what you have said now. Look again."))
        return respond(request, _read(request, upload))
    if upload.preview.get("unanswered"):
        messages.error(request, _("Answer the questions first: nothing has been imported."))
        return redirect("admin:import_file", pk)
    odd = {each["key"] for each in upload.preview.get("suspicions", [])}
    if not odd <= {*request.POST.getlist("accept")}:
        messages.error(request, _("Say first that what looks odd is right: nothing has been imported."))
        return redirect("admin:import_file", pk)
    return respond(request, _apply(request, upload))


def _apply(request: HttpRequest, upload: Upload) -> Steps:
    decided = frozenset(request.POST.getlist("overwrite"))
    try:
        done = yield from limit_steps(apply_upload(upload, request.user, get_instant(request), decided))
    except (ApplyError, UnreadableFileError) as reason:
        _add_message(request, messages.ERROR, uploads.describe_failure(upload, reason))
        return reverse("admin:import_file", args=[upload.pk])
    if done is None:
        again = _("The programme has changed in the meantime. This is what would happen now: look again.")
        _add_message(request, messages.WARNING, again)
        return reverse("admin:import_file", args=[upload.pk])
    preview = upload.preview or {}
    written = [f"{each}." for each in uploads.build_sentences(done)]
    told = [_("Readers are told.")] if done.tells else []
    sentences = [*written, *told] or [_("Nothing had to be changed.")]
    text = " ".join([*sentences, uploads.name_unread_sheets(preview)]).strip()
    _add_message(request, messages.SUCCESS, text, build_undo_tag(done.edit), preview.get("source"))
    if done.edit and written:
        return reverse("admin:change", args=[done.edit])
    return reverse("admin:programme_event_changelist")


def _add_message(
    request: HttpRequest, level: int, text: str, tags: str = "", source: str | None = None
) -> None:
    """Add a message for the next page in the session: a stream has sent its cookies before.

    With a source it leads to the form that takes the next file of it.
    """
    added = [level, text, tags, source]
    request.session["import_messages"] = [*request.session.get("import_messages", []), added]


def show_result(request: HttpRequest) -> HttpResponse:
    # The stream had sent its headers before (festival/http/read_your_writes.py).
    request.has_saved = True  # type: ignore[attr-defined]
    for level, text, tags, source in request.session.pop("import_messages", []):
        address = f"{reverse('admin:import')}?{urlencode({'source': source})}"
        linked = format_html('{} <a href="{}">{}</a>', text, address, _("Upload the corrected file"))
        messages.add_message(request, level, text if source is None else linked, tags)
    return redirect(request.session.pop("import_go", None) or "admin:import")

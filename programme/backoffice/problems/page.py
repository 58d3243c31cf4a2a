"""The list of all problems, filtered by kind, area, day and time, and of those that were accepted.

On it editors accept problems that are none, or let those that were accepted be asked about again.
"""

import datetime as dt
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from feeds.names import order_name
from programme.api.instant import get_instant
from programme.backoffice.forms.base import FilterForm, is_in_english, offer
from programme.backoffice.problems import survey
from programme.backoffice.problems.accepted import accept, may_accept
from programme.backoffice.problems.finders import DOUBLE_BOOKED, KINDS, NO_ENGLISH, OUTSIDE_EDITIONS
from programme.backoffice.problems.problem import ProblemKind, ProgrammeProblem
from programme.backoffice.rendering import read_back, render_page
from programme.models import AcceptedProblem, Area
from programme.models.cleaning import clean_line
from programme.models.dates import format_day

PAGE_SIZE = 100
COMING, OVER, ALL = "", "over", "all"


class ProblemFilterForm(FilterForm):
    kind = forms.ChoiceField(label=capfirst(_("kind")), required=False)
    area = forms.ChoiceField(label=capfirst(_("area")), required=False)
    day = forms.ChoiceField(label=capfirst(_("day")), required=False)
    when = forms.ChoiceField(
        label=capfirst(_("time")),
        required=False,
        choices=[(COMING, _("still to come")), (OVER, _("over")), (ALL, _("all times"))],
    )
    # Those that were accepted instead of those that were not.
    accepted = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, found: survey.Survey, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        days = {day for problem in found.problems for day in problem.days}
        areas = Area.objects.values_list("pk", "name")
        asked = {OUTSIDE_EDITIONS: bool(found.programme.editions), NO_ENGLISH: is_in_english()}
        kinds = [each for each in KINDS.values() if asked.get(each.key, True)]
        offer(self, "kind", _("all kinds"), [(kind.key, kind.label) for kind in kinds])
        offer(self, "area", _("all areas"), [(str(key), name) for key, name in areas])
        offer(self, "day", _("all days"), [(day.isoformat(), format_day(day)) for day in sorted(days)])
        self.full_clean()

    def narrow(self, found: survey.Survey, instant: dt.datetime) -> survey.Survey:
        area, day, when = self.chosen("area"), self.chosen("day"), self.chosen("when")

        def wanted(problem: ProgrammeProblem) -> bool:
            return (
                (not area or int(area) in problem.areas)
                and (not day or dt.date.fromisoformat(day) in problem.days)
                and (when == ALL or problem.is_over(instant) == (when == OVER))
            )

        return found.only(wanted).at(instant)


def show_problems(request: HttpRequest) -> HttpResponse:
    survey.require_survey(request)
    left, accepted = survey.get_surveys_for(request)
    form = ProblemFilterForm(left, request.GET)
    shown, others = (form.narrow(each, get_instant(request)) for each in (left, accepted))
    lacking = _answer(request, left, shown, accepted) if request.method == "POST" else None
    if lacking == "":
        return HttpResponseRedirect(request.get_full_path())
    if form.chosen("accepted"):
        shown, others = others, shown
    kind = form.chosen("kind")
    rows = [one for key, found in shown.by_kind if kind in {"", key.key} for one in _order(key, found)]
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "lacking": lacking,
        "reason": clean_line(request.POST.get("reason", "")),
        "ticked": request.POST.getlist("problem"),
        "counts": [(kind, len(found)) for kind, found in shown.by_kind],
        "count": len(rows),
        "others": len(others.problems),
        "chosen": kind,
        "page": page,
        "acceptable": {one.key for one in page if may_accept(request.user, one)},
    }
    title = _("Accepted problems") if form.chosen("accepted") else _("Problems")
    return render_page(request, "problems", title, context)


def find_next_problem(request: HttpRequest, row: Model) -> str:
    """Return the address that fixes the next problem of the kind for which a form is open, or ''."""
    kind, back = request.GET.get("of", ""), read_back(request)
    if kind not in KINDS or not survey.may_view_survey(request):
        return ""
    left, _accepted = survey.get_surveys_for(request)
    narrowed = ProblemFilterForm(left, QueryDict(urlsplit(back).query)).narrow(left, get_instant(request))
    links = [one.links[0] for found, rows in narrowed.by_kind if found.key == kind for one in rows]
    owners = [("event", each.event.id) if each.event else (each.model, each.pk) for each in links]
    own = row._meta.model_name, row.pk
    later = links[len(owners) - owners[::-1].index(own) :] if own in owners else []
    query = urlencode({"back": back, "of": kind})
    return f"{later[0].form}?{query}{later[0].end}" if later else ""


def _order(kind: ProblemKind, found: list[ProgrammeProblem]) -> list[ProgrammeProblem]:
    """Return problems by time, and those of one place that is double-booked together."""
    return sorted(found, key=lambda one: order_name(str(one.title))) if kind.key == DOUBLE_BOOKED else found


def _answer(request: HttpRequest, left: survey.Survey, shown: survey.Survey, accepted: survey.Survey) -> str:
    """Do what the page has sent; return which of `ticks` and `reason` is missing for it, '' if none is.

    Accepted are the problems that are ticked, or all of a kind that are shown and the user may accept. What
    was ticked and is a problem no more is passed over.
    """
    sent = request.POST
    ticked, kind, reason = sent.getlist("problem"), sent.get("accept"), clean_line(sent.get("reason", ""))
    if "ask" in sent:
        chosen = [one for one in accepted.problems if one.accepted and str(one.accepted.pk) == sent["ask"]]
    elif kind:
        chosen = [one for one in shown.problems if one.kind.key == kind and may_accept(request.user, one)]
    else:
        chosen = [one for one in left.problems if one.key in ticked]
    if "ask" not in sent and not (chosen and reason):
        return "reason" if chosen else "ticks"
    if not all(may_accept(request.user, one) for one in chosen):
        raise PermissionDenied
    if "ask" in sent:
        AcceptedProblem.objects.filter(pk__in=[one.accepted.pk for one in chosen if one.accepted]).delete()
        messages.success(request, _("It is a problem again."))
    else:
        accept(chosen, request.user, reason, get_instant(request))
        text = ngettext("%(count)d problem is accepted.", "%(count)d problems are accepted.", len(chosen))
        messages.success(request, text % {"count": len(chosen)})
    return ""

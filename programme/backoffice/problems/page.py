"""The list of all problems, filtered by kind, area, day and time."""

import datetime as dt
from typing import Any, cast

from django import forms
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from programme.api.instant import get_instant
from programme.backoffice.dates import format_day
from programme.backoffice.problems.problem import ProgrammeProblem, StrOrPromise
from programme.backoffice.problems.registry import KINDS, Survey
from programme.backoffice.problems.survey import get_survey_for, may_view_survey
from programme.backoffice.problems.texts import LANGUAGES, measure_by_field, measure_completeness
from programme.models import Area

PAGE_SIZE = 100
COMING, OVER, ALL = "", "over", "all"


class ProblemFilterForm(forms.Form):
    """Which problems are shown. What is not understood narrows nothing."""

    kind = forms.ChoiceField(label=capfirst(_("kind")), required=False)
    area = forms.ChoiceField(label=capfirst(_("area")), required=False)
    day = forms.ChoiceField(label=capfirst(_("day")), required=False)
    when = forms.ChoiceField(
        label=capfirst(_("time")),
        required=False,
        choices=[(COMING, _("still to come")), (OVER, _("over")), (ALL, _("all times"))],
    )

    def __init__(self, found: Survey, areas: list[tuple[int, str]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        days = {problem.day for each in found.found for problem in each.problems if problem.day}
        self._offer("kind", _("all kinds"), [(kind.key, kind.label) for kind in KINDS])
        self._offer("area", _("all areas"), [(str(key), name) for key, name in areas])
        self._offer("day", _("all days"), [(day.isoformat(), format_day(day)) for day in sorted(days)])
        self.full_clean()

    def _offer(self, name: str, everything: StrOrPromise, choices: list[tuple[str, StrOrPromise]]) -> None:
        cast("forms.ChoiceField", self.fields[name]).choices = [("", everything), *choices]

    def chosen(self, name: str) -> str:
        return str(self.cleaned_data.get(name, ""))

    def narrow(self, found: Survey, instant: dt.datetime) -> Survey:
        area, day, when = self.chosen("area"), self.chosen("day"), self.chosen("when")

        def wanted(problem: ProgrammeProblem) -> bool:
            return (
                (not area or int(area) in problem.areas)
                and (not day or problem.day == dt.date.fromisoformat(day))
                and (when == ALL or problem.is_over(instant) == (when == OVER))
            )

        return found.only(wanted)


def show_problems(request: HttpRequest, site: AdminSite) -> HttpResponse:
    if not may_view_survey(request):
        raise PermissionDenied
    found = get_survey_for(request)
    form = ProblemFilterForm(found, list(Area.objects.values_list("pk", "name")), request.GET)
    narrowed = form.narrow(found, get_instant(request))
    rows = [
        (each.kind, problem)
        for each in narrowed.found
        for problem in each.problems
        if form.chosen("kind") in {"", each.kind.key}
    ]
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        **site.each_context(request),
        "title": _("Problems"),
        "form": form,
        "counts": [(each.kind, len(each.problems)) for each in narrowed.found if each.problems],
        "count": len(rows),
        "chosen": form.chosen("kind"),
        "page": page,
        "numbers": page.paginator.get_elided_page_range(page.number),
        "query": _build_query(request, without=("page",)),
        "query_without_kind": _build_query(request, without=("page", "kind")),
        "completeness": [measure_completeness(found.texts, language) for language in LANGUAGES],
        "by_field": measure_by_field(found.texts),
    }
    return TemplateResponse(request, "admin/programme/problems.html", context)


def _build_query(request: HttpRequest, without: tuple[str, ...]) -> str:
    query = request.GET.copy()
    for name in without:
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""

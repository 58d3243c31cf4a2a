"""The page "Next edition": what would be taken along, and writing what was shown."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _

from programme.backoffice.changes.messages import report_batch
from programme.backoffice.editions import keep
from programme.backoffice.features import Feature
from programme.backoffice.next_edition.forms import NextEditionForm
from programme.backoffice.next_edition.plan import TakenAlong
from programme.backoffice.rendering import digest, warn_of_difference
from programme.changes.rights import rights_of
from programme.changes.writing import write
from programme.models import Edition, Revision
from programme.models.parsing import parse_int

APPLY = "apply"


class NextEdition(Feature):
    """A page that is opened from the form of an edition, for those who may write and publish everything."""

    def get_urls(self) -> list[URLPattern]:
        return [self.path("<int:key>/next/", self.show_page, "next")]

    def show_page(self, request: HttpRequest, key: int) -> HttpResponse:
        rights = rights_of(request.user)
        needed = ("add_edition", "add_event", "add_occasion")
        is_allowed = rights.can_publish and rights.areas is None
        if not (is_allowed and all(map(rights.has_permission, needed))):
            raise PermissionDenied
        if APPLY in request.POST:
            # What is done is what was shown.
            Revision.lock()
        source = get_object_or_404(Edition, pk=key)
        later = Edition.objects.filter(first_day__gt=source.last_day)
        edition = later.filter(pk=parse_int(request.GET.get("into", "")) or 0).first() or Edition()
        form = NextEditionForm(source, edition, request.POST)
        plan = form.load_plan() if form.is_valid() else None
        seen = digest(plan)
        if plan and APPLY in request.POST:
            if seen == request.POST.get("seen"):
                return _write(request, plan)
            warn_of_difference(request)
        context = {"form": form, "plan": plan, "seen": seen, "later": later.exclude(pk=edition.pk)}
        return self.render(request, "edition/next", _("Next edition"), source, context)


def _write(request: HttpRequest, plan: TakenAlong) -> HttpResponse:
    write(plan.build(), rights_of(request.user))
    text = _("%(name)s is prepared. Drafts: %(count)d.")
    report_batch(request, text % {"name": plan.edition, "count": len(plan.events)})
    response = redirect(f"{reverse('admin:programme_event_changelist')}?status__exact=draft")
    keep(request, response, str(plan.edition.pk))
    return response

"""The page "Next edition": what would be taken along, and writing what was shown."""

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from programme.backoffice.changes.confirming import confirm
from programme.backoffice.editions import get_edition
from programme.backoffice.features import Feature
from programme.backoffice.next_edition.forms import NextEditionForm
from programme.backoffice.rendering import lock_for_sent, render_page
from programme.changes.rights import rights_of
from programme.models import Edition
from programme.models.parsing import parse_int


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
        lock_for_sent(request)
        source = get_object_or_404(Edition, pk=key)
        later = Edition.objects.filter(first_day__gt=source.last_day)
        edition = later.filter(pk=parse_int(request.GET.get("into", "")) or 0).first() or Edition()
        form = NextEditionForm(source, edition, request.POST)
        address = reverse("admin:programme_edition_change", args=[key])
        words = {
            "opts": Edition._meta,
            "title": _("Next edition"),
            "button": _("Add it") if edition.pk else _("Make the edition"),
            "nothing": _("There is nothing to add."),
            "back": address,
            "up": (address, str(source)),
            "asked": form,
            "chosen": _offer_later(later.exclude(pk=edition.pk)),
        }
        if not form.is_valid():
            return render_page(request, "changes/plan", words["title"], words)
        along = form.load_plan()
        words["done"] = lambda: _report(request, edition, len(along.events))
        editions = reverse("admin:programme_edition_changelist")
        return confirm(request, along.build(), words, lambda _edit: editions)


def _report(request: HttpRequest, made: Edition, drafts: int) -> str:
    text = _("%(name)s is prepared. Drafts: %(count)d.") % {"name": made, "count": drafts}
    if made == get_edition(request):
        return text
    link = format_html('<a href="{}">{}</a>', reverse("admin:programme_edition_change", args=[made.pk]), made)
    go = format_html(_("To work with {}, choose it at the top of the page."), link)
    return format_html("{} {}", text, go)


def _offer_later(later: Iterable[Edition]) -> str:
    links = format_html_join(", ", '<a href="?into={}">{}</a>', ((each.pk, each) for each in later))
    text = _("There are later editions. Add to one of them what is missing:")
    same = _("Areas, places, organizers and types are the same in all editions: nothing has to be copied.")
    return format_html("{} {} {}", same, text, links) if links else same

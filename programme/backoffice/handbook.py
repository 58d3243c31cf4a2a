"""The editors' handbook (docs/handbook/), shown in the back office in the editor's language."""

import re
from functools import lru_cache

from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from feeds.vocabulary import LanguageCode
from programme.backoffice.dates import editor_language

# Its pictures, by their path from that folder, so that it can be read in the repository too.
_PICTURE = re.compile(r'"\.\./\.\./programme/static/([^"]+)"')


def show_handbook(request: HttpRequest, site: AdminSite) -> HttpResponse:
    context = {
        **site.each_context(request),
        "title": _("Handbook for editors"),
        "text": _render(editor_language()),
    }
    return TemplateResponse(request, "admin/programme/handbook.html", context)


@lru_cache
def _render(language: LanguageCode) -> SafeString:
    tokens = MarkdownIt("commonmark").enable("table")
    text = (settings.HANDBOOK_DIR / f"{language}.md").read_text()
    # The page has its title already.
    html = tokens.render(text.partition("\n")[2])
    return mark_safe(_PICTURE.sub(lambda found: f'"{static(found[1])}"', str(html)))  # noqa: S308 - our own text

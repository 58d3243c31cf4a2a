"""The practical page: the festival's text about toilets, first aid and contact, and a map as an image."""

import re
from collections.abc import Sequence
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

from feeds.links import link_addresses
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode
from pages.addresses import PRACTICAL, list_written
from pages.details import localize
from pages.pictures import build_figure
from pages.query import PageQuery
from pages.selected import SelectedPage

# The permitted targets of links: pages, mail, telephones.
_TARGET = re.compile(r"https?://|mailto:|tel:|/(?!/)", re.IGNORECASE)

# `#Heading` without a blank is a heading, too.
_HEADING = re.compile(r"^(#+)(?=[^#\s])", re.MULTILINE)


class _Markup(MarkdownIt):
    """The supported Markdown: headings, lists, links, and addresses as links."""

    def __init__(self) -> None:
        super().__init__("zero", {"breaks": True})
        self.enable(["heading", "list", "newline", "link"])
        self.add_render_rule("text", _write_text)

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's own name
        return bool(_TARGET.match(url))


def _write_text(_renderer: Any, tokens: Sequence[Token], place: int, *_: Any) -> str:
    is_linked = place > 0 and tokens[place - 1].type == "link_open"
    return escape(tokens[place].content) if is_linked else link_addresses(tokens[place].content)


_MARKUP = _Markup()


class PracticalPage(SelectedPage):
    rules = ""

    def __init__(self, snapshot: Snapshot, language: LanguageCode) -> None:
        super().__init__(snapshot, PageQuery(snapshot.programme.select(language)))
        festival = snapshot.programme.festival
        self.map_url, self.map_alt = festival.theme.map_url, localize(festival.map_alt, language)
        base_url = snapshot.programme.site.base_url
        self.map = build_figure(self.map_url, festival.theme.map_picture, self.map_alt.text, base_url)
        self._tokens = _MARKUP.parse(_HEADING.sub(r"\1 ", getattr(festival.practical, language)))
        # The anchor and the text of each heading.
        self.headings: list[tuple[str, str]] = []
        for place, token in enumerate(self._tokens):
            if token.type == "heading_open":
                words = self._tokens[place + 1].content
                anchor = f"{len(self.headings) + 1}-{slugify(words, allow_unicode=True)}"
                self.headings.append((anchor, words))
                token.attrSet("id", anchor)
            token.tag = "h2" if token.type.startswith("heading") else token.tag

    @property
    def html(self) -> SafeString:
        return mark_safe(str(_MARKUP.renderer.render(self._tokens, _MARKUP.options, {})))  # noqa: S308 - escaped

    def path_in(self, language: LanguageCode) -> str:
        """Return the page's path, '' in a language without a text."""
        return PRACTICAL[language] if language in list_written(self.programme.festival) else ""

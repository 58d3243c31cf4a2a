"""The base class of pages of a selection."""

from collections.abc import Mapping
from typing import Any

from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode
from pages.addresses import build_discovery_url, build_path
from pages.layout import build_area_rules
from pages.query import PageQuery
from pages.rendering import Page, link_languages, write_page


class SelectedPage:
    """A page of a query, whose selection must be canonical."""

    paths: Mapping[LanguageCode, str]
    # Whether other websites may frame it.
    is_embeddable = False

    def __init__(self, snapshot: Snapshot, query: PageQuery) -> None:
        self.snapshot = snapshot
        self.programme = snapshot.programme
        self.query = query
        self.selection = query.selection
        self.language: LanguageCode = query.selection.language

    @property
    def rules(self) -> str:
        """The page's own style rules."""
        return build_area_rules(self.snapshot)

    def write(self, name: str) -> Page:
        """Return the page in its template, with the same selection in the links around it."""
        context: dict[str, Any] = {"page": self, "query": self.query, "current_page": name}
        context |= link_languages(self.snapshot, self.language, self.path_in)
        if self.is_embeddable:
            base_url = self.programme.site.base_url
            context["oembed"] = build_discovery_url(base_url, self.path_in(self.language))
        return write_page(name, self.language, self.snapshot, self.selection, self.rules, **context)

    def path_in(self, language: LanguageCode) -> str:
        return build_path(self.paths[language], self.selection)

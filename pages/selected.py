"""What the pages of a selection have in common."""

from collections.abc import Mapping

from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode
from pages.addresses import build_path
from pages.layout import build_area_rules
from pages.query import PageQuery


class SelectedPage:
    """A page of what a query selects, whose selection must be canonical.

    `paths` are where it is; other websites may frame one that `is_embeddable`.
    """

    paths: Mapping[LanguageCode, str]
    is_embeddable = False

    def __init__(self, snapshot: Snapshot, query: PageQuery) -> None:
        self.snapshot = snapshot
        self.programme = snapshot.programme
        self.query = query
        self.selection = query.selection
        self.language: LanguageCode = query.selection.language

    @property
    def rules(self) -> str:
        """The page's own rules of style."""
        return build_area_rules(self.snapshot)

    def path_in(self, language: LanguageCode) -> str:
        return build_path(self.paths[language], self.selection)

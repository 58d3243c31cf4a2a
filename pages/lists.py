"""The page of a list that editors made: its title and text, and what is on it."""

from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode, Occasion, OccasionList
from pages.addresses import build_occasion_list_path
from pages.calendars import shorten
from pages.details import DetailText, localize
from pages.occasions import MAX_SUMMARY_LENGTH
from pages.places import PartPage
from pages.structured_data import write_json_ld

# Search engines want no more of a list.
MAX_ITEMS = 100


class ListPage(PartPage):
    def __init__(
        self,
        snapshot: Snapshot,
        shown: OccasionList,
        occasions: tuple[Occasion, ...],
        language: LanguageCode,
    ) -> None:
        selection = snapshot.programme.select(language, lists=(str(shown.id),))
        super().__init__(snapshot, selection, occasions)
        self.shown = shown
        self.title = localize(shown.title, language)
        self.text = localize(shown.text, language)

    def path_in(self, language: LanguageCode) -> str:
        return build_occasion_list_path(self.shown, language, self.selection.edition)

    @property
    def summary(self) -> DetailText:
        text = self.text if self.text.text else self.title
        return text._replace(text=shorten(text.text, MAX_SUMMARY_LENGTH))

    @property
    def json_ld(self) -> str:
        """The list as schema.org's ItemList, of the pages of what is to come."""
        site = self.snapshot.programme.site
        urls = (site.occasion_url(each.identity, self.language) for each in self.ahead[:MAX_ITEMS])
        items = [{"@type": "ListItem", "position": place, "url": url} for place, url in enumerate(urls, 1)]
        described = {"description": self.text.text} if self.text.text else {}
        return write_json_ld(
            {"@type": "ItemList", "name": self.title.text, **described, "itemListElement": items}
        )

"""Says of which editions of the festival the occasions of a file are."""

from collections import Counter
from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from programme.exchange.values import Contents, ImportDefaults, Problem
from programme.models.editions import Edition


def describe_editions(contents: Contents, defaults: ImportDefaults) -> Iterator[Problem]:
    """Yield what to say of a file's editions: a warning if some are of others than the one meant."""
    days = [defaults.time.day_of(each.start) for event in contents.events for each in event.occasions]
    found = Counter(next((each for each in defaults.editions if each.holds(day)), None) for day in days)
    if not (defaults.edition and days):
        return
    named = {"count": len(days), "edition": defaults.edition.name}
    if others := len(days) - found.pop(defaults.edition, 0):
        text = ngettext(
            "%(others)d of %(count)d occasions is not of %(edition)s: %(parts)s",
            "%(others)d of %(count)d occasions are not of %(edition)s: %(parts)s",
            others,
        )
        named |= {"others": others, "parts": "; ".join(_say(*each) for each in found.most_common())}
    else:
        text = ngettext(
            "%(count)d occasion is of %(edition)s", "all %(count)d occasions are of %(edition)s", len(days)
        )
    yield Problem(_("the file"), text % named, whole=True, warns=others > 0)


def _say(edition: Edition | None, count: int) -> str:
    text = (
        _("%(count)d of %(edition)s") if edition else _("%(count)d of no edition, which readers do not see")
    )
    return text % {"count": count, "edition": edition and edition.name}

"""Finds the edition of the festival that a command is told."""

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from programme.models import Edition


def find_edition(slug: str) -> Edition | None:
    """Return the edition with this name in addresses, None without a name. Raises `CommandError`."""
    editions = {each.slug: each for each in Edition.objects.all()} if slug else {}
    if slug and slug not in editions:
        named = {"name": slug, "names": ", ".join(editions) or "–"}
        raise CommandError(_("There is no edition %(name)s. Available editions: %(names)s.") % named)
    return editions.get(slug)

"""Digests of what readers are answered: a restored database must give the same bytes."""

import hashlib
from datetime import datetime
from pathlib import Path
from typing import get_args

from django.conf import settings
from django.template import engines

import feeds
from feeds.formats import AREA_FORMATS, FORMATS
from feeds.listing import Listing
from feeds.programme import Programme
from feeds.programme_document import write_programme
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import LanguageCode
from programme.publishing import loading, programme_reader


def read_programme() -> Programme:
    """Return the published programme, read in the transaction that is open."""
    return programme_reader.read_programme(loading.fetch_revision(), loading.build_site(), None)


def digest_answers(programme: Programme, instant: datetime) -> dict[str, str]:
    """Return the SHA-256 of every document of the whole programme as of an instant, by path."""
    programme.precompute()
    snapshot = Snapshot(programme, instant)
    answers = {f"/api/areas.{each.extension}": each().write_areas(snapshot) for each in AREA_FORMATS}
    answers["/api/programme"] = write_programme(Listing(snapshot, Selection()))
    for language in get_args(LanguageCode):
        listing = Listing(snapshot, Selection(language=language))
        for each in FORMATS:
            answers[f"/api/events.{each.extension}?language={language}"] = each().write_events(listing)
    return {path: hashlib.sha256(body).hexdigest() for path, body in answers.items()}


def digest_site() -> str:
    """Return a digest of what answers depend on beside the programme: settings, and the code of formats."""
    digest = hashlib.sha256(repr((loading.build_site(), settings.MEDIA_URL)).encode())
    sources = [*Path(feeds.__file__).parent.rglob("*.py")]
    for folder in engines["django"].template_dirs:
        sources += Path(folder, "feeds").glob("*")
    for path in sorted(sources):
        digest.update(path.read_bytes())
    return digest.hexdigest()

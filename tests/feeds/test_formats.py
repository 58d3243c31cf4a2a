"""The registry of formats: a format is one file, its golden files and a line of the README."""

from feeds.formats import FORMATS


def test_no_two_formats_have_one_extension_or_rank() -> None:
    assert len({each.extension for each in FORMATS}) == len({each.rank for each in FORMATS}) == len(FORMATS)

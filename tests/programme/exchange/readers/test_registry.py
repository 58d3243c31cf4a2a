"""The registry of readers: files that none of them can read."""

import pytest

from feeds.festival_time import FestivalTime
from programme.exchange.readers.registry import read, read_paths
from programme.exchange.values import ImportDefaults, UnreadableFileError

DEFAULTS = ImportDefaults(FestivalTime("Europe/Stockholm"))


def test_a_file_that_cannot_be_opened_is_refused(tmp_path):
    for path, reason in ((tmp_path, "Is a directory"), (tmp_path / "gone", "No such file or directory")):
        with pytest.raises(UnreadableFileError, match=reason):
            read_paths([path], DEFAULTS)


def test_a_file_that_no_reader_recognizes_is_refused():
    with pytest.raises(UnreadableFileError, match="no file of a kind that can be imported"):
        read(b"Hello", "hello.doc", DEFAULTS)

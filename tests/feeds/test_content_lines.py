"""Content lines are what the icalendar library writes, and are never folded inside an escape."""

import re
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st
from icalendar import vDatetime, vText
from icalendar.parser import Contentline

from feeds.formats.ics import escape_text, fold_line, format_instant

# What has a meaning in a content line, and characters of one to four octets.
texts = st.lists(st.sampled_from([*r"\^;,:nN", "\n", "\r\n", "\r", "a", "å", "–", "🎷", "x" * 35])).map(
    "".join
)


@given(texts.map(lambda text: text.replace("\\", "/").replace("^", "/")))
@example("x" * 74)
@example("x" * 75)
@example("x" * 65 + ",")
@example("x" * 72 + "🎷")
@example("🎷" * 60)
def test_a_line_is_folded_as_the_library_does(text: str) -> None:
    line = f"SUMMARY:{escape_text(text)}"
    assert fold_line(line) == Contentline(line).to_ical() + b"\r\n"


@given(texts)
@example("x" * 64 + r"\\server")
def test_a_line_is_folded_between_characters_and_escapes(text: str) -> None:
    line = f"SUMMARY:{escape_text(text)}"
    folds = fold_line(line).removesuffix(b"\r\n").split(b"\r\n ")
    assert b"".join(folds).decode() == line
    assert all(len(fold.decode().encode()) <= 74 for fold in folds)
    assert [len(re.findall(rb"\\*$", fold)[0]) % 2 for fold in folds] == [0] * len(folds)


@given(texts.filter(lambda text: r"\N" not in text))
def test_a_text_is_escaped_as_the_library_does(text: str) -> None:
    assert escape_text(text) == vText(text).to_ical().decode()


def test_a_written_backslash_and_n_is_no_line_break() -> None:
    assert escape_text(r"C:\New; a, b") == r"C:\\New\; a\, b"


@given(
    st.datetimes(datetime(1900, 1, 1), datetime(2199, 12, 31)),  # noqa: DTZ001 - hypothesis wants them so
    st.integers(-14, 14),
)
def test_a_moment_is_in_utc_and_whole_seconds(moment: datetime, hours: int) -> None:
    there = moment.replace(tzinfo=timezone(timedelta(hours=hours)))
    assert format_instant(there) == vDatetime(there.astimezone(UTC)).to_ical().decode()

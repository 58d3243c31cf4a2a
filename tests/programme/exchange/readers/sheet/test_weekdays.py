"""Weekdays beside dates."""

import pytest

from programme.exchange.readers.sheet.times import parse_weekday, split_weekday


@pytest.mark.parametrize(
    ("text", "weekday"),
    [
        ("mån", 0), ("Måndag", 0), ("tis.", 1), ("TISDAGEN", 1), ("ons", 2), ("tors", 3), ("torsdagar", 3), ("fre", 4),
        ("Lö", 5), ("(lör)", 5), ("sön,", 6), ("Mon", 0), ("tues", 1), ("Wednesday", 2), ("thu", 3), ("Fridays", 4),
        ("sat", 5), ("Sun", 6),
        ("", None), ("12", None), ("mars", None), ("alla dagar", None), ("månad", None), ("x", None), ("Tre", None),
    ],
)  # fmt: skip
def test_weekdays(text: str, weekday: int | None) -> None:
    assert parse_weekday(text) == weekday


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lör 12/9", (5, "12/9")),
        ("Lö 12/9", (5, "12/9")),
        ("lördag den 12 september", (5, "den 12 september")),
        ("12/9 (lör)", (5, "12/9")),
        ("12/9, lördag kl 19", (5, "12/9, kl 19")),
        ("2026-09-12 Saturday", (5, "2026-09-12")),
        ("12 mars", (None, "12 mars")),
        ("10 to 12", (None, "10 to 12")),
    ],
)
def test_a_weekday_is_taken_out_of_a_text(text: str, expected: tuple[int | None, str]) -> None:
    assert split_weekday(text) == expected

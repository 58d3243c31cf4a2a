"""Only rules with parts that calendars write are followed."""

import pytest

from programme.exchange.readers.ical.rules import RuleError, parse_rule


def test_the_parts_of_a_rule():
    expected = {"FREQ": "WEEKLY", "INTERVAL": "2", "BYDAY": "TU,TH"}
    assert parse_rule("freq=weekly; interval=2;BYDAY=TU, TH;X-NOTE=;") == expected


@pytest.mark.parametrize("rule", ["", "FREQ="])
def test_a_rule_that_does_not_say_how_often(rule):
    with pytest.raises(RuleError, match="how often"):
        parse_rule(rule)


@pytest.mark.parametrize(
    "part",
    [
        *("FREQ=FORTNIGHTLY", "FREQ=HOURLY", "INTERVAL=0", "INTERVAL=1000", "COUNT=-1", "COUNT=99999999999999"),
        *("BYMONTHDAY=32", "BYDAY=XX", "BYWEEKNO=20", "BYHOUR=1", "BYSETPOS=5"),
    ],
)  # fmt: skip
def test_a_part_that_is_not_read_is_named(part):
    with pytest.raises(RuleError, match=f"not read here: {part}"):
        parse_rule(part if "FREQ" in part else f"FREQ=MONTHLY;{part}")


@pytest.mark.parametrize("part", ["BYMONTH=7", "BYMONTHDAY=30", "BYSETPOS=1"])
def test_a_daily_rule_has_no_part_for_which_the_library_looks_far_ahead(part):
    assert parse_rule(f"FREQ=YEARLY;{part}")
    with pytest.raises(RuleError, match=part):
        parse_rule(f"FREQ=DAILY;{part}")

"""The days of a series, and what is doubtful about them."""

import pytest

from programme.backoffice.forms.series import SeriesForm
from tests.programme.backoffice.samples import make_events

# A Saturday.
DAY = {"day": "2026-08-01"}


@pytest.mark.parametrize(
    ("sent", "days"),
    [
        ({}, ["2026-08-01"]),
        ({"until": "2026-08-15"}, ["2026-08-08", "2026-08-15"]),
        ({"until": "2026-08-08", "weekdays": ["0", "5"]}, ["2026-08-03", "2026-08-08"]),
        ({"until": "2026-08-03", "every": "day", "weekdays": ["0"]}, ["2026-08-02", "2026-08-03"]),
        ({"until": "2026-08-29", "omitted": "8 aug, 2026-08-22"}, ["2026-08-15", "2026-08-29"]),
        ({"until": "2026-08-15", "omitted": "9 aug"}, ["omitted"]),
        ({"until": "2026-08-15", "omitted": "ibland"}, ["omitted"]),
        ({"until": "2026-07-01"}, ["until"]),
        ({"until": "2026-08-15", "omitted": "8/8, 15/8"}, ["until"]),
        ({"until": "2026-12-31", "every": "day"}, ["until"]),
    ],
)
def test_a_series_has_the_days_that_are_meant_or_says_where_it_is_wrong(sent, days):
    form = SeriesForm(DAY | sent)
    assert [each.isoformat() for each in form.days] == days if form.is_valid() else [*form.errors] == days


@pytest.mark.usefixtures("at")
def test_the_address_names_days_with_what_is_doubtful_of_them(office):
    make_events(6)
    [[day, doubt]] = office.get("/admin/days/", {"day": "2062-01-30"}).json()["days"]
    assert (day, doubt.partition(",")[0]) == ("2062-01-30", "Is Mon 30 Jan 2062 right")
    assert office.get("/admin/days/", DAY).json() == {"days": [["2026-08-01", ""]]}
    assert office.get("/admin/days/", {"day": "x"}).json() == {"errors": ["Enter a valid date."]}

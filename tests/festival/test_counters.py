"""Counting: durations fall into buckets, and every counter only increases."""

from festival.counters import BUCKETS, Counters, cumulate


def test_requests_are_sorted_into_a_histogram():
    counters = Counters()
    record = counters.recorder("json", "200", "replay")
    for seconds in (0.00025, 0.0002, 0.003, 99.0):
        record(seconds)
    counters.recorder("json", "304", "django")(0.003)
    assert counters.read() == {
        ("requests", "json", "200", "replay"): 4,
        ("requests", "json", "304", "django"): 1,
        ("durations", "json", "0"): 2,
        ("durations", "json", "4"): 2,
        ("durations", "json", str(len(BUCKETS))): 1,
        ("duration_sum", "json"): 0.00025 + 0.0002 + 0.003 + 99.0 + 0.003,
    }


def test_reading_forgets_nothing():
    counters = Counters()
    record = counters.recorder("ics", "200", "django")
    record(0.0001)
    before = counters.read()
    record(0.0001)
    assert (before["requests", "ics", "200", "django"], counters.read()["durations", "ics", "0"]) == (1, 2)


def test_amounts_are_added():
    counters = Counters()
    counters.add("import_rows", amount=12)
    counters.add("import_rows", amount=3)
    counters.add("imports", "done")
    assert counters.read() == {("import_rows",): 15, ("imports", "done"): 1}


def test_a_histogram_is_cumulative():
    cumulated = cumulate({0: 5, 2: 1, len(BUCKETS): 2})
    assert (cumulated[0], cumulated[1], cumulated[2], cumulated[-2], cumulated[-1]) == (
        ("0.00025", 5),
        ("0.0005", 5),
        ("0.001", 6),
        ("10.0", 6),
        ("+Inf", 8),
    )

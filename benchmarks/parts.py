"""The parts of the benchmark: each runs its steps and prints a table."""

from benchmarks.databases import POSTGRESQL, SQLITE
from benchmarks.run import Figures, Run, has_chromium, has_wrk, table

OCCASIONS_EACH = 9 / 5


def against_json_agg(run: Run) -> None:
    rows = []
    for vendor in run.vendors:
        for events in run.sizes_or(1000, 5000):
            found = run.step("against_json_agg", events, vendor)
            whole, half = found["json_agg"], found["json_agg_half"]
            rows.append(
                (
                    f"{vendor}, {events} events",
                    f"{whole:.0f}",
                    f"{found['load']:.0f} ({found['load'] / whole:.2f})",
                    f"{found['load_and_write']:.0f} ({found['load_and_write'] / whole:.2f})",
                    f"{half:.0f}",
                    f"{found['write_half']:.1f} ({found['write_half'] / half:.3f})",
                    f"{found['write_whole']:.1f}",
                )
            )
    headings = (
        *("ms (share of json_agg)", "json_agg", "load, snapshot", "the same and the whole list"),
        *("json_agg, half", "half, cold", "the whole list, cold"),
    )
    table("Against json_agg", headings, *rows)


def each_format(run: Run) -> None:
    for vendor in run.vendors:
        for events in run.sizes_or(1000, 5000):
            steps = run.step("each_format", events, vendor)
            thousands = events * OCCASIONS_EACH / 1000
            rows = [
                (
                    extension,
                    *(
                        f"{times[extension] / thousands:.1f} ({times[extension] / times['json']:.2f})"
                        for times in steps.values()
                    ),
                )
                for extension in steps["cold"]
            ]
            headings = ("ms per 1,000 occasions (multiple of JSON)", *steps)
            table(f"Each format, {events} events, {vendor}", headings, *rows)


def document(run: Run) -> None:
    for events in run.sizes_or(1000):
        found = run.step("document", events)
        whole = found["/api/events.json"]["bytes"]
        rows = [
            (f"`{address}`", f"{each['bytes']:,}", f"{each['bytes'] / whole:.3f}", f"{each['taken']:.0f}")
            for address, each in found.items()
        ]
        headings = ("with brotli", "bytes", "of `/api/events.json`", "ms, the first time")
        table(f"The programme as one document, {events} events", headings, *rows)


def shares(run: Run) -> None:
    for events in run.sizes_or(1000) if has_wrk() else ():
        rows = [
            (
                found["request"],
                f"{found['bytes']:,}",
                *(f"{found[name]:,.0f}" for name in ("ours", "bare")),
                f"{found['ours'] / found['bare']:.2f}",
            )
            for found in run.shares(events)
        ]
        headings = ("processor time of a request, µs", "bytes", "ours", "a bare application", "times")
        table(f"Warm requests under the production server, {events} events", headings, *rows)


def not_asked_before(run: Run) -> None:
    for events in run.sizes_or(1000, 5000, 20_000):
        rows = [
            (
                *(kind, found["asked"], f"{found['occasions']:.0f}"),
                *(f"{found[name]:.2f}" for name in ("service", "slowest", "alone")),
                f"{found['service'] / found['occasions'] * 100:.2f}" if found["occasions"] else "",
            )
            for kind, found in run.step("not_asked_before", events).items()
        ]
        headings = (
            "ms",
            "asked",
            "occasions",
            "the service",
            "the slowest",
            "the format alone",
            "the service, per 100 occasions",
        )
        table(f"A selection not asked before, not compressed, {events} events", headings, *rows)


def first_answers(run: Run) -> None:
    for events in run.sizes_or(1000, 5000):
        found = run.step("first_answers", events)
        rows = [
            (answer, f"{taken:.0f}", *(f"{taken / found[of]:.2f}" for of in ("json_agg", "JSON, gzip")))
            for answer, taken in found.items()
        ]
        headings = ("the first answer after an edit", "ms", "of json_agg", "of JSON, gzip")
        table(f"After an edit of one event, {events} events", headings, *rows)


def growth(run: Run) -> None:
    sizes = run.sizes_or(1000, 20_000)
    least, most = min(sizes), max(sizes)
    rows: list[tuple[object, ...]] = []
    for name in ("small", "small, 304"):
        taken = {events: run.step("warm", events)[name] * 1000 for events in sizes}
        shown = (f"{taken[events]:.1f} µs" for events in sizes)
        rows.append((f"{name}, in process", *shown, f"{taken[most] / taken[least]:.2f}"))
    for status, rates in run.growth(sizes).items() if has_wrk() else ():
        shown = (f"{rates[events]:,.0f}/s" for events in sizes)
        rows.append((f"{status}, under the server", *shown, f"{rates[least] / rates[most]:.2f}"))
    headings = ("an organizer's events, asked again", *(f"{events} events" for events in sizes), "growth")
    table("A small selection in a growing programme", headings, *rows)


def memory(run: Run) -> None:
    rows = []
    # The largest has 50,000 occasions.
    measured = {POSTGRESQL: (1000, 20_000, 27_778), SQLITE: (1000,)}
    for vendor, own in list(measured.items())[: 1 if run.is_tiny else None]:
        empty = run.step("memory", 0, vendor)
        for events in run.sizes_or(*own):
            found = run.step("memory", events, vendor)
            grown = [(found[state] - empty[state]) / (events * OCCASIONS_EACH) for state in empty]
            rows.append((f"{vendor}, {events} events", *(f"{each:.1f}" for each in grown)))
    headings = ("KB per occasion", "loaded", "every format written")
    table("Private memory beside a process with an empty programme", headings, *rows)


def screens(run: Run) -> None:
    for vendor in run.vendors:
        for events in run.sizes_or(1700, 5000):
            rows = [
                (
                    *(f"`/admin/{path}`", f"{found['edited']:.0f}", f"{found['ms']:.0f}"),
                    *(found["statements"], f"{found['bytes']:,}"),
                )
                for path, found in run.step("screens", events, vendor).items()
            ]
            headings = ("screen", "ms, right after an edit", "ms, again", "statements", "bytes")
            table(f"Screens of the back office, {events} events, {vendor}", headings, *rows)


def pages(run: Run) -> None:
    for events in run.sizes_or(100, 1000, 5000):
        rows = [
            (f"`{path}`", *(f"{found[name]:.1f}" for name in ("first", "next")), *_sizes(found))
            for path, found in run.step("pages", events).items()
        ]
        headings = ("page", "ms, first", "ms, in the next snapshot", "bytes", "compressed (br)")
        table(f"Pages, {events} events", headings, *rows)


def _sizes(found: Figures) -> tuple[str, str]:
    return f"{found['bytes']:,}", f"{found['br']:,}"


def visits(run: Run) -> None:
    for events in run.sizes_or(1000) if has_chromium() else ():
        rows = [
            (f"`{each.path}`", each.requests, f"{each.bytes:,}", f"{each.paint:.0f}", f"{each.shift:.3f}")
            for each in run.visits(events)
        ]
        headings = ("first visit, 1.6 Mbit/s, 150 ms", "requests", "bytes", "first paint, ms", "layout shift")
        table(f"Pages on a phone, {events} events", headings, *rows)


def editors(run: Run) -> None:
    for events in run.sizes_or(1000) if has_wrk() else ():
        shown = ("rate", "p99", "slowest", "repeated", "most attempts", "seconds")
        rows = [
            (
                what,
                *(f"{found[name]:,.{1 if name == 'p99' else 0}f}" if name in found else "" for name in shown),
            )
            for what, found in run.beside_editors(events).items()
        ]
        headings = (
            *("readers beside editors", "requests per second", "99 %, ms", "slowest, ms", "repeated"),
            *("most attempts of one", "seconds"),
        )
        table(f"Readers beside editors, {events} events", headings, *rows)

"""The parts of the benchmark: each runs its steps and prints a table."""

from benchmarks.databases import POSTGRESQL, SQLITE
from benchmarks.run import Figures, Run, has_chromium, has_wrk, table

OCCASIONS_EACH = 9 / 5
SIZES = (1000, 5000, 20_000)
EDITED = {POSTGRESQL: SIZES, SQLITE: (5000,)}


def against_json_agg(run: Run) -> None:
    """Print loading and cold lists beside PostgreSQL's own JSON."""
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


def shares(run: Run) -> None:
    """Print the processor time of warm requests beside a bare application's."""
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


def memory(run: Run) -> None:
    """Print private memory for each occasion."""
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


def pages(run: Run) -> None:
    """Print what writing a page takes, and its bytes."""
    for events in run.sizes_or(1000, 5000):
        rows = [
            (
                f"`{path}`",
                *(f"{found[name]:.1f}" for name in ("first", "next")),
                *(f"{found[name]:,}" for name in ("bytes", "br")),
            )
            for path, found in run.step("pages", events).items()
        ]
        headings = ("page", "ms, first", "ms, in the next snapshot", "bytes", "compressed (br)")
        table(f"Pages, {events} events", headings, *rows)


def edits(run: Run) -> None:
    """Print what readers notice of an edit per second, and when they see it."""
    # One size on SQLite: the whole is to take five minutes at most.
    usual = [(vendor, size) for vendor in run.vendors for size in run.sizes or EDITED[vendor]]
    found: dict[str, Figures] = {}
    for vendor, events in usual:
        found |= run.beside_edits(events, vendor)
    _print_readers(found)
    _print_cost(found)
    _print_polls(found)


def _print_readers(found: dict[str, Figures]) -> None:
    rows = [
        (
            what,
            *(f"{each[name]:.1f}" for name in ("p99 without", "p99")),
            *(f"{each['p99'] / each['p99 without']:.2f}", f"{each['slowest']:.0f}", each["failed"]),
            *(f"{each['cores']:.2f}", f"{each['idle cores']:.2f}", f"{each['memory']:.0f}"),
        )
        for what, each in found.items()
    ]
    first = "99 % of a small selection, ms"
    headings = (
        *(first, "no edits", "an edit per second", "times", "slowest", "failed"),
        *("cores used", "without anybody", "memory, MB"),
    )
    table("Readers beside an edit per second", headings, *rows)


def _print_cost(found: dict[str, Figures]) -> None:
    shown = ("one worker", "all processes", "beside readers")
    rows = [(what, *(f"{each[name]:.1f}" for name in shown)) for what, each in found.items()]
    headings = (
        *("processor time for an edit, ms", "one worker", "all processes of the service"),
        "the same beside readers",
    )
    table("What an edit costs under the production server", headings, *rows)


def _print_polls(found: dict[str, Figures]) -> None:
    rows = [
        (what, each["polled"], *(f"{each[name]:.0f}" for name in ("seen", "last")), each["went back"])
        for what, each in found.items()
    ]
    headings = ("ms until a worker shows an edit", "edits", "median", "most", "new, then old")
    table("When an edit is seen by a reader who alternates between two workers", headings, *rows)


def renewals(run: Run) -> None:
    """Print the processor time of one process for each kind of edit."""
    sizes = run.sizes_or(*SIZES)
    for vendor in run.vendors:
        steps = {events: run.step("renewals", events, vendor) for events in sizes}
        rows = [
            (
                kind,
                *(f"{step[kind]['all']:.1f} ({step[kind]['load']:.1f})" for step in steps.values()),
                f"{steps[max(sizes)][kind]['all'] / steps[min(sizes)][kind]['all']:.2f}",
            )
            for kind in steps[sizes[0]]
        ]
        headings = ("processor time, ms (of it loading)", *(f"{events} events" for events in sizes), "growth")
        table(f"Renewing the programme in one process, {vendor}", headings, *rows)


def imports(run: Run) -> None:
    """Print how long the preview of a sheet takes, and what is then written."""
    for vendor in run.vendors:
        for events in run.sizes_or(3000):
            rows = [
                (
                    what,
                    *(f"{each[name]:.1f}" for name in ("seconds", "processor", "silence")),
                    *(each["statements"], f"{each['page']:.1f}" if "page" in each else ""),
                )
                for what, each in run.imports(events, vendor).items()
            ]
            headings = (
                *("a step", "seconds", "of the processor", "longest silence"),
                *("statements", "showing the preview, seconds"),
            )
            table(f"Import of {events} events, {vendor}", headings, *rows)


def flows(run: Run) -> None:
    """Print what everyday work in the back office takes."""
    rows = [
        (
            what,
            *(each.clicks + each.drags, each.fields, each.loads),
            *(f"{each.waited:.1f}", f"{each.estimate:.0f}"),
        )
        for what, each in (run.flows().items() if has_chromium() else ())
    ]
    headings = ("flow", "clicks", "fields", "page loads", "seconds", "a person's seconds")
    table("Flows in the back office", headings, *rows)


def starts(run: Run) -> None:
    """Print how long the service takes to its first answer."""
    rows = []
    for vendor in run.vendors:
        for events in run.sizes_or(*SIZES):
            found = run.start(events, vendor)
            shown = (f"{found[name]:.1f}" if name in found else "" for name in ("database", "copy"))
            rows.append((f"{vendor}, {events} events", *shown))
    headings = ("seconds to the first answer", "from the database", "from the copy on disk, without it")
    table("Starting the production server", headings, *rows)

"""The parts of the benchmark about edits and starts: each runs its steps and prints a table."""

from benchmarks.run import Figures, Run, has_chromium, table

SIZES = (1000, 5000, 20_000)


def facts(run: Run) -> None:
    for events in run.sizes_or(1000, 5000):
        found = run.step("facts", events)
        rows = [
            (what, f"{each['without']:.0f}", f"{each['with']:.0f}", f"{each['with'] / each['without']:.2f}")
            for what, each in (("loading, ms", found["loading"]), ("loaded, KB", found["memory"]))
        ]
        title = f"Facts stated on every row, {events} events"
        table(title, ("", "without facts", "with facts", "times"), *rows)
        asked = found["asked"]
        rows = [(name, f"{taken:.2f}", f"{taken / asked['area']:.2f}") for name, taken in asked.items()]
        headings = ("a selection not asked before, by", "ms per 100 occasions", "of one by area")
        table("What facts find", headings, *rows)


def editions(run: Run) -> None:
    for vendor in run.vendors:
        for events in run.sizes_or(1000):
            alone, last = run.editions(events, vendor)
            rows = [
                (what, f"{alone[what]:.1f}", f"{last[what]:.1f}", f"{last[what] / alone[what]:.2f}")
                for what in ("loading, ms", "after an edit, ms", "loaded, KB")
            ]
            headings = ("processor time and memory", "one edition", "the last of ten", "times")
            table(f"Editions of {events} events, {vendor}", headings, *rows)
            print(f"Another edition that is asked for is loaded in {last['another one, ms']:.1f} ms.")


def edits(run: Run) -> None:
    """Print what readers notice of an edit per second, and when they see it."""
    found = {
        f"{vendor}, {events} events": run.beside_edits(events, vendor)
        for vendor in run.vendors
        for events in run.sizes_or(*SIZES)
    }
    _print_readers(found)
    _print_cost(found)
    _print_polls(found)


def _print_readers(found: dict[str, Figures]) -> None:
    rows = [
        (
            what,
            *(f"{each[name]:.1f}" for name in ("p99 without", "p99")),
            f"{each['p99'] / each['p99 without']:.2f}",
            f"{each['slowest']:.0f}",
            each["failed"],
        )
        for what, each in found.items()
    ]
    headings = (
        "99 % of a small selection, ms",
        "no edits",
        "an edit per second",
        "times",
        "slowest",
        "failed",
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
                *(
                    f"{steps[events][kind]['all']:.1f} ({steps[events][kind]['load']:.1f})"
                    for events in sizes
                ),
                f"{steps[max(sizes)][kind]['all'] / steps[min(sizes)][kind]['all']:.2f}",
            )
            for kind in steps[sizes[0]]
        ]
        headings = ("processor time, ms (of it loading)", *(f"{events} events" for events in sizes), "growth")
        table(f"Renewing the programme in one process, {vendor}", headings, *rows)


def minutes(run: Run) -> None:
    """Print what an edit per second does for minutes."""
    rows = []
    for vendor in run.vendors:
        for events in run.sizes_or(20_000):
            found = run.edits_for_minutes(events, vendor)
            first, last = found["second minute"], found["last minute"]
            rows.append(
                (
                    f"{vendor}, {events} events",
                    *(found["edits"], found["requests"], found["failed"], f"{found['p99']:.1f}"),
                    *(f"{first:.0f}", f"{last:.0f}", f"{(last / first - 1) * 100:+.1f} %"),
                )
            )
    headings = (
        *("an edit per second", "edits", "reads", "failed", "99 %, ms"),
        *("MB in the second minute", "in the last", "growth"),
    )
    table(f"An edit per second for {run.minutes:g} minutes", headings, *rows)


def imports(run: Run) -> None:
    """Print how long the preview of a sheet takes, and what is then written."""
    for vendor in run.vendors:
        for events in run.sizes_or(3000):
            found = run.imports(events, vendor)
            rows = [
                (
                    what,
                    *(f"{each[name]:.1f}" for name in ("seconds", "processor", "silence")),
                    *(each["statements"], f"{each['page']:.1f}" if "page" in each else ""),
                )
                for what, each in found.items()
            ]
            headings = (
                *("a step", "seconds", "of the processor", "longest silence"),
                *("statements", "showing the preview, seconds"),
            )
            table(f"Import of {events} events, {vendor}", headings, *rows)


def sheets(run: Run) -> None:
    """Print when an export of everything begins, and the memory that it takes."""
    rows = []
    for vendor in run.vendors:
        for events in run.sizes_or(30_000):
            for kind in ("xlsx", "csv"):
                found = run.step(f"export_{kind}", events, vendor)
                shown = (f"{found[name]:.1f}" for name in ("first", "last", "file", "memory"))
                rows.append((f"{kind}, {vendor}, {events} events", *shown))
    headings = ("an export", "first byte, s", "last byte, s", "MB", "MB of memory beyond the process")
    table("Exports as a sheet", headings, *rows)


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
    headings = (
        "seconds to the first answer",
        "from the database",
        "from the copy on disk, without the database",
    )
    table("Starting the production server", headings, *rows)

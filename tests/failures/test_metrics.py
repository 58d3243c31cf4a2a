"""The metrics are those of all workers, and no counter decreases when a worker is replaced or killed."""

from prometheus_client.parser import text_string_to_metric_families as parse

from tests.failures.processes import kill
from tests.failures.service import Service
from tests.failures.wait import wait_until

PATH = "/api/areas.json"
REQUESTS = ("festival_requests_total", "json", "replay", "200")
EACH = 30
ORDER = ("format", "source", "status", "result", "le")


def read_counters(service: Service) -> dict[tuple[str, ...], float]:
    """Return all samples that may not decrease, by name and values of labels."""
    try:
        answer = service.get("/metrics")
    except ConnectionResetError:
        # The worker that was killed had the connection.
        answer = service.get("/metrics")
    families = parse(answer.body.decode())
    return {
        (each.name, *(each.labels[name] for name in sorted(each.labels, key=ORDER.index))): each.value
        for family in families
        for each in family.samples
        if family.type in ("counter", "histogram")
    }


def test_no_counter_decreases(service: Service) -> None:
    def assert_not_decreased() -> dict[tuple[str, ...], float]:
        after = read_counters(service)
        # The order in which seconds are added up is another one.
        assert [name for name, value in seen.items() if round(after[name], 9) < round(value, 9)] == []
        return after

    # The first requests of each worker are answered by Django, and those in the second of the last edit.
    wanted = EACH
    with service.connections() as connections:

        def have_counted() -> bool:
            for connection in connections.values():
                connection.request("GET", PATH)
                connection.getresponse().read()
            return read_counters(service).get(REQUESTS, 0) >= wanted

        wait_until("all workers have counted", have_counted)
    seen = read_counters(service)
    kill(service.workers()[0])
    service.wait_for_workers()
    seen = assert_not_decreased()
    former = set(service.workers())
    service.reload()
    wait_until("all workers are new", lambda: not former & set(service.workers()))
    service.wait_for_workers()
    assert assert_not_decreased()[REQUESTS] >= wanted

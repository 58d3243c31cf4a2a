"""Visitors' lists in the processes that serve readers: written there, and read without the database."""

import json
from http import HTTPStatus
from http.client import HTTPConnection
from typing import Any

from tests.failures.service import Service
from tests.failures.wait import wait_until
from tests.failures.workers import Workers

OWN = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}


def send(connection: HTTPConnection, method: str, secret: str, body: Any) -> tuple[int, Any]:
    connection.request(method, "/my-list", json.dumps(body), {**OWN, "X-Starred-List": secret})
    response = connection.getresponse()
    return response.status, json.loads(response.read() or "null")


def test_a_list_outlives_the_database(service: Service) -> None:
    with service.connections() as connections:
        one, other = connections.values()
        occasions = [
            element["occation"]["id"] for element in json.loads(service.get("/api/events?area=Torget").body)
        ]
        status, made = send(one, "POST", "new", {"occasions": occasions[:1]})
        assert status == HTTPStatus.CREATED
        path = f"/my-list/{made['address']}.ics"
        status, changed = send(other, "PATCH", made["secret"], {"add": occasions[1:]})
        assert (status, changed) == (HTTPStatus.OK, {"occasions": sorted(occasions)})
        workers = Workers(service, connections)
        expected = workers.get(path)
        assert [answer.body.count(b"BEGIN:VEVENT") for answer in expected] == [len(occasions)] * 2
        _, unread = send(one, "POST", "new", {"occasions": occasions})

        service.cluster.stop("immediate")
        assert [answer.body for answer in workers.get(path)] == [answer.body for answer in expected]
        # The other worker has never read this one.
        statuses = {answer.status for answer in workers.get(f"/my-list/{unread['address']}.ics")}
        assert statuses == {HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE}
        assert send(one, "PATCH", made["secret"], {})[0] == HTTPStatus.SERVICE_UNAVAILABLE

        service.cluster.start()
        wait_until(
            "the list can be changed again",
            lambda: send(one, "PATCH", made["secret"], {"remove": occasions})[1] == {"occasions": []},
        )
    assert [secret for secret in (*made.values(), *unread.values()) if secret in service.log()] == []

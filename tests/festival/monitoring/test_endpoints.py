"""/healthz, /readyz and /metrics as monitors ask for them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse

from festival import __version__, metrics
from festival.http.replay_cache import ReplayCache
from festival.metrics import REGISTRY
from festival.monitoring import exposition, health
from festival.monitoring.endpoints import may_monitor
from programme.publishing.current import current
from tests.wsgi import send_request

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def local() -> Client:
    return Client(headers={"host": "localhost"})


def read_metrics(client: Client) -> dict[tuple[str, ...], float]:
    """Return the samples by name and values of labels."""
    text = client.get("/metrics").content.decode()
    samples = [sample for family in parse(text) for sample in family.samples]
    return {(each.name, *each.labels.values()): each.value for each in samples}


def test_the_process_lives_without_a_database():
    response = Client(headers={"host": "anywhere.example"}).get("/healthz", REMOTE_ADDR="192.0.2.7")
    assert (response.status_code, response.content, dict(response.headers)) == (
        200,
        b"ok\n",
        {"Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"},
    )


@pytest.mark.parametrize("path", ["/readyz", "/metrics"])
def test_the_others_do_not_exist_for_the_world(path, sample):
    response = Client().get(path, REMOTE_ADDR="8.8.8.8")
    assert response.status_code == 404


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_they_answer_get_and_head(path, local, monkeypatch):
    monkeypatch.setattr(health, "run", dict)
    head, post = local.head(path), local.post(path)
    assert (head.status_code, head.content) == (200, b"")
    assert (post.status_code, post["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    ("problems", "status", "word"), [({}, 200, "ready"), ({"disk": "It is full."}, 503, "unavailable")]
)
def test_readiness_has_its_reasons(local, monkeypatch, problems, status, word):
    monkeypatch.setattr(health, "run", lambda: problems)
    response = local.get("/readyz")
    expected = {"status": word, "version": __version__, "problems": problems}
    assert (response.status_code, json.loads(response.content)) == (status, expected)


@pytest.mark.django_db(transaction=True)
def test_a_service_that_works_is_ready(local, settings):
    assert json.loads(local.get("/readyz").content)["problems"] == {}


def count_requests() -> dict[tuple[str, ...], float]:
    samples = [sample for family in REGISTRY.collect() for sample in family.samples]
    requests = [each for each in samples if each.name == "festival_requests_total"]
    names = ("format", "status", "source")
    return {tuple(each.labels[name] for name in names): each.value for each in requests}


def test_requests_are_counted_by_format_and_status(sample, at, local, open_connection):
    application = ReplayCache(WSGIHandler())
    before = count_requests()
    for path in ("/api/events.ics", "/api/events.ics?date=x", "/api/nothing", "/", "/media/nothing"):
        send_request(application, path)
    after = count_requests()
    assert {
        key: value - before.get(key, 0) for key, value in after.items() if value != before.get(key, 0)
    } == {
        ("ics", "200", "django"): 1,
        ("ics", "400", "django"): 1,
        ("api", "404", "django"): 1,
        ("page", "200", "django"): 1,
        ("media", "404", "django"): 1,
    }
    found = read_metrics(local)
    requests = sum(value for key, value in found.items() if key[:2] == ("festival_requests_total", "ics"))
    assert found["festival_request_seconds_count", "ics"] == requests >= 2


def test_sign_ins_are_counted(local, db):
    before = read_metrics(local)
    Client().login(username="nobody", password="wrong")
    key = ("festival_sign_ins_total", "failed")
    assert read_metrics(local)[key] - before.get(key, 0) == 1


@pytest.mark.parametrize(("since", "seconds"), [(None, 0), (1_000.0, 7)])
def test_an_outage_is_measured(local, db, monkeypatch, since, seconds):
    monkeypatch.setattr(type(current), "offline_since", since)
    monkeypatch.setattr(exposition.time, "monotonic", lambda: 1_007.0)
    assert read_metrics(local)["festival_database_offline_seconds",] == seconds


def test_openmetrics_is_written_for_who_asks_for_it(local, db):
    accept = "application/openmetrics-text; version=1.0.0"
    response = local.get("/metrics", headers={"accept": accept, "host": "localhost"})
    assert response["Content-Type"].startswith("application/openmetrics-text")
    names = {family.name for family in parse_openmetrics(response.content.decode())}
    assert {"festival_requests", "festival_request_seconds"} <= names


COUNTING = """
from festival.metrics import LOADS, recorder
from festival.monitoring import exposition
recorder("json", "200", "replay")(0.007)
LOADS.inc(2)
if IS_LAST:
    print(exposition.write()[0].decode())
"""


def test_a_process_answers_for_all_and_ended_ones_have_counted(tmp_path, monkeypatch):
    def run(*arguments: str) -> str:
        return subprocess.check_output(
            [
                sys.executable,
                "manage.py",
                "shell",
                "--no-imports",
                "-c",
                COUNTING.replace("IS_LAST", str(bool(arguments))),
            ],
            cwd=ROOT,
            env={**os.environ, "DATA_DIR": str(tmp_path), **prepared},
            text=True,
        )

    monkeypatch.setattr(metrics, "SHARED_MEMORY", tmp_path)
    (folder,) = metrics.prepare_folder(8000).values()
    Path(folder, "counter_1.db").write_text("of an earlier start")
    prepared = metrics.prepare_folder(8000)
    run()
    samples = {
        each.name + str(each.labels.get("le", "")): each.value
        for family in parse(run("print"))
        for each in family.samples
    }
    assert samples["festival_requests_total"] == 2
    assert samples["festival_programme_loads_total"] == 4
    buckets = [samples[f"festival_request_seconds_bucket{limit}"] for limit in ("0.005", "0.01")]
    assert buckets == [0, 2]


def test_without_a_folder_each_process_answers_for_itself_and_says_so(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(metrics, "SHARED_MEMORY", tmp_path / "none")
    assert metrics.prepare_folder(8000) == {}
    (message,) = caplog.messages
    assert message.startswith("Each process answers for its own metrics only: [Errno 2] No such file")


def test_the_documentation_lists_every_metric(local, db):
    families = parse(local.get("/metrics").content.decode())
    written = {f"{each.name}_total" if each.type == "counter" else each.name for each in families}
    text = (ROOT / "docs" / "monitoring.md").read_text()
    rows = re.findall(r"^\| (`festival_.*?) \|", text, re.MULTILINE)
    documented = set(re.findall(r"`(\w+)`", " ".join(rows)))
    # Without a backup there is no time of one.
    assert documented - written == {"festival_backup_time_seconds"}
    assert written - documented == set()


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ({"REMOTE_ADDR": "127.0.0.1"}, True),
        ({"REMOTE_ADDR": "::1"}, True),
        ({"REMOTE_ADDR": "10.1.2.3"}, True),
        ({"REMOTE_ADDR": "::ffff:10.1.2.3"}, True),
        ({"REMOTE_ADDR": "8.8.8.8"}, False),
        ({"REMOTE_ADDR": "::ffff:8.8.8.8"}, False),
        ({"REMOTE_ADDR": ""}, False),
        ({"REMOTE_ADDR": "unix:"}, False),
        # Whatever a proxy says of whom.
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "127.0.0.1"}, False),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_REAL_IP": "127.0.0.1"}, False),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=127.0.0.1"}, False),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_PROTO": "https"}, False),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_VIA": "1.1 cache"}, False),
    ],
)
def test_who_asks_directly_from_a_private_network_may_monitor(meta, expected):
    assert may_monitor(meta) is expected

"""The database goes away while an editor saves: the page holds what was typed, and sends it again."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from tests.failures.kept_forms import Editor, assert_kept
from tests.failures.service import Service, connect
from tests.failures.wait import wait_until
from tests.programme.backoffice.requests import submission


@pytest.fixture
def editor(service: Service, editors: list[dict[str, Any]]) -> Any:
    with closing(connect(service.port)) as connection:
        yield Editor(connection, editors[0])


def read_titles(service: Service) -> list[str]:
    return [title for (title,) in service.sql("SELECT title FROM programme_event WHERE title LIKE 'Kören%'")]


def test_a_form_is_sent_again_after_the_database_was_stopped(service: Service, editor: Editor) -> None:
    form = submission(editor.send()) | {"title": "Kören"}
    service.cluster.stop("immediate")
    kept = assert_kept(editor.send(form), "Kören")
    assert editor.send().status == 503
    # Once more while it is still away.
    kept = assert_kept(editor.send(kept), "Kören")
    service.cluster.start()
    assert editor.send(kept).status == 302
    assert read_titles(service) == ["Kören"]
    assert "Traceback" not in service.log()


def test_a_form_is_sent_again_after_the_connection_was_lost_in_the_middle(
    service: Service, editor: Editor
) -> None:
    form = submission(editor.send()) | {"title": "Kören"}
    with (
        service.cluster.connection(service.database) as other,
        ThreadPoolExecutor() as threads,
    ):
        other.execute("LOCK TABLE programme_event IN EXCLUSIVE MODE")
        saving = threads.submit(editor.send, form)
        waiting = f"datname = '{service.database}' AND wait_event_type = 'Lock'"
        wait_until(
            "the form is being saved",
            lambda: service.cluster.run(f"SELECT 1 FROM pg_stat_activity WHERE {waiting}"),
        )
        service.cluster.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {waiting}")
        kept = assert_kept(saving.result(), "Kören")
    assert read_titles(service) == []
    assert editor.send(kept).status == 302
    assert read_titles(service) == ["Kören"]
    assert "Traceback" not in service.log()

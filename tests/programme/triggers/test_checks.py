"""A model that does not declare what the database does for it is refused at start, in a sentence."""

from typing import Any

import pytest
from django.apps import apps
from django.core.checks import CheckMessage
from django.db import models
from django.test.utils import isolate_apps

from programme.models import Event, Occasion, Stream, TriggerRules, Version
from programme.models.trigger_rules import UNPUBLISHED
from programme.triggers.checks import check_trigger_rules, find_errors

MISSING = "Review does not declare what the database does when its rows are written."


def check(rules: Any, related: type[models.Model] = Event) -> list[str]:
    """Return the errors about a new model with rules, or None, whose rows name other rows."""
    with isolate_apps("programme"):

        class Review(models.Model):  # noqa: DJ008 - nobody looks at a row of it
            trigger_rules = rules
            of = models.ForeignKey(related, models.CASCADE, related_name="reviews")

            class Meta:
                app_label = "programme"

    def sentence(error: CheckMessage) -> str:
        assert error.obj is Review
        return error.msg

    return [sentence(error) for error in find_errors([Event, Occasion, Stream, Review])]


@pytest.mark.parametrize(
    ("rules", "errors"),
    [
        (None, [MISSING]),
        ("publish", [MISSING]),
        (UNPUBLISHED, []),
        (
            TriggerRules(),
            ["Events are joined with Review by 'reviews', but its rows do not touch them."],
        ),
        (
            TriggerRules(touches=("review",)),
            [
                "'review' does not lead from an event to a row of Review.",
                "Events are joined with Review by 'reviews', but its rows do not touch them.",
            ],
        ),
        (
            TriggerRules(touches=("area__name", "location")),
            [
                "'area__name' does not lead from an event to a row of Review.",
                "'location' does not lead from an event to a row of Review.",
                "Events are joined with Review by 'reviews', but its rows do not touch them.",
            ],
        ),
    ],
)
def test_a_model_that_names_an_event_declares_it(rules: Any, errors: list[str]) -> None:
    assert check(rules) == errors


def test_a_model_that_names_no_event_declares_only_that_readers_see_it() -> None:
    assert check(None, related=Stream) == [MISSING]
    assert check(TriggerRules(), related=Stream) == []


def test_a_model_that_occasions_name_declares_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stream, "trigger_rules", TriggerRules())
    [error] = find_errors([Event, Occasion, Stream])
    assert (
        error.msg == "Events are joined with Stream by 'occasions__stream', but its rows do not touch them."
    )


@isolate_apps("programme")
def test_a_many_to_many_relation_of_events_needs_a_model_of_its_own() -> None:
    class Talk(models.Model):  # noqa: DJ008
        trigger_rules = TriggerRules()
        events = models.ManyToManyField(Event, related_name="talks")

        class Meta:
            app_label = "programme"

    through = Talk.events.through
    errors = {error.obj: error.hint for error in find_errors([Event, Talk, through])}
    assert errors.keys() == {Talk, through}
    assert errors[through].startswith("Name a model of its own with `through`, and add")


def test_every_model_but_those_of_versions_declares_its_rules() -> None:
    assert check_trigger_rules(None) == []
    every = apps.get_app_config("programme").get_models()
    assert [model for model in every if issubclass(model, Version) and hasattr(model, "trigger_rules")] == []

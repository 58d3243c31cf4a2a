"""A notice on the start page of the back office when the service is not well."""

from typing import Any

from django import template

from festival import clock
from festival.monitoring.page import Health, read_health

register = template.Library()


@register.simple_tag(takes_context=True)
def health_notice(context: dict[str, Any]) -> Health | None:
    """Return how the service is; None if it was never checked, or for who may not know."""
    return read_health(context["request"].user, clock.now())

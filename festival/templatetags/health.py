"""A notice on the start page of the back office when the service is not well."""

from typing import Any

from django import template

from festival import clock
from festival.monitoring.page import Health, read_health

register = template.Library()


@register.simple_tag(takes_context=True)
def health_notice(context: dict[str, Any]) -> Health | None:
    """Return how the service is, if that should be looked at, for those who may."""
    health = read_health(context["request"].user, clock.now())
    return health if health and not health.is_well else None

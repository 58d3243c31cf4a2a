"""The button that undoes a batch, in the message after it."""

from django import template
from django.contrib.messages.storage.base import Message

from programme.backoffice.changes.messages import find_undo

register = template.Library()


@register.filter
def undoes(message: Message) -> int | None:
    """Return the edit that the button of a message undoes."""
    return find_undo(message.tags)

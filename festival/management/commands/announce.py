"""Notify the WebSub hub of edits, as `serve` does unless WEBSUB_ANNOUNCE is off."""

from threading import Event
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from festival.server.websub_watcher import watch


class Command(BaseCommand):
    help = "Notify the WebSub hub (WEBSUB_HUB) of edits until stopped."

    def handle(self, **_options: Any) -> None:
        if not settings.WEBSUB_HUB:
            raise CommandError("WEBSUB_HUB is not set.")
        self.stdout.write(f"Notifying {settings.WEBSUB_HUB} of edits.")
        try:
            watch(Event())
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")

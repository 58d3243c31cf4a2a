"""Delete obsolete data now; the service does so once a day."""

from typing import Any

from django.core.management.base import BaseCommand

from festival import clock
from festival.sweeping import sweep


class Command(BaseCommand):
    help = "Delete what is of no use any more, as `serve` does once a day: old sessions, uploads and images."

    def handle(self, **_options: Any) -> None:
        deleted = sweep(clock.now())
        self.stdout.write(f"Deleted: {', '.join(f'{count} {name}' for name, count in deleted.items())}.")

"""Django's check of the settings; with --live, the check of the running service."""

import sys
from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import check
from django.utils.translation import override

from festival.monitoring.live_check import check_live
from festival.monitoring.live_report import LEVELS, read_last, save, send_alert


class Command(check.Command):
    help = (
        "Check the settings. With --live: fetch every feed of the running service as its readers do, judge it"
        " and exit with 0 (green), 1 (yellow) or 2 (red)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--live", action="store_true", help="Check the running service under BASE_URL.")

    def handle(self, *app_labels: Any, **options: Any) -> None:
        if not options.pop("live"):
            super().handle(*app_labels, **options)
            return
        report = check_live()
        styles = dict(zip(LEVELS, (self.style.SUCCESS, self.style.WARNING, self.style.ERROR), strict=True))
        with override("en"):
            for each in report.findings:
                self.stdout.write(f"{styles[each.level](f'{each.level:6}')} {each.label}: {each.text}")
        try:
            save(send_alert(report, read_last()))
        except OSError as error:
            self.stderr.write(f"The report cannot be kept: {error}")
        if exit_code := LEVELS.index(report.level):
            sys.exit(exit_code)

"""Django's check of the settings; with --live, the check of the running service."""

import sys
from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import check
from django.utils.translation import override

from festival.monitoring.live.alert import send_alert
from festival.monitoring.live.checks import TIMEOUT, check_live
from festival.monitoring.live.report import LEVELS, Level, Report, read_last, save


class Command(check.Command):
    help = (
        "Check the settings. With --live: fetch every feed of the running service as its readers do, judge it"
        " and exit with 0 (green), 1 (yellow) or 2 (red)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--live", action="store_true", help="Check the running service under BASE_URL.")
        parser.add_argument("--timeout", type=float, default=TIMEOUT, help="With --live: seconds to wait.")

    def handle(self, *app_labels: Any, **options: Any) -> None:
        timeout = options.pop("timeout")
        if not options.pop("live"):
            super().handle(*app_labels, **options)
            return
        report = check_live(timeout)
        self.print_report(report, options["verbosity"])
        report = send_alert(report, read_last())
        try:
            save(report)
        except OSError as error:
            self.stderr.write(f"The report cannot be kept: {error}")
        if exit_code := LEVELS.index(report.level):
            sys.exit(exit_code)

    def print_report(self, report: Report, verbosity: int) -> None:
        styles = {
            Level.GREEN: self.style.SUCCESS,
            Level.YELLOW: self.style.WARNING,
            Level.RED: self.style.ERROR,
        }
        with override("en"):
            for each in report.findings:
                if verbosity or each.level is not Level.GREEN:
                    self.stdout.write(f"{styles[each.level](f'{each.level:6}')} {each.label}: {each.text}")
        level = styles[report.level](report.level)
        self.stdout.write(f"{level} in {report.seconds:.1f} s: {report.base_url}")

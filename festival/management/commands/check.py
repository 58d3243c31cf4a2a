"""Django's check of the settings; with --live, the check of the running service."""

import json
import sys
from typing import Any

import msgspec
from django.core.management.base import CommandParser
from django.core.management.commands import check
from django.utils.translation import override

from festival.monitoring.live.alerts import send_alerts
from festival.monitoring.live.fetching import TIMEOUT
from festival.monitoring.live.findings import LEVELS, Level, Report
from festival.monitoring.live.run import check_live, save


class Command(check.Command):
    help = (
        "Check the settings. With --live: fetch every feed of the running service as its readers do, judge it"
        " and exit with 0 (green), 1 (yellow) or 2 (red)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--live", action="store_true", help="Check the running service under BASE_URL.")
        parser.add_argument("--json", action="store_true", help="With --live: print the report as JSON.")
        parser.add_argument(
            "--timeout",
            type=float,
            default=TIMEOUT,
            help="With --live: seconds for each response.",
        )

    def handle(self, *app_labels: Any, **options: Any) -> None:
        if not options.pop("live"):
            super().handle(*app_labels, **options)
            return
        report = check_live(options["timeout"])
        try:
            save(report)
        except OSError as error:
            self.stderr.write(f"The report cannot be kept: {error}")
        if options["json"]:
            self.stdout.write(json.dumps(to_dict(report), indent=2, ensure_ascii=False))
        else:
            self.print_report(report, options["verbosity"])
        send_alerts(report)
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
                    level = styles[each.level](f"{each.level:6}")
                    self.stdout.write(f"{level} {each.label}: {each.text}")
        self.stdout.write(
            styles[report.level](f"{report.level} in {report.seconds:.1f} s: {report.base_url}")
        )


def to_dict(report: Report) -> dict[str, Any]:
    """Return a report with its level and the sentences in English."""
    built: dict[str, Any] = msgspec.to_builtins(report)
    with override("en"):
        texts = [{"check": each.check, "level": each.level, "text": each.text} for each in report.findings]
    return built | {"level": report.level, "findings": texts}

"""Accept another address under which followers know occasions."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from programme.models import Revision
from programme.publishing.followers import build_address, find_address


class Command(BaseCommand):
    help = "Show the address under which occasions were published; with --accept it is BASE_URL from now on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--accept", action="store_true", help="Followers get everything once more.")

    def handle(self, *, accept: bool, **_options: object) -> None:
        if accept:
            Revision.objects.update(base_url=build_address())
        self.stdout.write(find_address() or "Nothing was published yet.")

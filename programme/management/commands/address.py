"""Show the address by which followers know occasions, and accept another one."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from programme.publishing import followers


class Command(BaseCommand):
    help = "Show the address under which occasions were published. With --accept it is BASE_URL from now on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--accept", action="store_true", help="Followers get everything once more.")

    def handle(self, *, accept: bool, **_options: object) -> None:
        if accept:
            followers.accept_address()
        known = followers.find_address() or "none yet"
        self.stdout.write(f"Published under: {known}\nThe settings say:  {followers.build_address()}")

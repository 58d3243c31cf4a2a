"""`festival import`, the former `import_schedule`."""

from festival.management.commands.import_schedule import Command

__all__ = ["Command"]

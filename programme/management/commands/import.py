"""`festival import`, the former `import_schedule`."""

from programme.management.commands.import_schedule import Command

__all__ = ["Command"]

"""`festival export`, the former `export_schedule`."""

from programme.management.commands.export_schedule import Command

__all__ = ["Command"]

"""A format that is added: its file, a pytest plugin that finds it, and what must work without anything else."""

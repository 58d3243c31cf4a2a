"""What is done with many rows at once: each operation has a form with its own fields, and makes a plan."""

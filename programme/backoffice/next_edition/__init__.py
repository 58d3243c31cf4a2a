"""The next edition: what it takes along of an edition, previewed, then written as one edit."""

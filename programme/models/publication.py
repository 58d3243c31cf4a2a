"""Statements of triggers that note when something was first published, and when it was last withdrawn."""

# A year is published with the first of its occasions, and that never changes.
PUBLISH_YEARS = (
    "INSERT INTO {{PublishedYear}} (start, published_at) SELECT year, {{now}}"
    " FROM (SELECT DISTINCT {{year}} AS year FROM {{Occasion}} WHERE {condition}) AS published"
    " WHERE year NOT IN (SELECT start FROM {{PublishedYear}})"
)
# Once in a transaction, on PostgreSQL: the row is written again with each.
WITHDRAW = (
    "UPDATE {{Revision}} SET withdrawn_at = {{now}}"
    " WHERE (withdrawn_at IS NULL OR withdrawn_at < {{begun}}) AND {condition}"
)

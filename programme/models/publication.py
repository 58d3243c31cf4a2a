"""Statements of triggers that record the first publication and the last withdrawal."""

# A year is published with its first occasion; the instant never changes.
PUBLISH_YEARS = (
    "INSERT INTO {{PublishedYear}} (start, published_at) SELECT year, {{now}}"
    " FROM (SELECT DISTINCT {{year}} AS year FROM {{Occasion}} WHERE {condition}) AS published"
    " WHERE year NOT IN (SELECT start FROM {{PublishedYear}})"
)
# On PostgreSQL once in a transaction, because each update writes the row again.
WITHDRAW = (
    "UPDATE {{Revision}} SET withdrawn_at = {{now}}"
    " WHERE (withdrawn_at IS NULL OR withdrawn_at < {{begun}}) AND {condition}"
)

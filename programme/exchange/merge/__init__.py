"""What an import changes, from what a file states to what is stored; never parses a file.

`pipeline.plan_import` reads (`context`), matches and compares (`match`) and decides (`decide`, with
`three_way` and `history`); `pipeline` applies the plan in one transaction, and `preview` shows it.
"""

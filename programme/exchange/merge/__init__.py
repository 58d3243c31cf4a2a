"""What an import changes, from what a file states to what is stored; never parses a file.

`pipeline.plan_import` calls the steps in order, and each hands its result to the next:

* read (`context`): what the database knows of the rows, as one value;
* match and compare (`match`): which row each event and occasion of the file is, a stored, a deleted or a new
  one, and the values that the file states for it;
* decide (`decide`): what of them is written, and what becomes of what the file no longer has: `three_way`
  keeps what editors changed, `context` refuses, and `history` restores;
* apply (`pipeline`): the plan, written in one transaction.

`preview` and `report` show a plan to people.
"""

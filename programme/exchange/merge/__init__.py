"""What an import changes, from what a file states to what is stored; never parses a file.

`pipeline.plan_import` calls the steps in order, and each hands its result to the next:

* read (`context`): what the database knows of the rows, as one value;
* match (`match`): which row each event and occasion of the file is: a stored, a deleted or a new one;
* compare (`compare`): the values that the file states for the row;
* decide (`decide`): what of them is written: `three_way` keeps what editors changed, `permissions` refuses,
  `deleted_rows` restores, and `missing` decides on what the file no longer has;
* apply (`apply`): the plan, written in one transaction.

`preview` and `report` show a plan to people.
"""

"""The twelve flows in the order in which they are walked, one after the other in the same office."""

from collections.abc import Callable, Sequence

from benchmarks.databases import Environment
from benchmarks.flows import changing, exchanging, writing
from benchmarks.flows.office import Office, open_office
from benchmarks.flows.person import Effort

Flow = Callable[[Office], Effort]

FLOWS: dict[str, Flow] = {
    "sign in": writing.sign_in,
    "a new event with three occasions": writing.new_event,
    "an occasion dragged on the timetable": changing.drag,
    "a storm: 11 occasions two hours later": changing.storm,
    "3 occasions cancelled": changing.cancel_three,
    "the storm undone": changing.undo_all,
    "two editors save the same event": writing.conflict,
    "a sheet imported, with a correction": exchanging.import_and_correction,
    "the programme exported and imported again": exchanging.export_and_reimport,
    "3 people invited": writing.invite,
    "an event deleted and brought back": writing.delete_and_bring_back,
    "an occasion delayed, on a phone": changing.phone,
}


def walk(environment: Environment, names: Sequence[str]) -> dict[str, Effort]:
    """Walk flows by name; each ends with a check of what readers get."""
    with open_office(environment) as office:
        if len(names) == len(FLOWS):
            office.warm_up()
        return {name: FLOWS[name](office) for name in names}

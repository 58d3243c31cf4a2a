// The end of an occasion follows its start, as in the timetable: the length stays until an end is typed.

import { ask } from "./ask.js";

const START = /start_time$/;
// The starts to which the ends beside them belong, by id: a row that is refused gets new fields.
const known = new Map();
// What is not answered yet.
let asking = null;

const isStart = (field) => START.test(field.name ?? "");
const findBeside = (start, name) => start.form?.elements[start.name.replace(START, name)];

/** After a start that cannot be read the end still belongs to the one before. */
function remember(start) {
    if (/^\d\d:\d\d$/.test(start.value)) {
        known.set(start.id, start.value);
    }
}

async function follow(start) {
    const fields = { start, end: findBeside(start, "end_time"), day: findBeside(start, "day") };
    const read = (name) => fields[name]?.value ?? "";
    const typed = { start: read("start"), end: read("end"), day: read("day") };
    // What ends on a date of its own has no length of hours.
    const end = findBeside(start, "end_date")?.value ? "" : typed.end;
    const found = await ask(start.dataset.times, { ...typed, end, before: known.get(start.id) ?? "" });
    for (const [name, value] of Object.entries(found)) {
        if (fields[name] && read(name) === typed[name] && value !== typed[name]) {
            fields[name].value = value;
            fields[name].dispatchEvent(new Event("input", { bubbles: true }));
        }
    }
    // Another start may be typed already: the end still belongs to this one.
    if (found.start) {
        known.set(start.id, found.start);
    }
    // Who is on the way there types over it.
    if (found.end && document.activeElement === fields.end) {
        fields.end.select();
    }
}

document.addEventListener("focusin", ({ target }) => isStart(target) && remember(target));
document.addEventListener("change", ({ target }) => {
    if (isStart(target)) {
        // At once, if nothing is asked: an end that is typed next belongs to this start.
        const mine = (asking = asking?.then(() => follow(target)) ?? follow(target));
        mine.then(() => (asking = asking === mine ? null : asking));
    }
});

/** Wait for the answer: what follows is sent, and copied, too. */
function postpone(event) {
    const { target, type, submitter } = event;
    const copier = target.closest(".add-row a, [data-copies], [data-repeats]");
    if (asking && (type === "submit" || copier)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        asking.then(() => (copier ? copier.click() : target.requestSubmit(submitter)));
    }
}

["submit", "click"].forEach((type) => document.addEventListener(type, postpone, { capture: true }));

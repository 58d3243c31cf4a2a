// The end of an occasion follows its start, as in the timetable: the length stays until an end is typed.

import { readTimes } from "./times.js";
import { CLOCK_OR_MINUTES, DAY, formatClock, HOUR, modulo, parseClock } from "./timetable/clock.js";

const START = /start_time$/;
// `+2 h`, `+1 h 30 min`, `+90`.
const LATER = /^\s*\+\s*(?=\d)(?:(\d+)\s*(?:h|tim\w*)\s*)?(?:(\d+)\s*(?:m\w*)?)?\s*$/i;
// The starts to which the ends beside them belong, in minutes, by id: a row that is refused gets new fields.
const known = new Map();

const isStart = (field) => START.test(field.name ?? "");
const findBeside = (start, name) => start.form?.elements[start.name.replace(START, name)];

/** Write `+2 h` as the time that it gives, with its day: sent twice, it is still the same. */
function delay(start) {
    const [later, before] = [LATER.exec(start.value), known.get(start.id) ?? null];
    const day = findBeside(start, "day");
    if (!later || before === null || !day?.value || !start.dataset.dayBegins) {
        return;
    }
    const minutes = Number(later[1] ?? 0) * HOUR + Number(later[2] ?? 0);
    const inDay = modulo(before - Number(start.dataset.dayBegins) * HOUR, DAY) + minutes;
    start.value = formatClock(before + minutes);
    day.valueAsNumber += Math.floor(inDay / DAY) * DAY * 60_000;
}

function follow(start) {
    const [end, endDate] = ["end_time", "end_date"].map((name) => findBeside(start, name));
    const [before, now, ends] = [
        known.get(start.id) ?? null,
        parseClock(start.value),
        parseClock(end?.value ?? ""),
    ];
    // What ends on a date of its own has no length of hours; what may be a length is refused as it was typed.
    const isFixed = endDate?.value || CLOCK_OR_MINUTES.test(end?.value ?? "");
    if (isFixed || [before, now, ends].includes(null) || now === before) {
        return;
    }
    known.set(start.id, now);
    end.value = formatClock(ends + now - before);
    // Who is on the way there types over it.
    end.select();
    end.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Write `18h30` as 18:30, and of `18-20` the end beside it. */
async function spell(start) {
    const { value } = start;
    const [begins, ends] = await readTimes(value, start.dataset.times);
    if (!begins || start.value !== value) {
        return;
    }
    start.value = begins;
    if (ends) {
        known.set(start.id, parseClock(begins));
        findBeside(start, "end_time").value = ends;
    } else {
        follow(start);
    }
    start.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("focusin", ({ target }) => {
    const minutes = isStart(target) ? parseClock(target.value) : null;
    // After a start that is none the end still belongs to the one before.
    if (minutes !== null) {
        known.set(target.id, minutes);
    }
});
document.addEventListener("change", ({ target }) => {
    if (isStart(target)) {
        delay(target);
        follow(target);
        if (target.value && parseClock(target.value) === null) {
            spell(target);
        }
    }
});

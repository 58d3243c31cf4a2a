// The end of an occasion follows its start, as in the timetable: the length stays until an end is typed.

import { readTimes } from "./times.js";
import { CLOCK_OR_MINUTES, DAY, formatClock, HOUR, modulo, parseClock } from "./timetable/clock.js";

const MINUTE = 60_000;
const START = /start_time$/;
// `+2 h`, `+1 h 30 min`, `+90`.
const LATER = /^\s*\+\s*(?=\d)(?:(\d+)\s*(?:h|tim\w*)\s*)?(?:(\d+)\s*(?:m\w*)?)?\s*$/i;
// The starts to which the ends beside them belong, in minutes by the clock, by id: a row that is refused gets new fields.
const known = new Map();

const isStart = (field) => START.test(field.name ?? "");
const findBeside = (start, name) => start.form?.elements[start.name.replace(START, name)];

/** Return the minute of a start, on the day beside it; NaN without a time. */
function readStart(start) {
    const [clock, night] = [parseClock(start.value), Number(start.dataset.dayBegins) * HOUR];
    const day = (findBeside(start, "day")?.valueAsNumber || 0) / MINUTE;
    return clock === null ? NaN : day + night + modulo(clock - night, DAY);
}

/** Write `+2 h` as the time that it gives, with its day: sent twice, it is still the same. */
function delay(start) {
    const [later, before] = [LATER.exec(start.value), known.get(start.id)];
    const day = findBeside(start, "day");
    if (later && before !== undefined && day?.value) {
        const minute = before + Number(later[1] ?? 0) * HOUR + Number(later[2] ?? 0);
        start.value = formatClock(minute);
        day.valueAsNumber = Math.floor((minute - start.dataset.dayBegins * HOUR) / DAY) * DAY * MINUTE;
    }
}

function follow(start) {
    const [end, endDate] = ["end_time", "end_date"].map((name) => findBeside(start, name));
    const [moved, ends] = [readStart(start) - known.get(start.id), parseClock(end?.value ?? "")];
    // What ends on a date of its own has no length of hours; what may be a length is refused as it was typed.
    if (!moved || ends === null || endDate?.value || CLOCK_OR_MINUTES.test(end.value)) {
        return;
    }
    known.set(start.id, readStart(start));
    end.value = formatClock(ends + moved);
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
        known.set(start.id, readStart(start));
        findBeside(start, "end_time").value = ends;
    } else {
        follow(start);
    }
    start.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("focusin", ({ target }) => {
    const minute = isStart(target) ? readStart(target) : NaN;
    // After a start that is none the end still belongs to the one before.
    if (!Number.isNaN(minute)) {
        known.set(target.id, minute);
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

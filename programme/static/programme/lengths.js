// The end of an occasion follows its start, as in the timetable: the length stays until an end is typed.

import { findInstant, showInstant } from "./instants.js";
import { readTimes } from "./times.js";
import { CLOCK_OR_MINUTES, DAY, formatClock, HOUR, modulo, parseClock } from "./timetable/clock.js";

const MINUTE = 60_000;
const START = /start_time$/;
// `+2 h`, `+1 h 30 min`, `+90`.
const LATER = /^\s*\+\s*(?=\d)(?:(\d+)\s*(?:h|tim\w*)\s*)?(?:(\d+)\s*(?:m\w*)?)?\s*$/i;
// The starts to which the ends beside them belong, as instants, by id: a row that is refused gets new fields.
const known = new Map();

const isStart = (field) => START.test(field.name ?? "");
const findBeside = (start, name) => start.form?.elements[start.name.replace(START, name)];

/** Return the instant of a clock time of the day beside a start; undefined without a time. */
function findStart(start, clock = parseClock(start.value)) {
    const night = Number(start.dataset.dayBegins) * HOUR;
    const minute = clock === null ? NaN : modulo(clock - night, DAY) + night;
    return findInstant((findBeside(start, "day")?.valueAsNumber || 0) + minute * MINUTE, start.dataset.zone);
}

const isUntouched = (field) => field.value === field.defaultValue;

/** Return start and end as they are stored: of a clock time that comes twice the fields do not say which. */
const readStored = (start) => start.dataset.stored?.split(" ").map(Number) ?? [];

/** Return the instant of a start that is about to be typed over. */
function findBefore(start) {
    const [stored] = readStored(start);
    const isStored = stored !== undefined && [start, findBeside(start, "day")].every(isUntouched);
    return isStored ? stored : findStart(start);
}

/** Return the instant of a clock time after a start, in the night after if need be. */
function findEnd(begins, clock, zone) {
    const shown = showInstant(begins, zone);
    const date = shown - modulo(shown, DAY * MINUTE);
    const ends = findInstant(date + clock * MINUTE, zone, begins);
    return ends > begins ? ends : findInstant(date + (clock + DAY) * MINUTE, zone);
}

/** Write `+2 h` as the time that it gives, with its day: sent twice, it is still the same. */
function delay(start) {
    const [later, before] = [LATER.exec(start.value), known.get(start.id)];
    const { dayBegins, zone } = start.dataset;
    const day = findBeside(start, "day");
    if (!later || before === undefined || !day?.value) {
        return;
    }
    const instant = before + (Number(later[1] ?? 0) * HOUR + Number(later[2] ?? 0)) * MINUTE;
    const shown = showInstant(instant, zone);
    // Of a time that comes twice a start is the first: the other cannot be written, and is refused.
    if (findInstant(shown, zone) === instant) {
        start.value = formatClock(shown / MINUTE);
        day.valueAsNumber = Math.floor((shown / MINUTE - dayBegins * HOUR) / DAY) * DAY * MINUTE;
    }
}

function follow(start) {
    const [end, endDate] = ["end_time", "end_date"].map((name) => findBeside(start, name));
    const { zone } = start.dataset;
    const [before, now, ends] = [known.get(start.id), findStart(start), parseClock(end?.value ?? "")];
    // What ends on a date of its own has no length of hours; what may be a length is refused as it was typed.
    const isFixed = endDate?.value || CLOCK_OR_MINUTES.test(end?.value ?? "");
    const [begun, ended] = readStored(start);
    const isStored = begun !== undefined && begun === before && end && isUntouched(end);
    const length = (isStored ? ended : findEnd(before, ends, zone)) - before;
    if (isFixed || ends === null || !now || !length || now === before) {
        return;
    }
    known.set(start.id, now);
    const shown = showInstant(now + length, zone) / MINUTE;
    const isRead = findEnd(now, modulo(shown, DAY), zone) === now + length;
    end.value = isRead ? formatClock(shown) : `${length / MINUTE} min`;
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
        known.set(start.id, findStart(start));
        findBeside(start, "end_time").value = ends;
    } else {
        follow(start);
    }
    start.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("focusin", ({ target }) => {
    const instant = isStart(target) ? findBefore(target) : undefined;
    // After a start that is none the end still belongs to the one before.
    if (instant !== undefined) {
        known.set(target.id, instant);
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

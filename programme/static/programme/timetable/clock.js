// Clock times as minutes of the day on the screen, of which none comes twice in the night of a clock change.

export const STEP = 5;
export const HOUR = 60;
export const DAY = 24 * HOUR;

const pad = (number) => String(number).padStart(2, "0");
export const modulo = (number, divisor) => ((number % divisor) + divisor) % divisor;

export const clamp = (low, value, high) => Math.min(Math.max(value, low), high);

export const roundToStep = (minute) => Math.round(minute / STEP) * STEP;

/** Return the minute of the day on the screen at which the clock changes, and by how many. */
function findChange() {
    const { changes, change } = document.getElementById("timetable")?.dataset ?? {};
    return Number(change) ? [Number(changes), Number(change)] : [Infinity, 0];
}

/** Return the minutes from midnight that the clock shows in a minute. */
function findShown(minute) {
    const [changes, change] = findChange();
    return minute < changes ? minute : minute + change;
}

/** Return the minute in which the clock shows these: of two the first, unless only the other is after it; null if never. */
export function findMinute(shown, after = -Infinity) {
    const [changes, change] = findChange();
    const found = [shown, shown - change].filter((minute, isLater) => minute >= changes === Boolean(isLater));
    return found.find((minute) => minute > after) ?? found[0] ?? null;
}

export function formatClock(minute) {
    const shown = findShown(minute);
    return `${pad(Math.floor(modulo(shown, DAY) / HOUR))}:${pad(modulo(shown, HOUR))}`;
}

/** Return the minute of `19:00`, `19.00`, `kl 19` or `1900`; null for anything else. */
export function parseClock(text) {
    const match = /^\s*(?:kl\.?\s*)?(\d{1,2})(?:[:.]?(\d{2}))?\s*$/i.exec(text);
    const [hour, minute] = match ? [Number(match[1]), Number(match[2] || 0)] : [];
    return hour < 24 && minute < HOUR ? hour * HOUR + minute : null;
}

// 130 is half past one, or two hours and ten minutes.
export const CLOCK_OR_MINUTES = /^\s*[12][0-5]\d\s*$/;

/** Return the minutes of `2 h`, `1 h 30 min` or `90`, up to a day, by the pattern of the forms; null for anything else. */
function parseLength(text, pattern) {
    const [, sign, ...parts] = new RegExp(`^${pattern}$`, "i").exec(text.trim()) ?? [];
    const [days, hours, minutes, bare] = parts.map((part = "0") => Number(part.replace(",", ".")));
    const length = Math.round((days * 24 + hours) * HOUR + minutes + bare);
    return (sign ?? "+") === "+" && length > 0 && length <= DAY ? length : null;
}

/** Return how long it is from a minute to a clock time, in the night after if need be; null if there is none. */
function measure(begins, clock) {
    const shown = findShown(begins);
    const sameDate = shown - modulo(shown, DAY) + clock;
    const isNext = sameDate <= shown && findMinute(sameDate, begins) <= begins;
    const ends = findMinute(isNext ? sameDate + DAY : sameDate, begins);
    return ends && ends - begins;
}

/** Return how long something lasts, of its end: a clock time, also 24:00, or its length. */
export function parseEnd(text, begins, pattern) {
    if (CLOCK_OR_MINUTES.test(text)) {
        return null;
    }
    const clock = /^\s*24[:.]?(00)?\s*$/.test(text) ? 0 : parseClock(text);
    return clock === null ? parseLength(text, pattern) : measure(begins, clock);
}

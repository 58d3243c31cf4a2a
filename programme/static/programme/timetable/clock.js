// Clock times as minutes since midnight of the day on the screen.

export const STEP = 5;
export const HOUR = 60;
export const DAY = 24 * HOUR;

const pad = (number) => String(number).padStart(2, "0");
export const modulo = (number, divisor) => ((number % divisor) + divisor) % divisor;

export const clamp = (low, value, high) => Math.min(Math.max(value, low), high);

export const roundToStep = (minute) => Math.round(minute / STEP) * STEP;

export const formatClock = (minute) =>
    `${pad(Math.floor(modulo(minute, DAY) / HOUR))}:${pad(modulo(minute, HOUR))}`;

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

/** Return the minute of an end, of what begins at a minute: a clock time, also 24:00, or how long it lasts. */
export function parseEnd(text, begins, pattern) {
    if (CLOCK_OR_MINUTES.test(text)) {
        return null;
    }
    const minute = /^\s*24[:.]?(00)?\s*$/.test(text) ? 0 : parseClock(text);
    const length = parseLength(text, pattern);
    return minute ?? (length && begins + length);
}

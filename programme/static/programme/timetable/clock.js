// Clock times as minutes since midnight of the day on the screen.

export const STEP = 5;
export const HOUR = 60;
export const DAY = 24 * HOUR;

const pad = (number) => String(number).padStart(2, "0");
const modulo = (number, divisor) => ((number % divisor) + divisor) % divisor;

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

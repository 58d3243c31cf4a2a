// Minutes of the day on the screen, and what the clock shows then: in the night of a clock change none comes twice.

export const STEP = 5;
export const HOUR = 60;
const DAY = 24 * HOUR;

const pad = (number) => String(number).padStart(2, "0");
const modulo = (number, divisor) => ((number % divisor) + divisor) % divisor;

export const clamp = (low, value, high) => Math.min(Math.max(value, low), high);

export const roundToStep = (minute) => Math.round(minute / STEP) * STEP;

export function formatClock(minute) {
    // The minute at which the clock changes, and by how many.
    const { changes, change } = document.getElementById("timetable")?.dataset ?? {};
    const shown = Number(change) && minute >= Number(changes) ? minute + Number(change) : minute;
    return `${pad(Math.floor(modulo(shown, DAY) / HOUR))}:${pad(modulo(shown, HOUR))}`;
}

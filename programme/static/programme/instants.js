// Instants, and what the clock of a zone shows then, in milliseconds as if it were that of UTC.

const DAY = 86_400_000;

export const showInstant = (instant, timeZone) =>
    Date.parse(`${new Date(instant).toLocaleString("sv-SE", { timeZone }).replace(" ", "T")}Z`);

/** Return the first instant at which the clock shows that, of two the one after another; undefined if none. */
export function findInstant(shown, timeZone, after = -Infinity) {
    // A day before and a day after, both offsets that there may be are in force.
    const found = [-DAY, DAY].map((away) => 2 * shown + away - showInstant(shown + away, timeZone));
    const [first, last] = found.filter((each) => showInstant(each, timeZone) === shown).sort((a, b) => a - b);
    return first <= after && last > after ? last : first;
}

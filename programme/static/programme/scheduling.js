// The button that saves says when something is published or withdrawn, as soon as a moment is chosen.

import { formatClock, parseClock } from "./timetable/clock.js";

const [day, time] = ["due_day", "due_time"].map((name) => document.querySelector(`[name=${name}]`));
const words = document.querySelector("[data-at]");
const PARTS = [{ weekday: "short" }, { day: "numeric" }, { month: "short" }];

/** Return `Fri 4 Dec 09:00`; '' without a day and a time. */
function formatMoment() {
    const [date, clock] = [day.valueAsDate, parseClock(time.value)];
    const format = (part) =>
        date.toLocaleDateString(document.documentElement.lang, { ...part, timeZone: "UTC" });
    return date && clock !== null
        ? `${PARTS.map(format).join(" ").replaceAll(".", "")} ${formatClock(clock)}`
        : "";
}

function nameMoment() {
    const when = formatMoment();
    words.textContent = when ? words.dataset.at.replace("%(when)s", when) : words.dataset.later;
}

if (words) {
    [day, time].forEach((field) => field.addEventListener("input", nameMoment));
    nameMoment();
}

// The button that saves says when something is published or withdrawn, as soon as a moment is chosen.

import { formatClock, parseClock } from "./timetable/clock.js";

const [day, time] = ["due_day", "due_time"].map((name) => document.querySelector(`[name=${name}]`));
const words = document.querySelector("[data-at]");
const FORMAT = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" };

function nameMoment() {
    const clock = parseClock(time.value);
    const date = day.valueAsDate?.toLocaleDateString(document.documentElement.lang, FORMAT);
    const { at, later } = words.dataset;
    words.textContent =
        date && clock !== null ? at.replace("%(when)s", `${date} ${formatClock(clock)}`) : later;
}

if (words) {
    [day, time].forEach((field) => field.addEventListener("input", nameMoment));
}

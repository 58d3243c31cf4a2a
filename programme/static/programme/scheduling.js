// The button that saves says when something is published or withdrawn, as soon as a moment is chosen.

import { ask } from "./ask.js";

const [day, time] = ["due_day", "due_time"].map((name) => document.querySelector(`[name=${name}]`));
const words = document.querySelector("[data-at]");

async function nameMoment() {
    const typed = { day: day.value, start: time.value };
    const { when } = await ask(time.dataset.times, typed);
    if (day.value === typed.day && time.value === typed.start) {
        words.textContent = when ? words.dataset.at.replace("%(when)s", when) : words.dataset.later;
    }
}

if (words) {
    [day, time].forEach((field) => field.addEventListener("input", nameMoment));
    nameMoment();
}

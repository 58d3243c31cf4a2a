// Moving an occasion by the keyboard, or by the fields of the bar at the foot of the page.

import { HOUR, STEP, clamp, formatClock, roundToStep } from "./clock.js";
import { day, readHeld } from "./day.js";
import { announce, texts } from "./messages.js";
import { put } from "./saving.js";
import { hideShadow, scrollToShadow, showShadow } from "./shadow.js";
import { TimeFields } from "./time-fields.js";

const form = document.getElementById("moving");
const [date, start, end, room] = ["day", "time", "end", "room"].map((name) =>
    document.getElementById(`moving-${name}`),
);

let held = null;
let target = null;

export const isOpen = () => held !== null;

const times = new TimeFields([start, end], (read) => isOpen() && change(read));

export function open(item) {
    if (!item.matches(".movable, .shelved")) {
        announce(texts.fixed);
        return;
    }
    close();
    held = readHeld(item);
    target = { ...held, ...(held.isShelved ? findPlace() : {}) };
    form.hidden = false;
    document.getElementById("moving-title").textContent = held.title;
    start.disabled = held.keepsTime;
    end.disabled = held.isLong;
    // A new occasion is put into the day on the screen.
    date.disabled = held.keepsTime || Boolean(held.event);
    times.clear();
    show();
    announce(`${held.title}. ${held.isShelved ? texts.placing : texts.moving}`);
    if (day.isList || held.isShelved) {
        start.focus();
    }
}

/** Return where something from the shelf would be put: at its own time, if it has one. */
function findPlace() {
    const { minute, column } = day.firstSlot;
    return { day: day.date, minute: held.minute ?? minute, column };
}

function close() {
    form.hidden = true;
    hideShadow();
    held = null;
}

export function cancel() {
    const { item } = held;
    close();
    announce(texts.left);
    (item.querySelector("a") ?? item).focus();
}

export function confirm() {
    const from = held;
    close();
    put(from, target);
}

function show() {
    date.value = target.day;
    times.show(target);
    room.value = target.column;
    showShadow(target);
    scrollToShadow();
}

function change(values) {
    Object.assign(target, values);
    show();
    const label = target.day === day.date ? "" : `${day.dayLabel(target.day)} `;
    const span = target.minutes === held.minutes ? "" : `–${formatClock(target.minute + target.minutes)}`;
    announce(`${label}${formatClock(target.minute)}${span}, ${day.columnLabel(target.column)}`);
}

/** Move it to where somebody points. */
export function point({ minute, column }) {
    change({ column, ...(!start.disabled ? { minute: clamp(day.first, minute, day.last) } : {}) });
}

function moveByMinutes(minutes) {
    return start.disabled ? {} : { minute: clamp(day.first, roundToStep(target.minute + minutes), day.last) };
}

function stretchByMinutes(minutes) {
    return end.disabled ? {} : { minutes: Math.max(STEP, target.minutes + minutes) };
}

/** Return the neighbour of a value in a list, the value itself at its ends. */
function step(values, value, by) {
    return values[clamp(0, values.indexOf(value) + by, values.length - 1)] ?? value;
}

function moveByColumns(by) {
    const keys = day.columns.map((head) => head.dataset.column);
    return { column: step(keys, target.column, by) };
}

function moveByDays(by) {
    return date.disabled ? {} : { day: step(day.days, target.day, by) };
}

/** Move it by a key; return whether that key moves anything. */
export function handleKey({ key, shiftKey }) {
    const minutes = shiftKey ? HOUR : STEP;
    const actions = {
        ArrowUp: () => moveByMinutes(-minutes),
        ArrowDown: () => moveByMinutes(minutes),
        ArrowLeft: () => moveByColumns(-1),
        ArrowRight: () => moveByColumns(1),
        "+": () => stretchByMinutes(STEP),
        "-": () => stretchByMinutes(-STEP),
        PageUp: () => moveByDays(-1),
        PageDown: () => moveByDays(1),
    };
    if (!actions[key]) {
        return false;
    }
    change(actions[key]());
    return true;
}

form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await times.check()) {
        confirm();
    } else {
        times.explain();
    }
});
form.querySelector(".cancel").addEventListener("click", cancel);
for (const [field, name] of [
    [date, "day"],
    [room, "column"],
]) {
    field.addEventListener("change", async () => {
        const { value } = field;
        // A time may have been typed before.
        if (await times.read()) {
            change({ [name]: value });
        }
    });
}

// Moving an occasion by the keyboard, or by the fields of the bar at the foot of the page.

import { DAY, HOUR, STEP, clamp, formatClock, parseClock, roundToStep } from "./clock.js";
import { day, readOccasion } from "./day.js";
import { announce, texts } from "./messages.js";
import { move } from "./saving.js";
import { hideShadow, scrollToShadow, showShadow } from "./shadow.js";

const form = document.getElementById("moving");
const time = document.getElementById("moving-time");
const room = document.getElementById("moving-room");

let occasion = null;
let target = null;

export const isOpen = () => occasion !== null;

export function open(item) {
    if (!item.classList.contains("movable")) {
        announce(texts.fixed);
        return;
    }
    close();
    occasion = readOccasion(item);
    target = { ...occasion };
    form.hidden = false;
    document.getElementById("moving-title").textContent = occasion.title;
    time.disabled = occasion.keepsTime;
    show();
    announce(`${occasion.title}. ${texts.moving}`);
    if (day.isList) {
        time.focus();
    }
}

function close() {
    form.hidden = true;
    hideShadow();
    occasion = null;
}

export function cancel() {
    const { item } = occasion;
    close();
    announce(texts.left);
    item.querySelector("a").focus();
}

export function confirm() {
    const from = occasion;
    close();
    move(from, target);
}

function show() {
    time.value = formatClock(target.minute);
    room.value = target.column;
    showShadow(target);
    scrollToShadow();
}

function announceTarget() {
    announce(`${formatClock(target.minute)}, ${day.columnLabel(target.column)}`);
}

function moveByMinutes(minutes) {
    if (!time.disabled) {
        target.minute = clamp(day.first, roundToStep(target.minute + minutes), day.last);
    }
}

function moveByColumns(columns) {
    const keys = day.columns.map((head) => head.dataset.column);
    const index = clamp(0, keys.indexOf(target.column) + columns, keys.length - 1);
    target.column = keys[index] ?? target.column;
}

/** Move by an arrow key; return whether it was one. */
export function handleArrow({ key, shiftKey }) {
    const minutes = shiftKey ? HOUR : STEP;
    const actions = {
        ArrowUp: () => moveByMinutes(-minutes),
        ArrowDown: () => moveByMinutes(minutes),
        ArrowLeft: () => moveByColumns(-1),
        ArrowRight: () => moveByColumns(1),
    };
    if (!actions[key]) {
        return false;
    }
    actions[key]();
    show();
    announceTarget();
    return true;
}

/** Take over what stands in the fields; return whether it is a time. */
function readFields() {
    target.column = room.value;
    const minute = parseClock(time.value);
    time.setAttribute("aria-invalid", String(minute === null));
    if (minute !== null && !time.disabled) {
        target.minute = minute < day.first ? minute + DAY : minute;
    }
    return minute !== null;
}

form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (readFields()) {
        confirm();
    } else {
        announce(texts.clock);
        time.focus();
    }
});
form.querySelector(".cancel").addEventListener("click", cancel);
for (const field of [time, room]) {
    field.addEventListener("change", () => {
        if (readFields()) {
            show();
            announceTarget();
        } else {
            announce(texts.clock);
        }
    });
}

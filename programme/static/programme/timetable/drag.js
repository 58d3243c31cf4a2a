// Moving, stretching and drawing occasions by mouse, or by a finger on a handle.

import * as adding from "./adding.js";
import { STEP, clamp, roundToStep } from "./clock.js";
import { day, readHeld } from "./day.js";
import { announce, texts } from "./messages.js";
import * as moveBar from "./move-bar.js";
import { isBusy, put } from "./saving.js";
import { hideShadow, showShadow } from "./shadow.js";

// Pixels: less is a click; so near an edge the table scrolls, so far at a time.
const CLICK = 4;
const EDGE = 40;
const SCROLL = 12;
// A click in an empty slot means the quarter of an hour.
const QUARTER = 15;

const toQuarter = (minute) => Math.floor(minute / QUARTER) * QUARTER;

let held = null;
let target = null;
let origin = null;
let last = null;
// What the pointer does with what is held, one of `followers`, and the minute at which it took hold.
let mode = "";
let grabbed = 0;

/** Return whether nothing takes place where the pointer is. */
export const isEmptySlot = (event) => event.target.matches?.(".body > ol") && !day.isList;

/** Return where the pointer is, as a slot. */
export function readSlot({ clientX, clientY }) {
    return { minute: toQuarter(day.minuteAt(clientY)), column: day.columnAt(clientX) ?? "none" };
}

/** A finger scrolls, unless it takes a handle; a mouse takes hold of the whole occasion, or draws one. */
function chooseMode(event) {
    const isMouse = event.pointerType === "mouse";
    const find = (selector) => event.target.closest(selector);
    if (find(".movable .stretcher")) {
        return "stretch";
    }
    if (find(".movable .mover") || (isMouse && find(".occasion.movable"))) {
        return "move";
    }
    if (isMouse && find(".shelved")) {
        return "place";
    }
    return isMouse && isEmptySlot(event) && adding.canAdd() ? "draw" : "";
}

function take(event) {
    if (event.button !== 0 || isBusy() || moveBar.isOpen() || day.isList) {
        return;
    }
    mode = chooseMode(event);
    if (mode) {
        origin = event;
        grabbed = day.minuteAt(event.clientY);
        held = mode === "draw" ? readSlot(event) : readHeld(event.target.closest(".occasion, .shelved"));
    }
}

function drag(event) {
    if (!held) {
        return;
    }
    last = event;
    if (!target && Math.hypot(event.clientX - origin.clientX, event.clientY - origin.clientY) > CLICK) {
        target = { ...held };
        document.body.classList.add("dragging");
        scrollAtEdges();
    }
    if (target) {
        event.preventDefault();
        follow(event);
    }
}

const followers = {
    move(event) {
        const tab = document.elementFromPoint(event.clientX, event.clientY)?.closest(".days li");
        showTab(held.keepsTime ? null : tab);
        if (tab && !held.keepsTime) {
            // At the same time and place of that day.
            Object.assign(target, { ...held, day: tab.dataset.day });
            return;
        }
        target.day = held.day;
        if (!held.keepsTime) {
            const minute = roundToStep(held.minute + day.minuteAt(event.clientY) - grabbed);
            target.minute = clampMinute(minute);
        }
        target.column = day.columnAt(event.clientX) ?? target.column;
    },
    stretch(event) {
        const minutes = roundToStep(held.minutes + day.minuteAt(event.clientY) - grabbed);
        target.minutes = Math.max(STEP, minutes);
    },
    place(event) {
        const box = day.scroller.getBoundingClientRect();
        const isInside = box.top < event.clientY && box.left < event.clientX && event.clientX < box.right;
        Object.assign(target, {
            // Elsewhere it would stay on the shelf.
            day: isInside ? day.date : held.day,
            minute: isInside ? clampMinute(toQuarter(day.minuteAt(event.clientY))) : held.minute,
            column: isInside ? (day.columnAt(event.clientX) ?? target.column) : held.column,
        });
    },
    draw(event) {
        const minute = roundToStep(day.minuteAt(event.clientY));
        target.minute = Math.min(held.minute, minute);
        target.minutes = Math.max(QUARTER, Math.abs(minute - held.minute));
    },
};

function clampMinute(minute) {
    return clamp(Math.max(day.first, day.begins), minute, Math.min(day.last, day.ends - STEP));
}

function follow(event) {
    followers[mode](event);
    if (mode === "place" && target.day !== day.date) {
        hideShadow();
    } else {
        showShadow(target);
    }
}

function showTab(tab) {
    for (const each of document.querySelectorAll(".days li.target")) {
        each.classList.remove("target");
    }
    tab?.classList.add("target");
}

/** Scroll while the pointer is near an edge of the table. */
function scrollAtEdges() {
    if (!target) {
        return;
    }
    const box = day.scroller.getBoundingClientRect();
    // The hours and the heads cover that much of the table.
    const left = box.left + day.body.querySelector(".side").offsetWidth;
    const top = box.top + day.root.querySelector(".heads").offsetHeight;
    const x = scrollStep(left, origin.clientX, last.clientX, box.right);
    const y = scrollStep(top, origin.clientY, last.clientY, Math.min(box.bottom, window.innerHeight));
    // Above the table are the tabs.
    if ((x || y) && box.top < last.clientY) {
        day.scroller.scrollBy(mode === "stretch" ? 0 : x, y);
        follow(last);
    }
    window.requestAnimationFrame(scrollAtEdges);
}

/** What was taken hold of near an edge does not scroll before it is moved towards that edge. */
function scrollStep(low, from, at, high) {
    if (at < low + EDGE && at < from) {
        return -SCROLL;
    }
    return at > high - EDGE && at > from ? SCROLL : 0;
}

function stop() {
    held = target = null;
    document.body.classList.remove("dragging");
    showTab(null);
}

function cancel() {
    stop();
    hideShadow();
}

function drop() {
    const [from, to] = [held, target];
    stop();
    if (!to) {
        return;
    }
    // The click that follows does not open the form.
    const prevent = (event) => event.preventDefault();
    window.addEventListener("click", prevent, { capture: true });
    window.setTimeout(() => window.removeEventListener("click", prevent, { capture: true }), 0);
    if (mode === "draw") {
        hideShadow();
        adding.open(to);
    } else if (mode === "place" && to.day !== day.date) {
        announce(texts.left);
    } else {
        put(from, to);
    }
}

function cancelByKey(event) {
    if (target && event.key === "Escape") {
        cancel();
        announce(texts.left);
        event.stopImmediatePropagation();
    }
}

export function listenForDrags() {
    document.addEventListener("pointerdown", take);
    document.addEventListener("pointermove", drag);
    document.addEventListener("pointerup", drop);
    document.addEventListener("pointercancel", cancel);
    document.addEventListener("keydown", cancelByKey, { capture: true });
}

// Moving an occasion by mouse, or by a finger on its handle.

import { STEP, clamp, roundToStep } from "./clock.js";
import { day, readOccasion } from "./day.js";
import { announce, texts } from "./messages.js";
import * as moveBar from "./move-bar.js";
import { isBusy, move } from "./saving.js";
import { hideShadow, showShadow } from "./shadow.js";

// Pixels: less is a click; so near an edge the table scrolls, so far at a time.
const CLICK = 4;
const EDGE = 40;
const SCROLL = 12;
// The heads and the hours cover so much of the table.
const COVERED = 56;

let occasion = null;
let target = null;
let origin = null;
let last = null;
// The minute under the pointer when it took hold.
let grabbed = 0;

const minuteAt = (event) => day.toMinutes(event.clientY - day.body.getBoundingClientRect().top);

/** A finger scrolls, unless it takes the handle; a mouse takes hold of the whole occasion. */
function take(event) {
    const item = event.target.closest(".occasion.movable");
    const canDrag = event.pointerType === "mouse" || event.target.closest(".mover");
    if (item && canDrag && event.button === 0 && !isBusy() && !moveBar.isOpen() && !day.isList) {
        occasion = readOccasion(item);
        origin = event;
        grabbed = minuteAt(event);
    }
}

function drag(event) {
    if (!occasion) {
        return;
    }
    last = event;
    if (!target && Math.hypot(event.clientX - origin.clientX, event.clientY - origin.clientY) > CLICK) {
        target = { ...occasion };
        document.body.classList.add("dragging");
        scrollAtEdges();
    }
    if (target) {
        event.preventDefault();
        follow(event);
    }
}

function follow(event) {
    if (!occasion.isLong && !occasion.keepsTime) {
        const minute = roundToStep(occasion.minute + minuteAt(event) - grabbed);
        target.minute = clamp(Math.max(day.first, day.begins), minute, Math.min(day.last, day.ends - STEP));
    }
    const column = day.columns.find((head) => {
        const box = head.getBoundingClientRect();
        return box.left <= event.clientX && event.clientX < box.right;
    });
    target.column = column?.dataset.column ?? target.column;
    showShadow(target);
}

/** Scroll while the pointer is near an edge of the table. */
function scrollAtEdges() {
    if (!target) {
        return;
    }
    const box = day.scroller.getBoundingClientRect();
    const x = scrollStep(box.left, origin.clientX, last.clientX, box.right);
    const y = scrollStep(box.top, origin.clientY, last.clientY, Math.min(box.bottom, window.innerHeight));
    if (x || y) {
        day.scroller.scrollBy(x, occasion.isLong ? 0 : y);
        follow(last);
    }
    window.requestAnimationFrame(scrollAtEdges);
}

/** What was taken hold of near an edge does not scroll before it is moved towards that edge. */
function scrollStep(low, from, at, high) {
    if (at < low + COVERED + EDGE && at < from) {
        return -SCROLL;
    }
    return at > high - EDGE && at > from ? SCROLL : 0;
}

function stop() {
    occasion = target = null;
    document.body.classList.remove("dragging");
}

function cancel() {
    stop();
    hideShadow();
}

function drop() {
    const [from, to] = [occasion, target];
    stop();
    if (to) {
        // The click that follows does not open the form.
        const prevent = (event) => event.preventDefault();
        window.addEventListener("click", prevent, { capture: true });
        window.setTimeout(() => window.removeEventListener("click", prevent, { capture: true }), 0);
        move(from, to);
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

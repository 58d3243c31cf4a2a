// The timetable: occasions are added, moved and stretched, by mouse, finger or keyboard, with undo.
// Without this script the page can be read, and each occasion leads to its form.

import * as adding from "./adding.js";
import { day } from "./day.js";
import { isEmptySlot, listenForDrags, readSlot } from "./drag.js";
import * as moveBar from "./move-bar.js";
import { listenForNews } from "./news.js";
import { scrollToStart } from "./position.js";
import { isBusy, undo } from "./saving.js";

const TOOLTIP_PARTS = [".when", "strong", ".where", ".with", ".planned"];

/** What is chosen by its handle, or on the shelf, gets the fields of the bar; one after the other may be. */
function openMoveBar(event) {
    const item = event.target.closest(".mover")?.closest(".occasion") ?? event.target.closest(".shelved");
    if (item && !isBusy() && !event.defaultPrevented) {
        moveBar.open(item);
        if (!day.isList) {
            item.querySelector("a")?.focus({ preventScroll: true });
        }
    }
}

/** An empty slot is where to put what the bar is about; otherwise something new. */
function useSlot(event) {
    if (!isEmptySlot(event) || event.defaultPrevented) {
        return;
    }
    if (moveBar.isOpen()) {
        moveBar.point(readSlot(event));
    } else {
        adding.open(readSlot(event));
    }
}

/** Give an occasion its tooltip when the pointer first comes over it: a day has thousands. */
function addTooltip(event) {
    const link = event.target.closest?.(".occasion > a:not([title])");
    if (link) {
        const parts = TOOLTIP_PARTS.map((part) => link.querySelector(part)?.textContent.trim());
        link.title = parts.filter(Boolean).join("\n");
    }
}

/** Act on a key, by which M moves an occasion, others say where to, and Ctrl+Z undoes; return whether it meant anything. */
function handleKey(event) {
    const item = event.target.closest(".occasion");
    const key = event.key.toLowerCase();
    const hasCommand = event.ctrlKey || event.metaKey;
    if (moveBar.isOpen() && key === "escape") {
        moveBar.cancel();
    } else if (moveBar.isOpen() && item && key === "enter") {
        moveBar.confirm();
    } else if (moveBar.isOpen() && item && !hasCommand && moveBar.handleKey(event)) {
        // It has moved.
    } else if (item && !moveBar.isOpen() && !isBusy() && key === "m" && !hasCommand && !event.altKey) {
        moveBar.open(item);
    } else if (hasCommand && !event.shiftKey && key === "z" && !event.target.value) {
        // In a field what was typed is undone.
        undo();
    } else {
        return false;
    }
    return true;
}

listenForDrags();
document.querySelector("#move-status button").addEventListener("click", undo);
listenForNews();
adding.listenForAdding();
document.addEventListener("click", openMoveBar);
document.addEventListener("click", useSlot);
document.addEventListener("keydown", (event) => {
    if (!document.querySelector("dialog[open]") && handleKey(event)) {
        event.preventDefault();
    }
});
document.addEventListener("pointerover", addTooltip);
document.querySelector(".choices").addEventListener("change", (event) => event.currentTarget.requestSubmit());
day.prepare();
scrollToStart();

// The keys of the timetable: M moves an occasion, others say where to, Ctrl+Z undoes.

import * as moveBar from "./move-bar.js";
import { isBusy, undo } from "./saving.js";

const isTyping = (target) => target.closest("input, select, textarea") !== null;

/** Act on a key; return whether it meant anything. */
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
    } else if (hasCommand && !event.shiftKey && key === "z" && !isTyping(event.target)) {
        undo();
    } else {
        return false;
    }
    return true;
}

export function listenForKeys() {
    document.addEventListener("keydown", (event) => {
        if (!document.querySelector("dialog[open]") && handleKey(event)) {
            event.preventDefault();
        }
    });
}

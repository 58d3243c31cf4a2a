// The timetable: occasions are added, moved and stretched, by mouse, finger or keyboard, with undo.
// Without this script the page can be read, and each occasion leads to its form.

import * as adding from "./adding.js";
import { day } from "./day.js";
import { isEmptySlot, listenForDrags, readSlot } from "./drag.js";
import { listenForKeys } from "./keyboard.js";
import { onUndo } from "./messages.js";
import * as moveBar from "./move-bar.js";
import { listenForNews } from "./news.js";
import { scrollToStart } from "./position.js";
import { isBusy, undo } from "./saving.js";

const TOOLTIP_PARTS = [".when", "strong", ".where", ".with", ".planned"];

function openMoveBar(event) {
    const item = event.target.closest(".mover")?.closest(".occasion");
    if (item && !isBusy()) {
        moveBar.open(item);
        if (!day.isList) {
            item.querySelector("a").focus({ preventScroll: true });
        }
    }
}

/** What is chosen on the shelf gets the fields of the bar; one after the other may be. */
function openShelved(event) {
    const item = event.target.closest(".shelved");
    if (item && !isBusy() && !event.defaultPrevented) {
        moveBar.open(item);
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

listenForDrags();
listenForKeys();
onUndo(undo);
listenForNews();
adding.listenForAdding();
for (const act of [openMoveBar, openShelved, useSlot]) {
    document.addEventListener("click", act);
}
document.addEventListener("pointerover", addTooltip);
document.querySelector(".choices").addEventListener("change", (event) => event.currentTarget.requestSubmit());
day.prepare();
scrollToStart();

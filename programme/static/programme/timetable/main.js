// The timetable: occasions are dragged, or moved by the keyboard, to another time or room, with undo.
// Without this script the page can be read, and each occasion leads to its form.

import { day } from "./day.js";
import { listenForDrags } from "./drag.js";
import { listenForKeys } from "./keyboard.js";
import { onUndo } from "./messages.js";
import * as moveBar from "./move-bar.js";
import { listenForNews } from "./news.js";
import { scrollToStart } from "./position.js";
import { isBusy, undo } from "./saving.js";

const TOOLTIP_PARTS = [".when", "strong", ".where", ".with"];

function openMoveBar(event) {
    const item = event.target.closest(".mover")?.closest(".occasion");
    if (item && !isBusy()) {
        moveBar.open(item);
        if (!day.isList) {
            item.querySelector("a").focus({ preventScroll: true });
        }
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
document.addEventListener("click", openMoveBar);
document.addEventListener("pointerover", addTooltip);
document.querySelector(".choices").addEventListener("change", (event) => event.currentTarget.requestSubmit());
day.prepare();
scrollToStart();

// Saving a move, and undoing it.

import { day } from "./day.js";
import { announce, showStatus, texts } from "./messages.js";
import { hideNews, offerNews } from "./news.js";
import { post } from "./request.js";
import { hideShadow } from "./shadow.js";

const moves = [];
let isSaving = false;

export const isBusy = () => isSaving;

/** Save a move or undo one; the day on the screen is then as the server has it. */
async function save(fields) {
    isSaving = true;
    showStatus(texts.saving);
    hideNews();
    try {
        const [isSaved, answer] = await post(fields);
        if (!answer) {
            showStatus(texts.out, { refused: true });
            return;
        }
        day.replace(answer.html);
        if (fields.undo) {
            moves.pop();
        } else if (isSaved) {
            moves.push({ occasion: answer.occasion, seen: answer.seen, undo: answer.undo });
        }
        showStatus(answer.message, { refused: !isSaved, undo: moves.length > 0 });
        if (isSaved) {
            offerNews(answer, { isUndone: Boolean(fields.undo) });
        }
        highlight(day.findOccasion(fields.occasion));
    } catch {
        showStatus(texts.away, { refused: true, undo: moves.length > 0 });
    } finally {
        isSaving = false;
        hideShadow();
    }
}

/** Draw the eye, and the keyboard, to what was moved. */
function highlight(item) {
    if (item) {
        item.classList.add("moved");
        item.scrollIntoView({ block: "nearest", inline: "nearest" });
        item.querySelector("a").focus({ preventScroll: true });
    }
}

/** Save an occasion at a target, if that is another time or another column. */
export function move(occasion, target) {
    const changes = ["minute", "column"].filter((name) => target[name] !== occasion[name]);
    if (changes.length) {
        const fields = Object.fromEntries(changes.map((name) => [name, target[name]]));
        save({ occasion: occasion.id, seen: occasion.seen, ...fields });
    } else {
        hideShadow();
        announce(texts.left);
    }
}

export function undo() {
    if (isSaving) {
        return;
    }
    if (moves.length) {
        save(moves.at(-1));
    } else {
        announce(texts.nothing);
    }
}

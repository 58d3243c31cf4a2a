// News for readers about the last move, offered below its message.

import { day } from "./day.js";
import { showStatus, texts } from "./messages.js";
import { post } from "./request.js";

const form = document.getElementById("move-news");
const { tell, note } = form.elements;
// The first move of an occasion since readers were told of it: from the start that they know.
let untold = null;

export function hideNews() {
    form.hidden = true;
}

/** Offer news about an occasion that readers know; where a move was undone, to remove what is there. */
export function offerNews({ occasion, seen, undo, news }, { isUndone }) {
    const clear = [...tell.options].find((option) => option.value === "clear");
    clear.hidden = clear.disabled = !news.clear;
    Object.assign(form.elements.occasion, { value: occasion });
    Object.assign(form.elements.seen, { value: seen });
    if (untold?.occasion !== occasion) {
        untold = isUndone ? null : { occasion, undo };
    }
    Object.assign(form.elements.move, { value: untold?.undo ?? "" });
    tell.value = isUndone && news.clear ? "clear" : "occasions";
    note.value = "";
    form.hidden = !news.tell;
}

async function send(event) {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form));
    try {
        const [isSaved, answer] = await post(fields);
        if (answer?.html) {
            day.replace(answer.html);
        }
        showStatus(answer?.message ?? texts.out, { refused: !isSaved || !answer, undo: true });
        form.hidden = isSaved && answer !== null;
        untold = form.hidden ? null : untold;
    } catch {
        showStatus(texts.away, { refused: true, undo: true });
    }
}

export function listenForNews() {
    form.addEventListener("submit", send);
}

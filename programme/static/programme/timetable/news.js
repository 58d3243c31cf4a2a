// News for readers about the last edit, offered below its message.

import { day } from "./day.js";
import { showStatus, texts } from "./messages.js";
import { post } from "./request.js";

const form = document.getElementById("move-news");
const { tell, note, note_en: english } = form.elements;
// The first edit of an occasion that has not been announced: before it is the start that readers know.
let unannounced = null;

export function hideNews() {
    form.hidden = true;
}

/** Offer news about an occasion that readers know; where an edit was undone, to remove what is there. */
export function offerNews({ occasion, seen, undo, news }, { isUndone }) {
    const clear = [...tell.options].find((option) => option.value === "clear");
    clear.hidden = clear.disabled = !news.clear;
    Object.assign(form.elements.occasion, { value: occasion });
    Object.assign(form.elements.seen, { value: seen });
    if (unannounced?.occasion !== occasion) {
        unannounced = isUndone ? null : { occasion, undo };
    }
    Object.assign(form.elements.move, { value: unannounced?.undo ?? "" });
    tell.value = isUndone && news.clear ? "clear" : "occasions";
    note.value = english.value = "";
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
        unannounced = form.hidden ? null : unannounced;
    } catch {
        showStatus(texts.away, { refused: true, undo: true });
    }
}

export function listenForNews() {
    form.addEventListener("submit", send);
}

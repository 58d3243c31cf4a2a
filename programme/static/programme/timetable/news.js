// News for readers of moves: told at once, taken back in the message, and then not told until the page is left.

import { day } from "./day.js";
import { showStatus, texts } from "./messages.js";
import { post } from "./request.js";

const form = document.getElementById("move-news");
const { note, note_en: english } = form.elements;
const quiet = document.getElementById("move-quiet");
/** The last move, if it is news: as the server answered. */
let last = null;
// The first move of its occasion that readers do not know of: before it is what they know.
let untold = null;

export const isQuiet = () => !quiet.hidden;

export function hideNews() {
    last = null;
    form.hidden = true;
}

/** Offer to take back the news of a move, or to say why; keep in mind what readers do not know. */
export function offerNews(answer) {
    last = answer.news ? answer : null;
    form.hidden = !answer.told;
    note.value = english.value = "";
    if (answer.told || untold?.occasion !== answer.occasion) {
        untold = last && !answer.told ? last : null;
    }
}

/** Let those who have a keyboard at hand type why, if readers are told. */
export const askWhy = () => form.hidden || note.focus({ preventScroll: true });

async function send(tell, move, words = {}) {
    const { occasion, seen } = last;
    try {
        const [isSaved, answer] = await post({ occasion, seen, move, tell, ...words });
        if (answer?.html) {
            day.replace(answer.html);
        }
        showStatus(answer?.message ?? texts.out, { refused: !isSaved || !answer, undo: true });
        return isSaved && answer !== null;
    } catch {
        showStatus(texts.away, { refused: true, undo: true });
        return false;
    }
}

async function takeBack() {
    if (await send("no", last.undo)) {
        untold ??= last;
        form.hidden = true;
        quiet.hidden = false;
    }
}

async function tellAgain() {
    quiet.hidden = true;
    if (last && untold && (await send("yes", untold.undo))) {
        form.hidden = false;
        untold = null;
    }
}

async function sayWhy(event) {
    event.preventDefault();
    form.hidden = await send("yes", last.undo, { note: note.value, note_en: english.value });
}

export function listenForNews() {
    form.addEventListener("submit", sayWhy);
    form.querySelector("[type=button]").addEventListener("click", takeBack);
    quiet.querySelector("button").addEventListener("click", tellAgain);
}

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
// Whether a finger did the last thing: a field with the focus would call up the keyboard of its screen.
let isTouched = false;

export const isQuiet = () => !quiet.hidden;

export function hideNews() {
    form.hidden = true;
}

/** Offer to take back the news of a move, or to say why; keep in mind what readers do not know. */
export function offerNews(answer) {
    // What is half typed is of this occasion, if it is moved once more.
    if (last?.occasion !== answer.occasion) {
        form.reset();
    }
    last = answer.news ? answer : null;
    form.hidden = !answer.told;
    if (answer.told || untold?.occasion !== answer.occasion) {
        untold = last && !answer.told ? last : null;
    }
}

/** Let those who have a keyboard at hand type why; return whether that is asked. */
export function askWhy() {
    const isAsked = !form.hidden && !isTouched;
    if (isAsked) {
        note.focus({ preventScroll: true });
    }
    return isAsked;
}

const goToMoved = () => day.findOccasion(last?.occasion)?.querySelector("a").focus({ preventScroll: true });

async function send(tell, move, words = {}) {
    const { occasion, seen } = last;
    const isHidden = form.hidden;
    // Once, however often it is pressed.
    form.hidden = true;
    try {
        const [isSaved, answer] = await post({ occasion, seen, move, tell, ...words });
        if (answer?.html) {
            day.replace(answer.html);
        }
        showStatus(answer?.message ?? texts.out, { refused: !isSaved || !answer, undo: true });
        if (isSaved && answer) {
            // What was pressed is there no more.
            goToMoved();
            return true;
        }
    } catch {
        showStatus(texts.away, { refused: true, undo: true });
    }
    form.hidden = isHidden;
    askWhy();
    return false;
}

async function takeBack() {
    if (await send("no", last.undo)) {
        untold ??= last;
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
    if (await send("yes", last.undo, { note: note.value, note_en: english.value })) {
        form.reset();
    }
}

export function listenForNews() {
    for (const kind of ["pointerdown", "keydown"]) {
        document.addEventListener(kind, (event) => (isTouched = event.pointerType === "touch"), {
            capture: true,
        });
    }
    form.addEventListener("keydown", ({ key }) => key === "Escape" && goToMoved());
    form.addEventListener("submit", sayWhy);
    form.querySelector("[type=button]").addEventListener("click", takeBack);
    quiet.querySelector("button").addEventListener("click", tellAgain);
}

// Saving what was moved or added, and undoing it.

import { day } from "./day.js";
import { announce, showStatus, texts } from "./messages.js";
import { askWhy, hideNews, isQuiet, offerNews } from "./news.js";
import { post } from "./request.js";
import { hideShadow } from "./shadow.js";

// The edits of this page that can be undone, the latest last.
const edits = [];
let isSaving = false;

export const isBusy = () => isSaving;

/** Save something, or undo it, and show the day as the server has it; return why that was refused, or ''. */
export async function save(fields) {
    isSaving = true;
    showStatus(texts.saving);
    hideNews();
    try {
        const [isSaved, answer] = await post(fields);
        if (!answer) {
            showStatus(texts.out, { refused: true, link: { text: texts.enter, href: window.location.href } });
            return texts.out;
        }
        if (answer.sure && window.confirm(answer.message)) {
            return await save({ ...fields, [answer.sure]: "1" });
        }
        show(fields, answer, isSaved);
        return isSaved ? "" : answer.message;
    } catch {
        showStatus(texts.away, { refused: true, undo: edits.length > 0 });
        return texts.away;
    } finally {
        isSaving = false;
        hideShadow();
    }
}

function show(fields, answer, isSaved) {
    day.replace(answer.html);
    if (isSaved) {
        document.getElementById("adding")?.close();
        day.replaceTabs(answer.tabs);
        countEdit(fields, answer.undo);
    }
    const { clashes: warned, link } = answer;
    showStatus(answer.message, { refused: !isSaved, warned, undo: edits.length > 0, link });
    if (isSaved) {
        offerNews(answer);
    }
    if (!document.querySelector("dialog[open]")) {
        highlight(day.findOccasion(answer.occasion ?? fields.occasion));
    }
}

function countEdit(fields, edit) {
    if (fields.undo) {
        edits.pop();
    } else if (edit) {
        edits.push(edit);
    }
}

/** Draw the eye to what was moved, and the keyboard to it or to the field that asks why. */
function highlight(item) {
    item?.classList.add("moved");
    item?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (!askWhy()) {
        (item?.querySelector("a") ?? day.scroller)?.focus({ preventScroll: true });
    }
}

/** Save what was held at a target, if that is another day, time, length or column; return the promise of it. */
export function put(held, target) {
    const changed = ["day", "minute", "minutes", "column"].filter((name) => target[name] !== held[name]);
    if (!changed.length) {
        hideShadow();
        announce(texts.left);
        return null;
    }
    // On another day it may be at the same minute; what was on the shelf gets all of it.
    const names = held.event ? ["minute", "minutes", "column"] : changed;
    const sent = names.includes("day") ? new Set([...names, "minute"]) : names;
    const fields = Object.fromEntries([...sent].map((name) => [name, target[name]]));
    const tell = isQuiet() ? { tell: "no" } : {};
    return save(
        held.event
            ? { event: held.event, ...fields }
            : { occasion: held.id, seen: held.seen, ...fields, ...tell },
    );
}

export function undo() {
    if (isSaving) {
        return;
    }
    if (edits.length) {
        save({ undo: edits.at(-1) });
    } else {
        announce(texts.nothing);
    }
}

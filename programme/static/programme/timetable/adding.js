// The dialog that creates an occasion: of an event that is found by typing, or of a new draft.

import { Combobox } from "./combobox.js";
import { signInAgain } from "../session.js";
import { day } from "./day.js";
import { texts } from "./messages.js";
import { isBusy, save } from "./saving.js";
import { TimeFields } from "./time-fields.js";

const dialog = document.getElementById("adding");
const input = document.getElementById("adding-event");
const area = document.getElementById("adding-area");
const room = document.getElementById("adding-room");
const refusal = dialog?.querySelector(".refusal");
const DEFAULT_MINUTES = 60;

let combobox = null;
let times = null;
let chosen = null;

export const canAdd = () => dialog !== null;

/** Open the dialog for a slot: a minute and a column, with a length if one was drawn. */
export function open(slot) {
    if (!canAdd() || isBusy()) {
        return;
    }
    combobox.reset();
    showRefusal("");
    times.show({ minutes: DEFAULT_MINUTES, ...slot });
    room.value = slot.column;
    const usual = day.findColumn(slot.column)?.dataset.area;
    if (area && usual && area.querySelector(`[value="${usual}"]`)) {
        area.value = usual;
    }
    dialog.showModal();
}

function showRefusal(text) {
    refusal.textContent = text;
    refusal.hidden = !text;
}

async function findEvents(text) {
    const query = new URLSearchParams({
        ...{ app_label: "programme", model_name: "occasion", field_name: "event" },
        term: text,
    });
    const response = await fetch(`${input.dataset.search}?${query}`).catch(() => null);
    if (response?.redirected && (await signInAgain())) {
        input.focus();
        return findEvents(text);
    }
    if (!response?.ok || response.redirected) {
        // Whether there is such an event is not known.
        return [];
    }
    const found = (await response.json()).results;
    const events = found.map((event) => ({ id: event.id, text: event.text, label: event.text }));
    const draft = { id: "", text, label: texts.draft.replace("%(title)s", () => text) };
    return area ? [...events, draft] : events;
}

function choose(option) {
    chosen = option?.id ? option : null;
    if (area) {
        area.closest(".choice").hidden = chosen !== null || !input.value.trim();
    }
}

/** Return what is submitted; null if there is nothing to submit yet. */
async function readFields() {
    const title = input.value.trim();
    if (!chosen && (!area || !title)) {
        showRefusal(texts.untitled);
        input.focus();
        return null;
    }
    if (!(await times.check())) {
        showRefusal(times.refusal);
        return null;
    }
    const event = chosen ? { event: chosen.id } : { title, area: area.value };
    return { ...event, minute: times.minute, minutes: times.minutes, column: room.value };
}

async function submit(event) {
    event.preventDefault();
    const fields = isBusy() ? null : await readFields();
    if (fields) {
        showRefusal("");
        showRefusal(await save(fields));
    }
}

export function listenForAdding() {
    if (!canAdd()) {
        return;
    }
    combobox = new Combobox(input, document.getElementById("adding-found"), {
        find: findEvents,
        onChange: choose,
    });
    const [start, end] = ["adding-time", "adding-end"].map((id) => document.getElementById(id));
    times = new TimeFields(start, end, () => showRefusal(""));
    dialog.querySelector("form").addEventListener("submit", submit);
    dialog.querySelector(".cancel").addEventListener("click", () => dialog.close());
    const button = document.getElementById("add");
    button.hidden = false;
    button.addEventListener("click", () => open(day.firstSlot));
}

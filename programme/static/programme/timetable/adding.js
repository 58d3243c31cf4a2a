// The dialog that creates an occasion: of an event that is found by typing, or of a new draft.

import { ask } from "../ask.js";
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
// IDs of the events that were found, by the texts that are offered.
const events = new Map();

let times = null;
let search = null;

export const canAdd = () => dialog !== null;

/** Open the dialog for a slot: a minute and a column, with a length if one was drawn. */
export function open(slot) {
    if (!canAdd() || isBusy()) {
        return;
    }
    input.value = "";
    showArea();
    showRefusal("");
    times.clear();
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

/** Offer the events that have what is typed; without an answer nobody knows whether there are any. */
async function findEvents() {
    const asked = { app_label: "programme", model_name: "occasion", field_name: "event", term: input.value };
    const { results: found } = await ask(input.dataset.search, asked);
    if (found) {
        found.forEach(({ id, text }) => events.set(text, id));
        // A later question may have been answered before.
        if (asked.term === input.value) {
            input.list.replaceChildren(...found.map(({ text }) => new Option(text)));
        }
        showArea();
    }
}

const findChosen = () => events.get(input.value.trim());

/** Only a new draft needs an area. */
function showArea() {
    if (area) {
        area.closest(".choice").hidden = Boolean(findChosen()) || !input.value.trim();
    }
}

/** Return what is submitted; null if there is nothing to submit yet. */
async function readFields() {
    await search;
    const [title, chosen] = [input.value.trim(), findChosen()];
    if (!chosen && (!area || !title)) {
        showRefusal(texts.untitled);
        input.focus();
        return null;
    }
    if (!(await times.check())) {
        showRefusal(times.refusal);
        return null;
    }
    const event = chosen ? { event: chosen } : { title, area: area.value };
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
    input.addEventListener("input", () => {
        showArea();
        search = findEvents();
    });
    const fields = ["adding-time", "adding-end"].map((id) => document.getElementById(id));
    times = new TimeFields(fields, () => showRefusal(""));
    dialog.querySelector("form").addEventListener("submit", submit);
    dialog.querySelector(".cancel").addEventListener("click", () => dialog.close());
    const button = document.getElementById("add");
    button.hidden = false;
    button.addEventListener("click", () => open(day.firstSlot));
}

// Rows of a list are edited in their place: Enter saves, Escape leaves a row as it was, arrow keys go to the next.

import { nameChoices } from "./named-fields.js";
import { prepare } from "./places.js";
import { signInAgain } from "./session.js";

const form = document.getElementById("row-form");
const status = document.getElementById("row-status");
const list = document.getElementById("result_list");

/** The row that is open: its row in the list, the one with its form, and what was in that. */
let open = null;
let isBusy = false;

const serialize = () => JSON.stringify([...new FormData(form)]);
const isChanged = () => open !== null && serialize() !== open.initial;
const findButtons = () => [...list.querySelectorAll("button.edit-row")];
const findButton = (address) => findButtons().find((button) => button.dataset.address === address);

function paragraph(text) {
    const line = document.createElement("p");
    line.textContent = text;
    return line;
}

function say(text) {
    status.replaceChildren(paragraph(text));
}

/** Return the response, null where there is none that means anything; says why. `build` returns what is sent. */
async function ask(address, build = () => ({}), isRepeated = false) {
    let response = null;
    // What was sent may have been saved although no answer came.
    const lost = build().method ? status.dataset.unsure : status.dataset.away;
    try {
        response = await fetch(address, build());
    } catch {
        say(lost);
        return null;
    }
    const isRefused = response.redirected || response.status === 403;
    if (isRefused && !isRepeated && (await signInAgain())) {
        return ask(address, build, true);
    }
    if (response.redirected) {
        say(status.dataset.out);
    } else if (response.status === 403) {
        say(status.dataset.refused);
    } else if (response.status === 410) {
        say(await response.text());
    } else if (response.status >= 500) {
        say(lost);
    } else {
        return response;
    }
    return null;
}

// --- Opening and closing ---------------------------------------------------------------------------

/** Show the form of a row, which the server has written. */
function fill(html) {
    const cell = open.editor.cells[0];
    cell.innerHTML = html;
    const $ = window.django.jQuery;
    $(cell).find(".admin-autocomplete").djangoAdminSelect2();
    prepare(cell);
    nameChoices(cell);
    const wrong = cell.querySelector(".field.errors :is(input, select)");
    // Not the day: what is typed there by mistake moves the occasion out of sight.
    const first = cell.querySelector("input[name$=start_time]") ?? cell.querySelector("input, select");
    (wrong ?? first).focus();
    // Typing replaces it, as after Tab.
    (wrong ?? first).select?.();
    (wrong ?? cell).scrollIntoView({ block: "nearest" });
}

async function openRow(button) {
    const { address } = button.dataset;
    if (isBusy || (isChanged() && !(await save()))) {
        return;
    }
    close();
    const response = await ask(address);
    // Saving has replaced the button.
    const row = findButton(address)?.closest("tr");
    if (!response || !row) {
        return;
    }
    const editor = document.createElement("tr");
    editor.className = "row-editing";
    editor.insertCell().colSpan = row.cells.length;
    row.after(editor);
    row.hidden = true;
    open = { address, row, editor, initial: "" };
    status.replaceChildren();
    fill(await response.text());
    open.initial = serialize();
}

function close() {
    if (open) {
        const { address, row, editor } = open;
        open = null;
        row.hidden = false;
        editor.remove();
        findButton(address)?.focus();
    }
}

// --- Saving ----------------------------------------------------------------------------------------

/** Save the open row; return whether it is saved. */
async function save() {
    if (isBusy) {
        return false;
    }
    isBusy = true;
    open.editor.classList.add("saving");
    say(status.dataset.saving);
    try {
        const response = await ask(open.address, () => ({ method: "POST", body: new FormData(form) }));
        if (response?.status === 204) {
            await refresh();
            return true;
        }
        if (response) {
            status.replaceChildren();
            fill(await response.text());
        }
        return false;
    } finally {
        isBusy = false;
        open?.editor.classList.remove("saving");
    }
}

/** Bring the rows on the screen up to date, as the list has them now, and say what was done. */
async function refresh() {
    const { address } = open;
    const response = await ask(window.location.href);
    const page = new DOMParser().parseFromString(response ? await response.text() : "", "text/html");
    const fresh = new Map(
        [...page.querySelectorAll("button.edit-row")].map((button) => [button.dataset.address, button]),
    );
    const next = open.editor.nextElementSibling?.querySelector("button.edit-row");
    document.querySelectorAll(".messagelist").forEach((messages) => messages.remove());
    status.replaceChildren(...page.querySelectorAll(".messagelist"));
    close();
    for (const button of findButtons()) {
        const found = fresh.get(button.dataset.address);
        if (found) {
            replaceCells(button.closest("tr"), found.closest("tr"));
        } else if (response && button.dataset.address === address) {
            button.closest("tr").remove();
            status.append(paragraph(status.dataset.gone));
        }
    }
    (findButton(address) ?? next)?.focus();
}

/** Replace all cells but the first: Django's script counts the ticks. */
function replaceCells(row, fresh) {
    [...fresh.cells].slice(1).forEach((cell, index) => row.cells[index + 1].replaceWith(cell));
}

// --- Keyboard and mouse --------------------------------------------------------------------------------

function moveFocus(button, by) {
    const buttons = findButtons().filter((each) => !each.closest("tr").hidden);
    buttons[buttons.indexOf(button) + by]?.focus();
}

list?.addEventListener("click", ({ target }) => {
    const button = target.closest("button.edit-row");
    if (button) {
        openRow(button);
    } else if (target.closest("[data-closes]")) {
        close();
    }
});
list?.addEventListener("dblclick", ({ target }) => {
    const button = target.closest("tr:not(.row-editing)")?.querySelector("button.edit-row");
    if (button && !target.closest("a, input, button")) {
        openRow(button);
    }
});
list?.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const button = target.closest("button.edit-row");
    if (button && (key === "ArrowDown" || key === "ArrowUp")) {
        event.preventDefault();
        moveFocus(button, key === "ArrowDown" ? 1 : -1);
    } else if (button && key === "F2") {
        openRow(button);
    } else if (!button && open && key === "Escape" && !event.defaultPrevented) {
        close();
    } else if (key === "Enter" && target.matches(".row-editing :is(select, [type=checkbox])")) {
        event.preventDefault();
        form.requestSubmit();
    }
});
form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isChanged() || open?.editor.querySelector(".theirs")) {
        save();
    } else {
        close();
    }
});
window.addEventListener("beforeunload", (event) => {
    if (isChanged()) {
        event.preventDefault();
    }
});

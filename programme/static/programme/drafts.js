// Keeps what is typed into a form in this browser until it is saved, and offers it to its editor on return.
//
// A draft has what differs from the form as it was shown, and the state that it showed: where somebody else has saved
// since, the editor then sees both versions. Passwords, tokens and files are in none; of a chosen file its name is. A row
// has one draft; of new rows each page has one of its own: an editor may write several of them in tabs beside each other.

import { attempt, read, write } from "../pages/storage.js";

const WEEK = 7 * 24 * 60 * 60 * 1000;
const DELAY = 400;
const PREFIX = "draft:";
// In the tab's own storage: the draft of the new row that was sent last.
const SENT = "draft-sent";
const NOT_TYPED = ["hidden", "password", "file", "submit", "button", "reset", "image"];
// A row of a formset: the name of the formset, the number of the row, and the name of the field.
const IN_ROW = /^(.+)-(\d+)-([^-]+)$/;

const user = document.querySelector("meta[name=user]")?.content;
// Whether nothing may be kept, because the editor is leaving for good.
let isSignedOut = false;

const keyOf = (path) => `${PREFIX}${user}:${path}`;

const remove = (key) => attempt(() => localStorage.removeItem(key));
const listKeys = () => attempt(() => Object.keys(localStorage)) ?? [];

function removeEach(isOver) {
    listKeys()
        .filter((key) => key.startsWith(PREFIX) && isOver(key))
        .forEach(remove);
}

// --- Fields -------------------------------------------------------------------------------------

const isTyped = (field) =>
    field.name && !field.name.includes("__prefix__") && !NOT_TYPED.includes(field.type);

const listFields = (form) =>
    [...form.elements].filter((field) => field.matches("input, select, textarea") && isTyped(field));

const isTicked = (field) => field.type === "checkbox" || field.type === "radio";
const readValue = (field) => (isTicked(field) ? field.checked : field.value);

function readInitial(field) {
    if (field.matches("select")) {
        return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value ?? "";
    }
    return isTicked(field) ? field.defaultChecked : field.defaultValue;
}

/** Return a field's name in a draft: rows are known by what they are, because others may add and delete some. */
function nameField(form, field) {
    const button = isTicked(field) && field.value !== "on" ? `=${field.value}` : "";
    const [, formset, number, name] = field.name.match(IN_ROW) ?? [];
    const stored = form.elements[`${formset}-INITIAL_FORMS`]?.value;
    if (stored === undefined) {
        return field.name + button;
    }
    const row = form.elements[`${formset}-${number}-id`]?.value;
    return `${formset}-${row ? `#${row}` : `+${number - stored}`}-${name}${button}`;
}

function readTyped(form) {
    const typed = {};
    for (const field of listFields(form)) {
        const value = readValue(field);
        if (value !== readInitial(field)) {
            const label = field.matches(".admin-autocomplete") && field.selectedOptions[0]?.text;
            typed[nameField(form, field)] = label ? [value, label] : value;
        }
    }
    return typed;
}

const mapFields = (form) => new Map(listFields(form).map((field) => [nameField(form, field), field]));
const valueOf = (kept) => (Array.isArray(kept) ? kept[0] : kept);

function fill(field, kept) {
    const value = valueOf(kept);
    if (isTicked(field)) {
        field.checked = value;
    } else {
        if (field.matches("select") && ![...field.options].some((option) => option.value === value)) {
            field.add(new Option(Array.isArray(kept) ? kept[1] : value, value));
        }
        field.value = value;
    }
    for (const type of ["input", "change"]) {
        field.dispatchEvent(new Event(type, { bubbles: true }));
    }
}

/** Add the rows of a formset that a draft has and the form has not. */
function addRows(form, names) {
    for (const name of names) {
        const [, formset, number] = name.match(/^(.+)-\+(\d+)-/) ?? [];
        const button = formset && document.querySelector(`#${formset}-group .add-row a`);
        const count = () =>
            form.elements[`${formset}-TOTAL_FORMS`].value - form.elements[`${formset}-INITIAL_FORMS`].value;
        while (button && count() <= number) {
            const before = count();
            button.click();
            // It has what the draft says, and nothing of the row before.
            const beginning = `${formset}-${form.elements[`${formset}-TOTAL_FORMS`].value - 1}-`;
            listFields(form)
                .filter((field) => field.name.startsWith(beginning) && !isTicked(field))
                .forEach((field) => (field.value = readInitial(field)));
            if (count() === before) {
                break;
            }
        }
    }
}

const listFiles = (form) => [...form.querySelectorAll("input[type=file]")];

const isShown = (form, draft) => {
    const fields = mapFields(form);
    return Object.entries(draft.fields).every(
        ([name, kept]) => fields.has(name) && readValue(fields.get(name)) === valueOf(kept),
    );
};

// --- Keys ---------------------------------------------------------------------------------------

const readSent = () => attempt(() => sessionStorage.getItem(SENT)) ?? "";

/** Return the key of the draft of this page, and that of the one that was written before. */
function findKeys(form) {
    // A list's action is a field of its name, and each has a form of its own.
    const action = form.elements.action?.value;
    const path = new URL(form.getAttribute("action") ?? "", window.location).pathname;
    const key = keyOf(action ? `${path}?${action}` : path);
    if (form.elements._state?.value) {
        return [key, key];
    }
    const sent = readSent();
    if (sent.startsWith(`${key}#`) && read(sent) && isShown(form, read(sent))) {
        return [sent, sent];
    }
    const others = listKeys().filter((each) => each.startsWith(`${key}#`));
    const [latest] = others.sort((one, other) => read(other)?.at - read(one)?.at);
    return [`${key}#${Date.now()}-${Math.random()}`, latest];
}

/** Remove what is kept of a page that was saved: its row, or the new row that this tab has sent. */
function removeSaved(key) {
    remove(key);
    const sent = readSent();
    if (sent.startsWith(`${key}#`)) {
        remove(sent);
        attempt(() => sessionStorage.removeItem(SENT));
    }
}

// --- A form -------------------------------------------------------------------------------------

function keep(form, words) {
    const [key, offered] = findKeys(form);
    const state = form.elements._state;
    let timer = 0;
    // What was typed before: offered, or shown again because it was refused.
    const before = offered ? read(offered) : null;
    // What is kept of it with what is typed now: nothing of another new row.
    let earlier = offered === key ? before : null;

    function save() {
        clearTimeout(timer);
        timer = 0;
        if (isSignedOut) {
            return;
        }
        const fields = { ...earlier?.fields, ...readTyped(form) };
        if (Object.keys(fields).length) {
            const files = listFiles(form).flatMap((each) =>
                [...each.files].map(({ name }) => [each.name, name]),
            );
            write(key, { at: Date.now(), state: earlier?.state ?? state?.value, fields, files });
        } else {
            remove(key);
        }
    }

    function saveSoon() {
        isSignedOut = false;
        clearTimeout(timer);
        timer = setTimeout(save, DELAY);
    }

    /** Fill in a draft; what has no place any more, because its row was deleted, is shown. */
    function use(draft, notice) {
        addRows(form, Object.keys(draft.fields));
        const fields = mapFields(form);
        const left = Object.entries(draft.fields).filter(([name]) => !fields.has(name));
        for (const [name, kept] of Object.entries(draft.fields)) {
            if (fields.has(name)) {
                fill(fields.get(name), kept);
            }
        }
        for (const [name, file] of draft.files ?? []) {
            const lost = Object.assign(document.createElement("ul"), { className: "errorlist" });
            const textContent = words.dataset.lost.replace("{file}", file);
            lost.append(Object.assign(document.createElement("li"), { textContent }));
            listFiles(form)
                .find((each) => each.name === name)
                ?.after(lost);
        }
        if (state && draft.state) {
            state.value = draft.state;
        }
        // The form has it now.
        earlier = { state: draft.state, fields: Object.fromEntries(left) };
        remove(offered);
        save();
        const texts = left
            .map(([, kept]) => (Array.isArray(kept) ? kept[1] : kept))
            .filter((text) => text && text !== true);
        notice.querySelector(".left").hidden = !texts.length;
        notice.querySelector(".left-texts").textContent = texts.join(" · ");
        notice.querySelectorAll("p:first-child, button").forEach((each) => (each.hidden = true));
        notice.hidden = !texts.length;
        listFields(form)[0]?.focus();
    }

    function offer(draft) {
        const notice = words.content.firstElementChild.cloneNode(true);
        const style = { dateStyle: "medium", timeStyle: "short" };
        const language = document.documentElement.lang;
        const moment = new Date(draft.at).toLocaleString(language === "en" ? "en-GB" : language, style);
        notice.querySelector("time").textContent = moment;
        notice.querySelector("[data-use]").addEventListener("click", () => use(draft, notice));
        notice.querySelector("[data-discard]").addEventListener("click", () => {
            earlier = null;
            remove(offered);
            notice.remove();
            save();
            listFields(form)[0]?.focus();
        });
        form.prepend(notice);
    }

    if (before && !isShown(form, before)) {
        offer(before);
    }
    form.addEventListener("input", saveSoon);
    // Who began to type while the page was loading.
    const typing = listFields(form).find((field) => field === document.activeElement);
    if (typing && readValue(typing) !== readInitial(typing)) {
        saveSoon();
    }
    // Search boxes report their changes to Django's jQuery alone.
    window.django?.jQuery(form).on("change", saveSoon);
    document.addEventListener("formset:removed", saveSoon);
    // Who leaves right after typing.
    window.addEventListener("pagehide", () => timer && save());
    form.addEventListener("submit", () => {
        save();
        if (key.includes("#")) {
            attempt(() => sessionStorage.setItem(SENT, key));
        }
    });
}

// --- Every page ---------------------------------------------------------------------------------

// Where the form that offers it is not shown: while one signs in, and after an error.
const told = document.getElementById("typed-is-kept");
if (told) {
    told.hidden = !listKeys().some((key) => key.startsWith(PREFIX));
}

if (user) {
    removeEach((key) => !(read(key)?.at > Date.now() - WEEK));
    for (const message of document.querySelectorAll(".messagelist .success")) {
        const saved = [...message.classList].filter((name) => name.startsWith("saved:"));
        saved.forEach((name) => removeSaved(keyOf(decodeURIComponent(name.slice("saved:".length)))));
    }
    document.getElementById("logout-form")?.addEventListener("submit", () => {
        isSignedOut = true;
        removeEach((key) => key.startsWith(keyOf("")));
    });
    for (const link of document.querySelectorAll(".meeting [data-drops]")) {
        link.addEventListener("click", () => remove(keyOf(window.location.pathname)));
    }
    window.addEventListener("load", () => {
        const words = document.getElementById("draft-words");
        const form = words?.closest("form");
        if (form?.querySelector("[type=submit]")) {
            // After Django's own scripts, which add rows and search boxes.
            const whenReady = window.django?.jQuery ?? ((callback) => callback());
            whenReady(() => keep(form, words));
        }
    });
}

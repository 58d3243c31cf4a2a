// Rows that are added to a form and removed, by keyboard: none leaves its editor nowhere, and each has its number.

const SHOWN = "tr.form-row:not(.empty-form)";
const DAY = 24 * 60 * 60_000;
const TAKEN = ["full", "waiting-list"];
// What is copied of what is folded.
const MORE = ["end_date", "stream", "booking_url"];

/** What a row is called follows from its place, as rows are added and removed. */
function number(group) {
    const { name } = group.querySelector(".empty-form").dataset;
    group
        .querySelectorAll(SHOWN)
        .forEach((row, index) => row.setAttribute("aria-label", `${name} ${index + 1}`));
}

const find = (row, name) => row.querySelector(`[name$="-${name}"]`);
const readDay = (row) => find(row, "day")?.valueAsNumber;
const isKept = (row) => !Number.isNaN(readDay(row) ?? NaN) && !find(row, "DELETE")?.checked;

/** A new occasion is like the last one, as long after it as that after the one before; after the last day it has none. */
function continuePattern(added) {
    const group = added.closest(".rows");
    const last = [...group.querySelectorAll(SHOWN)].filter((row) => row !== added && isKept(row)).at(-1);
    if (!last) {
        return;
    }
    const days = new Set([...group.querySelectorAll(SHOWN)].filter(isKept).map(readDay));
    const [before, latest] = [...days].slice(-2);
    const step = latest > before ? latest - before : DAY;
    const day = readDay(last) + step;
    find(added, "day").valueAsNumber = day > Date.parse(group.dataset.lastDay) ? NaN : day;
    for (const name of ["start_time", "end_time", "booking", "booking_url"]) {
        find(added, name).value = find(last, name).value;
    }
    find(added, "end_date").valueAsNumber = find(last, "end_date").valueAsNumber + step;
    for (const name of ["location", "room", "stream"]) {
        const [{ text, value }] = find(last, name).selectedOptions;
        if (value) {
            find(added, name).append(new Option(text, value, false, true));
        }
    }
    // Whether that one has places left says nothing of this one.
    if (TAKEN.includes(find(added, "booking").value)) {
        find(added, "booking").value = "";
    }
    find(added, "end_date").closest("details").open ||= MORE.some((name) => find(added, name).value);
    // What is kept of it (drafts.js).
    find(added, "day").dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("formset:added", ({ target }) => {
    number(target.closest(".rows"));
    if (find(target, "day")) {
        continuePattern(target);
    }
    target.querySelector("input:not([type=hidden]), select:not([tabindex]), textarea")?.focus();
});
document.addEventListener("formset:removed", ({ detail }) => {
    const group = document.getElementById(`${detail.formsetName}-group`);
    number(group);
    group.querySelector(".add-row a").focus();
});
// Django's links that are called buttons heed Enter alone.
document.addEventListener("keydown", (event) => {
    if (event.key === " " && event.target.matches("a[role=button]")) {
        event.preventDefault();
        event.target.click();
    }
});

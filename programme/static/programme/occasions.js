// The rows of occasions: a new one goes on like those above, one is copied or repeated, and a doubtful day is named.
// Which days a series has, and which are doubtful, the server says.

import { ask } from "./ask.js";

const DAY = 24 * 60 * 60_000;
const TAKEN = ["full", "waiting-list"];
// What is copied of what is folded.
const MORE = ["end_date", "stream", "booking_url"];

const group = document.getElementById("occasions-group");
const dialog = document.getElementById("series");
const form = dialog?.querySelector("form");
// What the next row is like, on which day, and what is doubtful about it.
let next = null;
// The row that is repeated.
let repeated = null;

const find = (row, name) => row.querySelector(`[name$="-${name}"]`);
const readDay = (row) => find(row, "day")?.valueAsNumber;
const isKept = (row) => !Number.isNaN(readDay(row) ?? NaN) && !find(row, "DELETE")?.checked;

/** A new occasion is like the last one, as long after it as that after the one before; after the last day it has none. */
function continuePattern(added) {
    const rows = [...group.querySelectorAll("tr.form-row:not(.empty-form)")].filter(isKept);
    const like = rows.filter((row) => row !== added).at(-1);
    const [before, latest] = [...new Set(rows.map(readDay))].slice(-2);
    const day = like && readDay(like) + (latest > before ? latest - before : DAY);
    return { like, day: day > Date.parse(group.dataset.lastDay) ? NaN : day, doubt: "" };
}

function fill(row, { like, day, doubt }) {
    find(row, "day").valueAsNumber = day;
    for (const name of ["start_time", "end_time", "booking", "booking_url"]) {
        find(row, name).value = find(like, name).value;
    }
    find(row, "end_date").valueAsNumber = find(like, "end_date").valueAsNumber + day - readDay(like);
    for (const name of ["place", "stream"]) {
        const [{ text, value }] = find(like, name).selectedOptions;
        if (value) {
            find(row, name).append(new Option(text, value, false, true));
        }
    }
    // Whether that one has places left says nothing of this one.
    if (TAKEN.includes(find(row, "booking").value)) {
        find(row, "booking").value = "";
    }
    row.querySelector(".more details").open ||= MORE.some((name) => find(row, name).value);
    warn(row, doubt);
    // What is kept of it (drafts.js).
    find(row, "day").dispatchEvent(new Event("input", { bubbles: true }));
}

function add(like, day, doubt) {
    next = { like, day, doubt };
    group.querySelector(".add-row a").click();
}

function warn(row, doubt) {
    const cell = row.querySelector(".field-day");
    const list = cell.querySelector(".warned") ?? document.createElement("ul");
    list.className = "warned";
    list.setAttribute("role", "status");
    list.innerHTML = doubt && "<li></li>";
    list.querySelector("li")?.append(doubt);
    cell.append(list);
}

function openSeries(row) {
    const day = find(row, "day");
    if (!day.value) {
        day.focus();
        return;
    }
    repeated = row;
    form.elements.day.value = day.value;
    form.elements.weekdays.forEach(
        (box) => (box.checked = Number(box.value) === (day.valueAsDate.getUTCDay() + 6) % 7),
    );
    form.elements.omitted.value = "";
    form.querySelector("[role=alert]").hidden = true;
    dialog.showModal();
}

async function addSeries() {
    const { days, errors } = await ask(form.action, new FormData(form));
    const alert = form.querySelector("[role=alert]");
    alert.textContent = errors?.join(" ") ?? form.dataset.failed;
    alert.hidden = Boolean(days);
    if (days) {
        dialog.close();
        days.forEach(([day, doubt]) => add(repeated, Date.parse(day), doubt));
    }
}

if (group && dialog) {
    document.addEventListener("formset:added", ({ target }) => {
        const pattern = next ?? continuePattern(target);
        next = null;
        if (pattern.like) {
            fill(target, pattern);
        }
    });
    group.addEventListener("change", async ({ target }) => {
        if (target.name?.endsWith("-day")) {
            const { days } = target.value ? await ask(form.action, { day: target.value }) : {};
            warn(target.closest("tr"), days?.[0][1] ?? "");
        }
    });
    group.addEventListener("click", ({ target }) => {
        const row = target.closest("tr");
        if (target.matches("[data-copies]")) {
            add(row, readDay(row), "");
        } else if (target.matches("[data-repeats]")) {
            openSeries(row);
        }
    });
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        addSeries();
    });
    dialog.querySelector("[data-closes]").addEventListener("click", () => dialog.close());
}

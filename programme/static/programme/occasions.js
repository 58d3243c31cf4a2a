// The rows of occasions: a new one goes on like those above, one is copied or repeated, and a doubtful day is named.
// Which days a series has, and which are doubtful, the server says.

import { ask } from "./ask.js";

const DAY = 24 * 60 * 60_000;
const TAKEN = ["full", "waiting-list"];
// Before the name of a place that is to be made, where others have their key (programme/backoffice/forms/named.py).
const NEW = "new:";
// What is copied of what is folded.
const MORE = ["end_date", "stream", "booking_url"];

const group = document.getElementById("occasions-group");
const dialog = document.getElementById("series");
const form = dialog?.querySelector("form");
// What the next row is like, on which day, and what is doubtful about it.
let next = null;
// What stands below rows: what is doubtful about the day, and a place that is made with it.
const notices = new Map();
// The row that is repeated.
let repeated = null;

const find = (row, name) => row.querySelector(`[name$="-${name}"]`);
const readDay = (row) => find(row, "day")?.valueAsNumber;
const isKept = (row) => !Number.isNaN(readDay(row) ?? NaN) && !find(row, "DELETE")?.checked;

/** A new occasion is like the last one, as long after it as that after the one before; one day after a single one, but
 * not after the last day of the festival. */
function continuePattern(added) {
    const rows = [...group.querySelectorAll("tr.form-row:not(.empty-form)")].filter(isKept);
    const like = rows.filter((row) => row !== added).at(-1);
    const [before, latest] = [...new Set(rows.map(readDay))].slice(-2);
    const isSeries = latest > before;
    const day = like && readDay(like) + (isSeries ? latest - before : DAY);
    return { like, day: !isSeries && day > Date.parse(group.dataset.lastDay) ? NaN : day };
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
    warn(row, doubt ?? "");
    namePlace(row);
    // What is kept of it (drafts.js), and where it is not known: what is doubtful.
    for (const type of doubt === undefined ? ["input", "change"] : ["input"]) {
        find(row, "day").dispatchEvent(new Event(type, { bubbles: true }));
    }
}

function add(like, day, doubt) {
    next = { like, day, doubt };
    group.querySelector(".add-row a").click();
}

/** Say below a row, in its first or second line there, what to look at. */
function say(row, number, text) {
    const below = notices.get(row) ?? document.createElement("tr");
    if (!notices.has(row)) {
        below.className = "row-warnings";
        below.innerHTML = `<td colspan="${row.cells.length}"><ul class="warned" role="status"><li></li><li></li></ul></td>`;
        notices.set(row, below);
    }
    const lines = [...below.querySelectorAll("li")];
    lines[number].textContent = text;
    lines.forEach((line) => (line.hidden = !line.textContent));
    if (lines.every((line) => line.hidden)) {
        below.remove();
    } else {
        row.after(below);
    }
}

const warn = (row, doubt) => say(row, 0, doubt);

function namePlace(row) {
    const place = find(row, "place")?.value ?? "";
    say(row, 1, place.startsWith(NEW) ? `${form.dataset.newPlace} ${place.slice(NEW.length)}` : "");
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
    form.elements.until.focus();
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
    // Search boxes report their changes to Django's jQuery alone.
    window.django.jQuery(group).on("change", async ({ target }) => {
        const row = target.closest("tr");
        if (target.name?.endsWith("-day")) {
            const { days } = target.value ? await ask(form.action, { day: target.value }) : {};
            warn(row, days?.[0][1] ?? "");
        } else if (target.name?.endsWith("-place")) {
            namePlace(row);
        }
    });
    document.addEventListener("formset:removed", () =>
        notices.forEach((below, row) => row.isConnected || below.remove()),
    );
    group.querySelectorAll("tr.form-row").forEach(namePlace);
    group.addEventListener("click", ({ target }) => {
        const row = target.closest("tr");
        if (target.matches("[data-copies]")) {
            add(row, readDay(row));
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

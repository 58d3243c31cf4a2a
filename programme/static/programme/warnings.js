// Asks what to look at in the event while it is written, and shows it at the top and beside each field.

const DELAY = 600;

function createElement(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
}

function enhance(box, form) {
    let timer = 0;
    let request = null;

    const readItems = () => [...box.querySelectorAll("li")];

    /** Show the warnings of one row, or of one field, beside it. */
    function placeBesideFields() {
        form.querySelectorAll("tr.row-warnings, ul.warned").forEach((old) => old.remove());
        const places = new Map();
        for (const item of readItems()) {
            const input = document.getElementById(`id_${item.dataset.field}`);
            const place = input?.closest("tr.form-row, .fieldBox, .form-row");
            if (place) {
                const textContent = item.lastChild.textContent.replace(/^: /, "");
                places.set(place, [...(places.get(place) ?? []), createElement("li", { textContent })]);
            }
        }
        for (const [place, items] of places) {
            const list = createElement("ul", { className: "warned" }, ...items);
            if (place.matches("tr")) {
                const cell = createElement("td", { colSpan: place.cells.length }, list);
                place.after(createElement("tr", { className: "row-warnings" }, cell));
            } else {
                place.append(list);
            }
        }
    }

    function createItem({ field, of, text }) {
        const link = createElement("a", { href: `#id_${field}`, textContent: of });
        const item = createElement("li", {}, link, `: ${text}`);
        item.dataset.field = field;
        return item;
    }

    /** Show the warnings, unless they are the same: what is written there is read out. */
    function show(warnings) {
        const items = warnings.map(createItem);
        const describe = (item) => item.dataset.field + item.textContent;
        if (readItems().map(describe).join() !== items.map(describe).join()) {
            box.replaceChildren();
            if (items.length) {
                const heading = document.getElementById("warnings-words").content.cloneNode(true);
                box.append(heading, createElement("ul", {}, ...items));
            }
        }
        placeBesideFields();
    }

    async function ask() {
        request?.abort();
        request = new AbortController();
        const fields = new FormData(form);
        form.querySelectorAll("input[type=file]").forEach((input) => fields.delete(input.name));
        const body = new URLSearchParams(fields);
        try {
            // The page for signing in, to which who is signed out is sent, could end a session that begins meanwhile.
            const options = { method: "POST", body, signal: request.signal, redirect: "manual" };
            const answer = await fetch(box.dataset.url, options);
            if (answer.ok) {
                const { warnings, button } = await answer.json();
                show(warnings);
                form.querySelectorAll("button[name=status]").forEach((each) => {
                    each.textContent = button || each.dataset.now;
                });
            }
        } catch {
            // The warnings are shown again after saving.
        }
    }

    function askSoon() {
        clearTimeout(timer);
        timer = setTimeout(ask, DELAY);
    }

    placeBesideFields();
    // By way of Django's jQuery: search boxes report their changes to it alone.
    window.django.jQuery(form).on("input change", askSoon);
    document.addEventListener("formset:removed", askSoon);
}

window.addEventListener("load", () => {
    const box = document.getElementById("warnings");
    const form = box?.closest("form");
    if (form) {
        enhance(box, form);
    }
});

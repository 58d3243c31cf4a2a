// Says that readers are told, as soon as something is changed that they know: a time, a place, a cancellation.

const KNOWN = ["day", "start_time", "end_time", "end_date", "place", "cancelled"];
const ROW = /^occasions-\d+-/;

const readValue = (field) => (field.type === "checkbox" ? field.checked : field.value);

function enhance(words, form) {
    const { tell, note, note_en: english } = form.elements;
    const panel = tell.closest("fieldset");
    const ahead = words.dataset.ahead.split(" ");
    const initial = new Map();

    const find = (prefix, name) => form.elements[`${prefix}${name}`];

    function isChanged(prefix) {
        return KNOWN.some((name) => {
            const field = find(prefix, name);
            return field && initial.has(field.name) && readValue(field) !== initial.get(field.name);
        });
    }

    /** Whether an occasion is not over, or is moved to a day that is not; days are sorted as text. */
    function isAhead(prefix) {
        return ahead.includes(initial.get(`${prefix}id`)) || find(prefix, "day")?.value > words.dataset.from;
    }

    /** The beginnings of the names of occasions that are stored. */
    function listStored() {
        const keys = [...initial.keys()].filter((name) => ROW.test(name) && name.endsWith("-id"));
        return keys.filter((name) => initial.get(name)).map((name) => name.slice(0, -"id".length));
    }

    /** Whether the server tells of what is changed, or of a new note, unless the editor says no. */
    function isNews() {
        const isWorded = [note, english].some(
            ({ name, value }) => value !== "" && value !== initial.get(name),
        );
        return isWorded || listStored().filter(isAhead).some(isChanged);
    }

    function update() {
        const isOffered = tell.value !== "no" && isNews();
        if (!isOffered) {
            panel.querySelector(".offer")?.remove();
        } else if (!panel.querySelector(".offer")) {
            // One line, which opens: it covers no rows that are edited.
            panel.querySelector("summary").append(words.content.cloneNode(true));
            // There it stays, with what is typed in it.
            document.querySelector(".saving").prepend(panel);
        }
        panel.classList.toggle("offered", isOffered);
    }

    for (const field of form.elements) {
        initial.set(field.name, readValue(field));
    }
    // By way of Django's jQuery: search boxes report their changes to it alone.
    window.django.jQuery(form).on("input change", update);
}

window.addEventListener("load", () => {
    const words = document.getElementById("news-words");
    const form = words?.closest("form");
    if (form?.elements.tell) {
        enhance(words, form);
    }
});

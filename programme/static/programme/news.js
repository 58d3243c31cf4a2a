// Offers news for readers as soon as something is changed that they know: a time, a place, a cancellation.

const TIME_AND_PLACE = ["day", "start_time", "end_time", "end_date", "location", "room"];
const ROW = /^occasions-\d+-/;

const readValue = (field) => (field.type === "checkbox" ? field.checked : field.value);

function enhance(words, form) {
    const { tell, note, note_en: english } = form.elements;
    const panel = tell.closest("fieldset");
    const initial = new Map();
    // What the editor has chosen stays.
    let isChosen = tell.value !== "";

    const find = (prefix, name) => form.elements[`${prefix}${name}`];

    function isChanged(prefix) {
        return [...TIME_AND_PLACE, "cancelled"].some((name) => {
            const field = find(prefix, name);
            return field && initial.has(field.name) && readValue(field) !== initial.get(field.name);
        });
    }

    /** Whether an occasion is or was on a day that is not over; they are sorted as text. */
    function isAhead(prefix) {
        return ["day", "end_date"].some((name) => {
            const field = find(prefix, name);
            return field && [initial.get(field.name), field.value].some((day) => day >= words.dataset.from);
        });
    }

    /** The beginnings of the names of occasions that are stored; in its own form an occasion has none. */
    function listStored() {
        const keys = [...initial.keys()].filter((name) => ROW.test(name) && name.endsWith("-id"));
        const stored = keys.filter((name) => initial.get(name)).map((name) => name.slice(0, -"id".length));
        return find("", "day") ? [""] : stored;
    }

    function findOffer() {
        const ahead = listStored().filter(isAhead);
        if (!find("", "day") && ahead.length && isChanged("")) {
            return "event";
        }
        return ahead.some(isChanged) ? "occasions" : "";
    }

    function update() {
        const offer = findOffer();
        if (!isChosen) {
            // A note is about something.
            tell.value =
                offer || ((note.value || english.value) && (find("", "day") ? "occasions" : "event"));
        }
        const isOffered = offer !== "" && tell.value !== "";
        if (isOffered && !panel.querySelector(".offer")) {
            panel.querySelector(".form-row:last-child").before(words.content.cloneNode(true));
        } else if (!offer) {
            panel.querySelector(".offer")?.remove();
        }
        panel.classList.toggle("offered", isOffered);
    }

    for (const field of form.elements) {
        initial.set(field.name, readValue(field));
    }
    tell.addEventListener("input", () => {
        isChosen = true;
    });
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

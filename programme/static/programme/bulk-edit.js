// Ticks all rows or none, counts those that are ticked, and offers to tell readers of what they know.

const every = document.querySelector("[data-every]");
const ticks = [...document.querySelectorAll("input[name=occasion]")];

function count() {
    const ticked = ticks.filter((tick) => tick.checked).length;
    document.querySelector("[data-ticked]").textContent = ticked;
    every.checked = ticked === ticks.length;
    every.indeterminate = ticked > 0 && ticked < ticks.length;
}

if (every) {
    every.closest("[hidden]").hidden = false;
    every.addEventListener("change", () => {
        ticks.forEach((tick) => (tick.checked = every.checked));
        count();
    });
    ticks.forEach((tick) => tick.addEventListener("change", count));
    count();
}

// --- News for readers -----------------------------------------------------------------------------

/** Until the editor chooses, choose to tell readers what is moved or cancelled, or what a note says. */
function offerNews({ tell, note, note_en: english, shift, day, place, cancelled }) {
    const others = [shift, day, place, note, english];
    // What was shown is what the editor has left there.
    let isChosen = tell.value !== "" || [cancelled, ...others].some((field) => field.value);

    function update({ target }) {
        isChosen ||= target === tell;
        if (!isChosen) {
            const isOffered = cancelled.value === "cancel" || others.some((field) => field.value);
            tell.value = isOffered ? "occasions" : "";
        }
    }

    // By way of Django's jQuery: search boxes report their changes to it alone.
    window.django.jQuery(tell.form).on("input change", update);
}

const doing = document.querySelector(".doing")?.closest("form");
if (doing) {
    window.addEventListener("load", () => offerNews(doing.elements));
}

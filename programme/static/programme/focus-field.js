// Puts the cursor into the first field that was refused, or into the one that the address names, as the list of problems does.

const focusField = () => {
    const field =
        document.querySelector(":is(.importing, .operation) [autofocus]") ??
        document.querySelector("[aria-invalid=true]") ??
        document.getElementById(window.location.hash.slice(1));
    if (![document.body, field].includes(document.activeElement)) {
        // Somebody is further on.
        return;
    }
    for (let folded = field?.closest("details"); folded; folded = folded.parentElement.closest("details")) {
        folded.open = true;
    }
    const searchBox = field?.nextElementSibling?.querySelector(".select2-selection");
    (searchBox ?? field)?.focus();
    // A time is typed over, unless somebody has begun to type; a text is gone on with.
    if (field?.matches("input") && field.value === field.defaultValue) {
        field.select();
    }
};

// Where the browser itself puts the cursor while the page loads; so this script is no module.
document.addEventListener(
    "focusin",
    ({ target }) => target.matches("input:is([autofocus], :target)") && target.select(),
    { once: true },
);

// After Django's own scripts, which put a search box beside the hidden choice.
window.addEventListener("load", () => (window.django?.jQuery ?? queueMicrotask)(focusField));

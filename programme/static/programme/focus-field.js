// Puts the cursor into the first field that was refused, or into the one that the address names, as the list of problems does.

const own = document.querySelector(":is(.importing, .operation) [autofocus]");

function focusField() {
    const field =
        own ??
        document.querySelector("[aria-invalid=true]") ??
        document.getElementById(window.location.hash.slice(1));
    for (let folded = field?.closest("details"); folded; folded = folded.parentElement.closest("details")) {
        folded.open = true;
    }
    const searchBox = field?.nextElementSibling?.querySelector(".select2-selection");
    (searchBox ?? field)?.focus();
    // A time is typed over, and what is left of it if somebody has begun before it; a text is gone on with.
    if (field?.matches("input") && field.value === field.defaultValue) {
        field.select();
    } else if (
        field?.matches("[type=text]") &&
        field.value.slice(field.selectionEnd) === field.defaultValue
    ) {
        field.setSelectionRange(field.selectionEnd, field.value.length);
    }
}

// A field that needs none of Django's scripts has the cursor at once: when all is loaded, somebody may be further on.
if (own && !own.matches("select")) {
    // The browser may have put it there already, and somebody have gone on from it.
    if ([document.body, own].includes(document.activeElement)) {
        focusField();
    }
} else {
    // After Django's own scripts, which put a search box beside the hidden choice.
    window.addEventListener("load", () => (window.django?.jQuery ?? queueMicrotask)(focusField));
}
// While the page still loads the browser has the cursor there already.
document.querySelector("input:target")?.select();

// Puts the cursor into the first field that was refused, or into the one that the address names, as the list of problems does.

function focusField() {
    const field =
        document.querySelector(":is(.importing, .operation) [autofocus]") ??
        document.querySelector("[aria-invalid=true]") ??
        document.getElementById(window.location.hash.slice(1));
    for (let folded = field?.closest("details"); folded; folded = folded.parentElement.closest("details")) {
        folded.open = true;
    }
    const searchBox = field?.nextElementSibling?.querySelector(".select2-selection");
    (searchBox ?? field)?.focus();
    // A time is typed over, unless somebody has begun to type; a text is gone on with.
    if (field?.matches("input") && field.value === field.defaultValue) {
        field.select();
    }
}

// After Django's own scripts, which put a search box beside the hidden choice.
window.addEventListener("load", () => (window.django?.jQuery ?? queueMicrotask)(focusField));
// While the page still loads the browser has the cursor there already.
document.querySelector("input:target")?.select();

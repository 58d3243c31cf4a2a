// Puts the cursor into the first field that was refused, or into the one that the address names, as the list of problems does.

function focusField(field) {
    for (let folded = field?.closest("details"); folded; folded = folded.parentElement.closest("details")) {
        folded.open = true;
    }
    const searchBox = field?.nextElementSibling?.querySelector(".select2-selection");
    (searchBox ?? field)?.focus();
    // A time is typed over, unless somebody has begun to type; a text is gone on with.
    if (field?.matches("input") && field.value === field.defaultValue) {
        field.select();
    } else if (
        field?.matches("[type=text]") &&
        field.value.slice(field.selectionStart) === field.defaultValue
    ) {
        // It was begun in front of the text, before that was chosen.
        field.setSelectionRange(field.selectionStart, field.value.length);
    }
}

// A field that needs none of Django's scripts has the cursor at once: when all is loaded, somebody may be further on.
const first = document.querySelector(":is(.importing, .operation) [autofocus]");
if (first && !first.matches("select")) {
    focusField(first);
} else {
    // After Django's own scripts, which put a search box beside the hidden choice.
    window.addEventListener("load", () =>
        (window.django?.jQuery ?? queueMicrotask)(() =>
            focusField(
                first ??
                    document.querySelector("[aria-invalid=true]") ??
                    document.getElementById(window.location.hash.slice(1)),
            ),
        ),
    );
}
// While the page still loads the browser has the cursor there already.
document.querySelector("input:target")?.select();

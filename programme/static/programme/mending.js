/* Puts the cursor into the field that the address names, as the list of problems does. */
window.addEventListener("load", () => {
    const field = document.getElementById(window.location.hash.slice(1));
    const ready = window.django?.jQuery ?? ((then) => then());
    // After Django's own scripts, which give what is searched for a box beside the hidden choice.
    ready(() => {
        const box = field?.nextElementSibling?.querySelector(".select2-selection");
        (box ?? field)?.focus();
        // A time is typed over; a text is gone on with.
        if (field?.matches?.("input")) {
            field.select();
        }
    });
});

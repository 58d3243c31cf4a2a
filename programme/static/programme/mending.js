/* Puts the cursor into the field that the address names, as the list of problems does. */
window.addEventListener("load", () => {
    const field = window.location.hash && document.getElementById(window.location.hash.slice(1));
    if (!field) {
        return;
    }
    // What is searched for has its own box beside the hidden choice.
    const box = field.nextElementSibling?.querySelector(".select2-selection");
    (box ?? field).focus();
    // A time is typed over; a text is gone on with.
    if (field.matches("input")) {
        field.select();
    }
});

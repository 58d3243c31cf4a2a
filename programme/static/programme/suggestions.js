// Deciding about suggestions by keyboard, and without choosing where that is left for later.

const form = document.querySelector(".suggestions form");

document.addEventListener("keydown", (event) => {
    // A key that is held down would decide about the pages that follow, too.
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.repeat) {
        event.preventDefault();
        form.requestSubmit(form.elements.chosen);
    }
});

/** What is left for later is not sent, and nothing in it must be chosen. */
function leave(box) {
    box.closest("section").querySelector(".choices").disabled = box.checked;
}

for (const box of form.querySelectorAll("[name^=later-]")) {
    box.addEventListener("change", () => leave(box));
    // The browser has ticked it, as after going back to the page.
    window.addEventListener("pageshow", () => leave(box));
}

// Asks before a form is left in which something was typed that is not saved.

/** Return what the form would send; of files their names and sizes. */
function serialize(form) {
    const fields = [...new FormData(form)];
    return JSON.stringify(
        fields.map(([name, value]) => [name, value instanceof File ? [value.name, value.size] : value]),
    );
}

/** Whether the browser has filled in what was typed before, as after going back to the page. */
function isRestored(form) {
    const typed = "textarea, input:is([type=text], [type=url], [type=number])";
    return [...form.elements].some((field) => field.matches(typed) && field.value !== field.defaultValue);
}

function watch(form) {
    // What was refused, or conflicts with what another has saved, is not saved either.
    const wasTyped =
        form.matches(".meeting form") ||
        document.querySelector(".errornote:not(.progress-failed)") ||
        isRestored(form);
    const before = serialize(form);
    let isLeft = false;
    window.addEventListener("submit", (event) => {
        // A preview opens in another tab. A copy, and what is done with ticked rows, saves nothing of the form.
        const isKept =
            event.submitter?.formTarget === "_blank" ||
            ["changing", "changelist-search", "duplicating", "forgetting"].includes(event.target.id);
        isLeft ||= !event.defaultPrevented && !isKept;
    });
    for (const link of form.querySelectorAll("[data-drops]")) {
        link.addEventListener("click", () => {
            isLeft = true;
        });
    }
    // It was not left after all: the server did not answer.
    form.addEventListener("input", () => {
        isLeft = false;
    });
    window.addEventListener("beforeunload", (event) => {
        if (!isLeft && !form.matches(".working") && (wasTyped || serialize(form) !== before)) {
            event.preventDefault();
        }
    });
}

window.addEventListener("load", () => {
    const form = document.querySelector(
        "body.change-form #content-main form[method=post], .meeting form, form#apply, " +
            "#changelist-form:has([name=form-TOTAL_FORMS])",
    );
    // After Django's own scripts, which add rows and search boxes.
    if (form?.querySelector("[type=submit]")) {
        const whenReady = window.django?.jQuery ?? ((callback) => callback());
        whenReady(() => watch(form));
    }
});

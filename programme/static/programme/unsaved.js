// Asks before a form is left in which something was typed that is not saved.
"use strict";
{
    /** What the form would send; of files their names and sizes. */
    const written = (form) => JSON.stringify(
        [...new FormData(form)].map(([name, value]) => [name, value.name === undefined ? value : [value.name, value.size]]),
    );

    /** Whether a browser has put back what was typed before, as after going back to the page. */
    const isPutBack = (form) => [...form.elements].some(
        (field) => field.matches("textarea, input:is([type=text], [type=url], [type=number])") && field.value !== field.defaultValue,
    );

    const watch = (form) => {
        // What was refused, or met what another has saved, is not saved either.
        const isTyped = form.matches(".meeting form") || document.querySelector(".errornote") !== null || isPutBack(form);
        const before = written(form);
        let isLeft = false;
        const leave = (event) => {
            // A preview or a copy opens in another tab.
            isLeft ||= !event.defaultPrevented && event.submitter?.formTarget !== "_blank";
        };
        window.addEventListener("submit", leave);
        for (const link of form.querySelectorAll("[data-drops]")) {
            link.addEventListener("click", () => { isLeft = true; });
        }
        // It was not left after all: the service did not answer.
        form.addEventListener("input", () => { isLeft = false; });
        window.addEventListener("beforeunload", (event) => {
            if (!isLeft && (isTyped || written(form) !== before)) {
                event.preventDefault();
            }
        });
    };

    window.addEventListener("load", () => {
        const form = document.querySelector("body.change-form #content-main form[method=post], .meeting form");
        // After Django's own scripts, which put in rows and what is searched for.
        if (form?.querySelector("[type=submit]")) {
            (window.django?.jQuery ?? ((then) => then()))(() => watch(form));
        }
    });
}

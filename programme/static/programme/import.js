/* Shows how far a step of an import is: the answer tells it line by line. Without this the form is just sent. */
"use strict";

document.querySelectorAll("form[data-progress]").forEach((form) => {
    const bar = form.querySelector("progress");
    const said = form.querySelector(".progress-said");

    async function follow(response) {
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (;;) {
            const { value, done } = await reader.read();
            if (done) {
                return null;
            }
            const lines = (rest + value).split("\n");
            rest = lines.pop();
            for (const line of lines) {
                const told = JSON.parse(line);
                if (told.go) {
                    return told.go;
                }
                bar.max = told.of;
                bar.value = told.done;
                said.textContent = `${Math.round((100 * told.done) / told.of)} %`;
            }
        }
    }

    form.addEventListener("submit", async (event) => {
        const button = event.submitter;
        if (button && button.name === "discard") {
            return;
        }
        event.preventDefault();
        form.classList.add("working");
        form.querySelectorAll("input[type=submit]").forEach((each) => {
            each.disabled = true;
        });
        try {
            const response = await fetch(form.action, {
                method: "POST",
                body: new FormData(form),
                headers: { "X-Progress": "1" },
            });
            const go = response.ok ? await follow(response) : null;
            if (go) {
                window.location = go;
                return;
            }
        } catch {
            /* Told below. */
        }
        form.classList.remove("working");
        form.classList.add("failed");
        form.querySelectorAll("input[type=submit]").forEach((each) => {
            each.disabled = false;
        });
    });
    if (form.dataset.progress === "at-once") {
        form.requestSubmit();
    }
});

// Shows how far a step of an import is: the answer tells it line by line. Without this the form is just sent.

/** Show the progress as the lines come in; return the address that the last one names. */
async function follow(response, showProgress) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done) {
            return null;
        }
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        for (const step of lines.map((line) => JSON.parse(line))) {
            if (step.go) {
                return step.go;
            }
            showProgress(step);
        }
    }
}

function enhance(form) {
    const bar = form.querySelector("progress");
    const percent = form.querySelector(".progress-percent");

    // Until a share of the work is done, nobody knows how much there is, and the bar only moves.
    function showProgress({ done, of }) {
        if (done === 0) {
            return;
        }
        bar.max = of;
        bar.value = done;
        percent.textContent = `${Math.round((100 * done) / of)} %`;
    }

    function setWorking(isWorking, label) {
        form.classList.toggle("working", isWorking);
        if (label) {
            bar.previousSibling.textContent = `${label} `;
        }
        for (const button of form.querySelectorAll("[type=submit]")) {
            button.disabled = isWorking;
        }
    }

    async function send(button) {
        const body = new FormData(form);
        if (button?.name) {
            body.append(button.name, button.value);
        }
        const isCorrection = button?.hasAttribute("formaction");
        setWorking(true, isCorrection ? form.querySelector("[data-label]").dataset.label : "");
        try {
            const response = await fetch(isCorrection ? button.formAction : form.action, {
                method: "POST",
                body,
                headers: { "X-Progress": "1" },
            });
            const address = response.ok ? await follow(response, showProgress) : null;
            if (address) {
                window.location = address;
                return;
            }
        } catch {
            // The message of a failed step is shown below.
        }
        setWorking(false);
        form.classList.add("failed");
    }

    form.addEventListener("submit", (event) => {
        if (event.submitter?.name !== "discard") {
            event.preventDefault();
            send(event.submitter);
        }
    });
    if (form.dataset.progress === "at-once") {
        form.requestSubmit();
    }
}

document.querySelectorAll("form[data-progress]").forEach(enhance);

// A file is looked at as soon as it is chosen.
document
    .querySelector("input[type=file]")
    ?.addEventListener("change", ({ target }) => target.files.length && target.form.requestSubmit());

/** Show at once what comes of it when something is said of the table. */
function followChoices(form) {
    let latest = 0;

    const listTexts = () => Array.from(form.querySelectorAll("[type=text]"), (each) => each.value).join("\n");

    async function show(submitter) {
        const number = ++latest;
        const texts = listTexts();
        const body = new FormData(form, submitter);
        const response = await fetch(form.action, { method: "POST", body }).catch(() => null);
        const text = response?.ok ? await response.text() : "";
        // Its style has another nonce than this page.
        const page = new DOMParser().parseFromString(text.replace(/<style.*?<\/style>/gs, ""), "text/html");
        const shown = page.querySelector("form[data-points]");
        // A text that is being typed is sent when it is left.
        if (!shown || number !== latest || listTexts() !== texts) {
            return;
        }
        const { id } = document.activeElement;
        const isOpen = form.querySelector("details").open;
        const { scrollLeft, scrollTop } = form.querySelector(".scrolls");
        form.replaceChildren(...shown.childNodes);
        form.querySelector(".scrolls").scrollTo(scrollLeft, scrollTop);
        form.querySelector("details").open ||= isOpen;
        document.getElementById(id)?.focus({ preventScroll: true });
    }

    form.addEventListener("change", () => {
        // What stands below is of the file as it was read. What is said goes along, whichever form is sent.
        form.dataset.joins = "";
        document.querySelector("[name=apply]")?.toggleAttribute("disabled", true);
        show();
    });
    form.addEventListener("submit", (event) => {
        if (event.submitter?.name !== "save") {
            event.preventDefault();
            show(event.submitter);
        }
    });
}

document.querySelectorAll("form[data-points]").forEach(followChoices);

// Whichever form is sent, all answers and ticks go with it, and of the cells those that were corrected.
let isJoining = false;
document.addEventListener("formdata", ({ target, formData }) => {
    for (const cell of target.querySelectorAll("[data-file]")) {
        if (cell.value === cell.defaultValue) {
            formData.delete(cell.name);
        }
    }
    if (isJoining) {
        return;
    }
    isJoining = true;
    for (const other of document.querySelectorAll("form[data-joins]")) {
        if (other !== target) {
            new FormData(other).forEach((value, name) => formData.append(name, value));
        }
    }
    isJoining = false;
});

document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.("[data-file]");
    if (!cell || event.isComposing) {
        return;
    }
    if (event.key === "Escape") {
        cell.value = cell.dataset.file;
    } else if (event.key === "Enter" && !event.shiftKey && cell.matches("textarea")) {
        event.preventDefault();
        cell.form.requestSubmit(cell.form.querySelector("[formaction]"));
    }
});

// Before a form is sent: asks whether its editor is still signed in, and if not, signs in without leaving the page.
// Without this the form is just sent. Scripts that send something themselves ask for it with the event `signed-out`.

// A page that was loaded so many milliseconds ago, or less, knows who is signed in.
const FRESH = 30_000;
const user = document.querySelector("meta[name=user]");
const windows = new BroadcastChannel("sign-in");
// What waits until somebody has signed in: how it goes on, and what follows if nobody does.
let pending = null;
let isChecked = false;

/** Return the token with which forms are sent now, with a dialog if somebody has to sign in; null if nobody knows. */
async function askForSession() {
    try {
        const response = await fetch(`${user.dataset.session}?user=${user.content}`);
        return response.ok && !response.redirected ? await response.json() : null;
    } catch {
        return null;
    }
}

function resume() {
    const waiting = pending;
    pending = null;
    // Two windows may have signed in.
    waiting?.send();
}

function leave() {
    pending?.leave();
    pending = null;
}

function sendForm(form, submitter) {
    isChecked = true;
    form.requestSubmit(submitter);
    isChecked = false;
}

function renewTokens(token) {
    for (const field of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) {
        field.value = token;
    }
}

async function goOn() {
    if (!pending) {
        return;
    }
    const session = await askForSession();
    document.querySelector("dialog.sign-in-again")?.remove();
    if (session) {
        renewTokens(session.token);
    }
    if (session?.dialog) {
        openDialog(session.dialog);
    } else {
        resume();
    }
}

function openDialog(html) {
    const place = document.createElement("template");
    place.innerHTML = html;
    const dialog = place.content.querySelector("dialog");
    const form = dialog.querySelector("form");
    const opener = dialog.querySelector("[data-window]");
    document.body.append(dialog);
    dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
        leave();
        dialog.remove();
    });
    form?.addEventListener("submit", (event) => {
        event.preventDefault();
        signIn(form, dialog, opener);
    });
    opener?.addEventListener("click", () => {
        window.open(opener.dataset.window, "sign-in", "popup,width=520,height=720");
    });
    dialog.showModal();
}

async function signIn(form, dialog, opener) {
    const button = form.querySelector("[type=submit]");
    button.disabled = true;
    const body = new FormData(form);
    const response = await fetch(form.action, { method: "POST", body }).catch(() => null);
    const { pathname } = new URL(response?.url ?? form.action);
    button.disabled = false;
    if (pathname === dialog.dataset.done) {
        goOn();
    } else if (response?.ok && pathname !== new URL(form.action).pathname) {
        offerStep(form, dialog, opener, response.url);
    } else {
        showError(form, response && (await response.text()));
    }
}

/** A second step has a page of its own, and so has what else comes before an editor is let in. */
function offerStep(form, dialog, opener, url) {
    form.hidden = true;
    dialog.querySelector(".step").hidden = false;
    opener.dataset.window = url;
    opener.textContent = opener.dataset.step;
    opener.className = "button default";
    opener.focus();
}

function showError(form, html) {
    const error = form.querySelector(".errornote");
    const page = new DOMParser().parseFromString(html ?? "", "text/html");
    const found = page.querySelector("#content .errornote, #content-main > p");
    error.textContent = found?.textContent.trim() || error.textContent;
    error.hidden = false;
    form.elements.password.select();
}

/** Return whether a form need not ask: what is typed is in a row's draft, but a chosen file would be lost. */
function isFresh(form) {
    const hasFile = form.id.endsWith("_form") && [...form.elements].some((field) => field.files?.length);
    return performance.now() < FRESH && !hasFile;
}

function isAsked(event) {
    const form = event.target;
    const opensTab = (event.submitter?.formTarget || form.target) === "_blank";
    return form.method === "post" && form.closest("#content") && !opensTab && !event.defaultPrevented;
}

if (user) {
    document.addEventListener("submit", (event) => {
        if (isChecked || isFresh(event.target) || !isAsked(event)) {
            return;
        }
        event.preventDefault();
        if (!pending) {
            const { target, submitter } = event;
            pending = { send: () => sendForm(target, submitter), leave() {} };
            goOn();
        }
    });
    document.addEventListener("signed-out", (event) => {
        if (!pending) {
            event.preventDefault();
            pending = { send: () => event.detail(true), leave: () => event.detail(false) };
            goOn();
        }
    });
    windows.addEventListener("message", goOn);
}

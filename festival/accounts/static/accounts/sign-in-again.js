// Before a form is sent: asks whether its editor is still signed in, and if not, offers a window that signs in, and
// goes on. Without this the form is just sent. Scripts that send something themselves ask for it with `signed-out`.

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

function sendForm(form, submitter) {
    isChecked = true;
    form.requestSubmit(submitter);
    isChecked = false;
}

async function goOn() {
    const session = pending && (await askForSession());
    document.querySelector("dialog.sign-in-again")?.remove();
    for (const field of session ? document.querySelectorAll("input[name=csrfmiddlewaretoken]") : []) {
        field.value = session.token;
    }
    if (session?.dialog) {
        openDialog(session.dialog);
        return;
    }
    // Two windows may have signed in.
    const waiting = pending;
    pending = null;
    waiting?.send();
}

function openDialog(html) {
    const place = document.createElement("template");
    place.innerHTML = html;
    const dialog = place.content.querySelector("dialog");
    const opener = dialog.querySelector("[data-window]");
    document.body.append(dialog);
    dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
        pending?.leave();
        pending = null;
        dialog.remove();
    });
    opener?.addEventListener("click", () => {
        window.open(opener.dataset.window, "sign-in", "popup,width=520,height=720");
    });
    dialog.showModal();
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

/** Hold something back until somebody is signed in; one thing at a time. */
function hold(event, send, leave) {
    event.preventDefault();
    if (!pending) {
        pending = { send, leave };
        goOn();
    }
}

if (user) {
    document.addEventListener("submit", (event) => {
        const { target, submitter } = event;
        if (!isChecked && !isFresh(target) && isAsked(event)) {
            hold(
                event,
                () => sendForm(target, submitter),
                () => {},
            );
        }
    });
    document.addEventListener("signed-out", (event) => {
        if (!pending) {
            hold(
                event,
                () => event.detail(true),
                () => event.detail(false),
            );
        }
    });
    windows.addEventListener("message", goOn);
}

// Sending to the page's own address.

/** Return whether it was done, and the answer; null where nobody is signed in. */
export async function post(fields) {
    const form = new FormData(document.getElementById("moving"));
    for (const [name, value] of Object.entries(fields)) {
        form.set(name, value);
    }
    const response = await fetch(window.location.href, { method: "POST", body: form, redirect: "manual" });
    if (response.status >= 500) {
        throw new Error(response.statusText);
    }
    if ((response.headers.get("Content-Type") || "").startsWith("application/json")) {
        return [response.ok, await response.json()];
    }
    // A page or a redirect: the session has ended, or others are signed in.
    return [false, null];
}

// Sending to the page's own address.

/** Return whether it was done, and the answer; null after logging out. */
export async function post(fields) {
    const form = new FormData(document.getElementById("moving"));
    for (const [name, value] of Object.entries(fields)) {
        form.set(name, value);
    }
    const response = await fetch(window.location.href, { method: "POST", body: form, redirect: "manual" });
    if (response.status >= 500) {
        throw new Error(response.statusText);
    }
    // After logging out the answer is a page or a redirect.
    const isJson = (response.headers.get("Content-Type") || "").startsWith("application/json");
    return [response.ok, isJson ? await response.json() : null];
}

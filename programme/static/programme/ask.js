// Questions to the server: what is typed means what it says.

/** Return the answer to what is typed; nothing where the server does not give one. */
export async function ask(address, typed) {
    const asked = new URLSearchParams(typed);
    const response = await fetch(`${address}?${asked}`, { redirect: "manual" }).catch(() => null);
    return response?.ok ? response.json().catch(() => ({})) : {};
}

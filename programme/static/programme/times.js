// Times as people write them: what is no plain clock time is read by the server, which knows all spellings.

/** Return the times of a text, as `18:30`: one, a start and an end, or none. */
export async function readTimes(text, address) {
    try {
        const response = await fetch(`${address}?${new URLSearchParams({ text })}`, { redirect: "manual" });
        return response.ok ? await response.json() : [];
    } catch {
        // The server reads it when it is sent.
        return [];
    }
}

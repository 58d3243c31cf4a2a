// What a browser stores for its visitor. It may be full, and private windows refuse: then nothing is stored, which is all.

/** Return what a function returns; null where it cannot. */
export function attempt(run) {
    try {
        return run();
    } catch {
        return null;
    }
}

export const read = (key, store = "localStorage") => attempt(() => JSON.parse(window[store].getItem(key)));

/** Store a value, and return whether it could be stored. */
export const write = (key, value, store = "localStorage") =>
    attempt(() => window[store].setItem(key, JSON.stringify(value)) ?? true) ?? false;

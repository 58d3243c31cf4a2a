// Shares the stars of My programme with the element on another page of the same site, which frames this one; what
// browsers store is the same for both only there, so the service answers to no other website (pages/site_files.py).

import { read, write } from "./storage.js";

const STORED = "my-programme";

const tell = () => parent.postMessage({ stars: read(STORED) ?? [] }, "*");

addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    const ids = new Set(read(STORED));
    for (const id of data.add ?? []) if (Number.isSafeInteger(id)) ids.add(id);
    for (const id of data.remove ?? []) ids.delete(id);
    write(STORED, [...ids]);
    tell();
});
addEventListener("storage", ({ key }) => key === STORED && tell());
tell();

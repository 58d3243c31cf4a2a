// Shares the stars of My programme with the element on another page of the same site, which frames this one; what
// browsers store is the same for both only there, so the service answers to no other website (pages/site_files.py).

const STORED = "my-programme";

function read() {
    try {
        return new Set(JSON.parse(localStorage.getItem(STORED)));
    } catch {
        return new Set();
    }
}

const tell = () => parent.postMessage({ stars: [...read()] }, "*");

addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    const ids = read();
    for (const id of data.add ?? []) if (Number.isSafeInteger(id)) ids.add(id);
    for (const id of data.remove ?? []) ids.delete(id);
    localStorage.setItem(STORED, JSON.stringify([...ids]));
    tell();
});
addEventListener("storage", ({ key }) => {
    if (key === STORED) tell();
});
tell();

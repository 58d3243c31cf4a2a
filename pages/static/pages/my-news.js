// My programme: what was told of it since it was last looked at in this browser, and its button to print.

import { attempt, read } from "./storage.js";

const SEEN = "news-seen";
// Milliseconds: who comes back sooner is on the same visit, and sees the same again.
const SAME_VISIT = 3600000;

/** Return when this browser was here before this visit. */
function beginVisit() {
    const last = attempt(() => localStorage.getItem(SEEN)) ?? new Date().toISOString();
    const isSame = Date.now() - Date.parse(last) < SAME_VISIT;
    const since = (isSame && attempt(() => sessionStorage.getItem(SEEN))) || last;
    attempt(() => sessionStorage.setItem(SEEN, since));
    attempt(() => localStorage.setItem(SEEN, new Date().toISOString()));
    return Date.parse(since);
}

function showNews() {
    const stars = new Set(read("my-programme"));
    const isMine = (id) => stars.has(Number(id));
    // To look at what somebody else has chosen is no visit.
    if (!location.search.match(/\d+/g)?.some(isMine)) return;
    const since = beginVisit();
    for (const item of document.querySelectorAll("#told li")) {
        if (Date.parse(item.dataset.at) <= since || !isMine(item.dataset.of)) continue;
        item.hidden = false;
        item.closest("section").hidden = false;
    }
}

for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
}

showNews();

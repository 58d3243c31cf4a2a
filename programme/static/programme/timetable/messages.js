// What the page says: texts from the server, announcements to screen readers, and the status of the last move.

export const texts = JSON.parse(document.getElementById("timetable-texts").textContent);

const announcement = document.getElementById("announcement");
const status = document.getElementById("move-status");

/** Announce a text to those who do not see the screen. */
export function announce(text) {
    announcement.textContent = text;
}

export function showStatus(text, { refused = false, warned = false, undo = false, link = null } = {}) {
    status.hidden = false;
    status.classList.toggle("refused", refused);
    status.classList.toggle("warned", warned);
    status.querySelector("span").textContent = text;
    status.querySelector("button").hidden = !undo;
    const next = status.querySelector("a");
    next.hidden = !link;
    next.textContent = link?.text ?? "";
    next.href = link?.href ?? "";
}

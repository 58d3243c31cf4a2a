// What was told of the occasions of my programme since it was last looked at.

const SEEN = "news-seen";
const section = document.getElementById("told");
const list = section.querySelector("ul");

/** Return when this browser was here before this visit; a page that is loaded again is of the same visit. */
function beginVisit() {
    const since = sessionStorage.getItem(SEEN) ?? localStorage.getItem(SEEN) ?? new Date().toISOString();
    sessionStorage.setItem(SEEN, since);
    localStorage.setItem(SEEN, new Date().toISOString());
    return Date.parse(since);
}

function addEntry({ title, url }) {
    const link = Object.assign(document.createElement("a"), { href: url, textContent: title, dir: "auto" });
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
}

async function showNews() {
    const since = beginVisit();
    const answer = await fetch(section.dataset.news);
    if (!answer.ok) return;
    const told = (await answer.json()).filter((entry) => Date.parse(entry.toldAt) > since);
    told.forEach(addEntry);
    section.hidden = !told.length;
}

// Some private windows store nothing, and without a network there is nothing new.
showNews().catch(() => {});
